"""JSON as its standard has it: what two readers could take for two things is refused, not decided."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any, cast

MOST_LEVELS = 200
"""So deep may values be nested; the interpreter's own limit moves with its version and with who calls."""

MORE = "More text after the end"
_SPACE = re.compile(r"[ \t\n\r]*")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_SHOWN = 40
_CONTAINERS: frozenset[type] = frozenset((dict, list))

HALF_A_CHARACTER = "half a character: one of two surrogates alone"


class TooDeep(ValueError):
    """Values are nested more than `MOST_LEVELS` deep."""

    def __init__(self) -> None:
        super().__init__(f"values nested more than {MOST_LEVELS} levels deep")


class StrictDecoder:
    """Decodes JSON and notes what other decoders let pass: a key given twice, and numbers that are none.

    Args:
        limits: whether it also notes numbers larger than a float, and refuses more than `MOST_LEVELS` levels.

    Attributes:
        faults: of the value decoded last, in words.
        torn: whether the text read whole last holds half a character.
    """

    def __init__(self, *, limits: bool = True) -> None:
        self.faults: list[str] = []
        self.torn = False
        self._limits = limits
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object, parse_constant=self._constant)
        self._slow_decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=self._constant, parse_float=self._float, parse_int=self._int
        )

    def decode(self, text: str, start: int = 0) -> tuple[Any, int]:
        """The value that begins at `start`, white space before it left out, and where it ends.

        Raises:
            JSONDecodeError: there is none.
            TooDeep: it is nested deeper than anybody means.
        """
        start = after_space(text, start)
        try:
            value, end = self._decoded(self._decoder, text, start)
        except json.JSONDecodeError:
            raise
        except ValueError:  # a number longer than Python converts
            value, end = self._decoded(self._slow_decoder, text, start)
        if self._limits:
            levels, infinite = _survey(value)
            if levels > MOST_LEVELS:
                raise TooDeep
            if infinite:
                return self._decoded(self._slow_decoder, text, start)
        return value, end

    def _decoded(self, decoder: json.JSONDecoder, text: str, start: int) -> tuple[Any, int]:
        self.faults = []
        try:
            return decoder.raw_decode(text, start)
        except RecursionError:
            raise TooDeep from None

    def whole(self, text: bytes) -> Any:
        """The one value that a text in UTF-8 consists of.

        Raises:
            UnicodeDecodeError: it is not UTF-8.
            JSONDecodeError: it is no JSON.
            TooDeep: as for `decode`.
        """
        decoded = text.decode()
        value, end = self.decode(decoded)
        nothing_after(decoded, end)
        self.torn = _HALF.search(decoded) is not None and is_torn(value)
        return value

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            seen: set[str] = set()
            twice = [key for key, _ in pairs if key in seen or seen.add(key)]
            self.faults += [f"the key {_cut(key)!r} twice in one object" for key in dict.fromkeys(twice)]
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
        if math.isfinite(value) or not self._limits:
            return value
        self.faults.append(f"{_cut(digits)}, which is too large for a number")
        return None


def json_value(text: str, *, limits: bool = True) -> Any:
    """The value of a JSON text as the standard has it; everything a reader could take two ways is refused.

    Args:
        text: that one value and white space.
        limits: whether also what the standard allows and few programs can hold is refused: numbers larger than a float,
            half a character, more than `MOST_LEVELS` levels.

    Raises:
        ValueError: it is no JSON, gives a key twice, holds NaN or infinity, or is beyond those limits.
    """
    decoder = StrictDecoder(limits=limits)
    value, end = decoder.decode(text)
    nothing_after(text, end)
    if limits and is_torn(value):
        raise ValueError(HALF_A_CHARACTER)
    if decoder.faults:
        raise ValueError(decoder.faults[0])
    return value


def is_torn(value: Any) -> bool:
    """Whether a text in a value holds half a character, which JSON can spell and no file can hold."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return True
    return False


def _survey(value: Any) -> tuple[int, bool]:
    """How deep a value is nested, a number or a text not at all, and whether a number in it is infinite."""
    levels, infinite = -1, False
    level: list[Iterable[Any]] = [(value,)]
    while level:
        infinite = infinite or any(math.inf in values or -math.inf in values for values in level)
        level = [
            cast("dict[str, Any]", one).values() if isinstance(one, dict) else cast("list[Any]", one)
            for values in level
            if not _CONTAINERS.isdisjoint(map(type, values))
            for one in values
            if isinstance(one, dict | list)
        ]
        levels += 1
    return levels, infinite


def after_space(text: str, position: int) -> int:
    """The position of the next character that is no white space of JSON."""
    match = _SPACE.match(text, position)
    return match.end() if match else position


def nothing_after(text: str, end: int) -> None:
    """Refuses whatever follows a value.

    Raises:
        JSONDecodeError: at the first character of it.
    """
    rest = after_space(text, end)
    if rest < len(text):
        raise json.JSONDecodeError(MORE, text, rest)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
