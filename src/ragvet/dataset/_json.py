"""JSON arrays, JSON objects with the records under one key, and JSON Lines, with the line of every record."""

from __future__ import annotations

import json
import math
import re
from typing import Any, cast

from ragvet.dataset._raw import RawFile
from ragvet.text import shown

_MORE = "More text after the end"
_SPACE = re.compile(r"[ \t\n\r]*")


class _Strict:
    """A JSON decoder that notes what the standard one lets pass: duplicate keys and numbers that are none."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=self._constant, parse_float=self._float, parse_int=self._int
        )

    def decode(self, text: str, start: int) -> tuple[Any, int]:
        """The value beginning at `start` and where it ends; `faults` then holds what was wrong inside it."""
        self.faults = []
        return self._decoder.raw_decode(text, start)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            keys = [key for key, _ in pairs]
            self.faults += [f"the key {key!r} twice in one object" for key in fields if keys.count(key) > 1]
        return fields

    def _constant(self, name: str) -> None:
        self.faults.append(f"{name}, which is not a number")

    def _int(self, digits: str) -> int | None:
        try:
            return int(digits)
        except ValueError:  # Python converts at most some thousand digits
            self.faults.append(f"a number of {len(digits):,} digits")
            return None

    def _float(self, digits: str) -> float | None:
        value = float(digits)
        if math.isfinite(value):
            return value
        self.faults.append(f"{digits}, which is too large for a number")
        return None


class _Reader:
    """Walks one JSON text, keeping count of lines."""

    def __init__(self, text: str, file: RawFile) -> None:
        self.text = text
        self.file = file
        self._strict = _Strict()
        self._one_line = "\n" not in text.strip()
        self._line = 1
        self._counted = 0

    def line_at(self, position: int) -> int:
        """The line of `position`, which never lies before one asked for earlier."""
        self._line += self.text.count("\n", self._counted, position)
        self._counted = position
        return self._line

    def skip(self, position: int) -> int:
        match = _SPACE.match(self.text, position)
        return match.end() if match else position

    def value(self, position: int) -> tuple[Any, int, int]:
        """Value, line, and the position behind it."""
        line = self.line_at(position)
        value, end = self._strict.decode(self.text, position)
        for fault in self._strict.faults:
            self.file.problem(fault, "each key once and finite numbers", "Correct the record.", f"line {line}")
        return value, line, end

    def elements(self, position: int) -> None:
        """Read the records of the array at `position`; where all stand on one line, their number says more than it."""
        position = self.skip(position + 1)
        if self.text[position : position + 1] == "]":
            self.end = position + 1
            return
        while True:
            value, line, position = self.value(position)
            self.file.add(value, None if self._one_line else line)
            position = self.skip(position)
            mark = self.text[position : position + 1]
            if mark == "]":
                self.end = position + 1
                return
            if mark != ",":
                raise json.JSONDecodeError("Expecting ',' or ']'", self.text, position)
            position = self.skip(position + 1)

    def object(self, position: int, records_key: str) -> None:
        """Read the declarations of the object at `position`, and its records under `records_key`."""
        position = self.skip(position + 1)
        while self.text[position : position + 1] != "}":
            if self.text[position : position + 1] != '"':
                raise json.JSONDecodeError("Expecting a key in double quotes", self.text, position)
            key, line, position = self.value(position)
            position = self.skip(position)
            if self.text[position : position + 1] != ":":
                raise json.JSONDecodeError("Expecting ':'", self.text, position)
            position = self.skip(position + 1)
            if key in self.file.header or (key == records_key and self.file.records):
                self.file.problem(f"the key {key!r} twice", "each key once", "Remove one of them.", f"line {line}")
            if key == records_key and self.text[position : position + 1] == "[":
                self.elements(position)
                position = self.end
            else:
                self.file.header[key], _, position = self.value(position)
            position = self.skip(position)
            if self.text[position : position + 1] == ",":
                position = self.skip(position + 1)
            elif self.text[position : position + 1] != "}":
                raise json.JSONDecodeError("Expecting ',' or '}'", self.text, position)
        self.end = position + 1


def read_json(text: str, file: RawFile, records_key: str) -> None:
    """Read a JSON array of records, or an object with the records under `records_key`, into `file`."""
    reader = _Reader(text, file)
    start = reader.skip(0)
    try:
        if text[start] == "[":
            reader.elements(start)
        elif text[start] == "{":
            reader.object(start, records_key)
        else:
            value, _, _ = reader.value(start)
            file.problem(
                f"{shown(value)} at the top", "a list of records", f'Write [ … ] or {{"{records_key}": [ … ]}}.'
            )
            return
        _nothing_after(text, reader.end)
    except json.JSONDecodeError as error:
        several = text[start] == "{" and error.msg == _MORE
        action = "One object a line is JSON Lines: name the file .jsonl." if several else "Correct the JSON there."
        file.problem(f"{error.msg} at column {error.colno}", "valid JSON", action, f"line {error.lineno}")
    except RecursionError:
        file.problem("values nested too deeply to read", "records a few levels deep", "Flatten the records.")


def read_json_lines(text: str, file: RawFile, header_keys: frozenset[str]) -> None:
    """Read one JSON value a line into `file`; a first line holding only `header_keys` declares them for the file."""
    strict = _Strict()
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip(" \t\r")
        if not stripped:
            continue
        try:
            value, end = strict.decode(stripped, 0)
            _nothing_after(stripped, end)
        except json.JSONDecodeError as error:
            place = f"{error.msg} at column {error.colno}"
            file.problem(place, "one JSON object", "Write each record on one line of its own.", f"line {number}")
            continue
        except RecursionError:
            file.problem("values nested too deeply to read", "a flat record", "Flatten it.", f"line {number}")
            continue
        for fault in strict.faults:
            file.problem(fault, "each key once and finite numbers", "Correct the record.", f"line {number}")
        if not file.records and not file.header and _declares(value, header_keys):
            file.header.update(value)
        else:
            file.add(value, number)


def _declares(value: Any, header_keys: frozenset[str]) -> bool:
    keys = set(cast("dict[str, Any]", value)) if isinstance(value, dict) else set[str]()
    return bool(keys) and keys <= header_keys


def _nothing_after(text: str, end: int) -> None:
    rest = _SPACE.match(text, end)
    if rest and rest.end() < len(text):
        raise json.JSONDecodeError(_MORE, text, rest.end())
