"""JSON arrays, JSON objects with the records under one key, and JSON Lines, with the line of every record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO, Any, cast

from ragvet.errors import Problem
from ragvet.files._records import RawFile
from ragvet.files._strict import HALF_A_CHARACTER, MORE, StrictDecoder, TooDeep, after_space, nothing_after
from ragvet.files._text import Block, blocks, lone_return, not_utf8
from ragvet.text import shown

_STRICT = "each key once and finite numbers"


class _Reader:
    """Walks one JSON text, keeping count of lines."""

    def __init__(self, text: str, file: RawFile) -> None:
        self.text = text
        self.file = file
        self._decoder = StrictDecoder()
        self._one_line = "\n" not in text.strip()
        self._line = 1
        self._counted = 0
        self.end = 0

    def line_at(self, position: int) -> int:
        """The line of `position`, which never lies before one asked for earlier."""
        self._line += self.text.count("\n", self._counted, position)
        self._counted = position
        return self._line

    def skip(self, position: int) -> int:
        return after_space(self.text, position)

    def value(self, position: int) -> tuple[Any, int, int]:
        """Value, line, and the position behind it."""
        line = self.line_at(position)
        value, end = self._decoder.decode(self.text, position)
        for fault in self._decoder.faults:
            self.file.problem(fault, _STRICT, "Correct the record.", f"line {line}")
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

    def object(self, position: int, records_key: str | None) -> None:
        """Read the declarations of the object at `position`, and its records under `records_key`."""
        keys: set[str] = set()
        position = self.skip(position + 1)
        mark = self.text[position : position + 1]
        while mark != "}":
            key, line, position = self._key(position)
            if key in keys:
                self.file.problem(f"the key {key!r} twice", "each key once", "Remove one of them.", f"line {line}")
            keys.add(key)
            if key == records_key and self.text[position : position + 1] == "[":
                self.elements(position)
                position = self.end
            else:
                self.file.header[key], _, position = self.value(position)
            position = self.skip(position)
            mark = self.text[position : position + 1]
            if mark == ",":
                position = self.skip(position + 1)
            elif mark != "}":
                raise json.JSONDecodeError("Expecting ',' or '}'", self.text, position)
        self.end = position + 1

    def _key(self, position: int) -> tuple[str, int, int]:
        """The key at `position`, its line, and where its value begins."""
        if self.text[position : position + 1] != '"':
            raise json.JSONDecodeError("Expecting a key in double quotes", self.text, position)
        key, line, position = self.value(position)
        position = self.skip(position)
        if self.text[position : position + 1] != ":":
            raise json.JSONDecodeError("Expecting ':'", self.text, position)
        return key, line, self.skip(position + 1)


def read_json(text: str, file: RawFile, records_key: str | None) -> None:
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
            form = "{ … }" if records_key is None else f'{{"{records_key}": [ … ]}}'
            file.problem(f"{shown(value)} at the top", "a list of records", f"Write [ … ] or {form}.")
            return
        nothing_after(text, reader.end)
    except json.JSONDecodeError as error:
        several = text[start] == "{" and error.msg == MORE
        action = "One object a line is JSON Lines: name the file .jsonl." if several else "Correct the JSON there."
        file.problem(f"{error.msg} at column {error.colno}", "valid JSON", action, f"line {error.lineno}")
    except TooDeep as deep:
        file.problem(str(deep), "records a few levels deep", "Flatten the records.")


def read_json_lines(stream: IO[bytes], file: RawFile, header_keys: frozenset[str]) -> None:
    """Read one JSON value a line into `file`; a first line holding only `header_keys` declares them for the file."""
    for number, value in values_of_lines(stream, file.source, file.problems, torn=True):
        if not file.records and not file.header and _declares(value, header_keys):
            file.header.update(value)
        else:
            file.add(value, number)


def values_of_lines(
    stream: IO[bytes], source: str, problems: list[Problem], *, torn: bool = False
) -> Iterator[tuple[int, Any]]:
    """The value of each JSON line with its number; lines that hold none are left out and told in `problems`.

    Args:
        stream: read some megabytes at a time.
        source: what messages call it.
        problems: where every fault is noted.
        torn: whether half a character may pass, because whoever takes the values looks for it.
    """
    for block in blocks(stream, source):
        yield from values_of_block(block, source, problems, torn=torn)


def values_of_block(
    block: Block, source: str, problems: list[Problem], *, torn: bool = False
) -> Iterator[tuple[int, Any]]:
    """The same of some lines of a file."""
    decoder = StrictDecoder()
    for number, line in block.lines():
        try:
            value = decoder.whole(line)
        except (TooDeep, UnicodeDecodeError, json.JSONDecodeError) as error:
            problems.append(_broken(error, line, source, number))
            continue
        faults = [*decoder.faults, *([HALF_A_CHARACTER] if decoder.torn and not torn else [])]
        problems += [
            Problem(source, fault, _STRICT, "Correct the record.", record=f"line {number}") for fault in faults
        ]
        yield number, value


def _broken(error: Exception, line: bytes, source: str, number: int) -> Problem:
    """What is wrong with a line that is no JSON."""
    place = f"line {number}"
    match error:
        case TooDeep():
            return Problem(source, str(error), "a record a few levels deep", "Flatten it.", record=place)
        case UnicodeDecodeError():
            return not_utf8(source, error, number)
        case json.JSONDecodeError():
            returns = lone_return(Block(line + b"\n", number), source)
            found, action = f"{error.msg} at column {error.colno}", "Write each record on one line of its own."
            return returns or Problem(source, found, "one JSON object", action, record=place)
        case _:
            raise error


def _declares(value: Any, header_keys: frozenset[str]) -> bool:
    keys = set(cast("dict[str, Any]", value)) if isinstance(value, dict) else set[str]()
    return bool(keys) and keys <= header_keys
