"""Everything in a text that has a value: dates, times, versions, numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ragvet.judging._languages import Language, Languages
from ragvet.judging.local._dates import (
    find_eastern_dates,
    find_named_dates,
    find_numeric_dates,
    find_times,
    find_versions,
)
from ragvet.judging.local._numbers import find_eastern, find_numbers, find_spelled
from ragvet.judging.local._value import Value

_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_DIGIT, _IN_PARTS = re.compile(r"\d"), re.compile(r"\d[-/.:]\d")


def find_values(folded: str, language: Language, languages: Languages) -> tuple[Value, ...]:
    """The dates, times, versions and numbers of a folded text, in order; a part of a date is no number as well."""
    text = folded if folded.isascii() else _western_digits(folded)
    found: list[Value] = []
    taken = bytearray(len(text))
    finders: list[Callable[[], Iterator[Value]]] = []
    digits, parts = _DIGIT.search(text), _IN_PARTS.search(text)
    if parts:
        finders.append(lambda: find_numeric_dates(text))
    if digits:
        finders.append(lambda: find_named_dates(text, languages))
    if "月" in text or "年" in text:
        finders.append(lambda: find_eastern_dates(text))
    if parts:
        finders += [lambda: find_times(text), lambda: find_versions(text)]
    if digits:
        finders.append(lambda: find_numbers(text, language))
    finders += [lambda: find_spelled(text, language), lambda: find_eastern(text, language)]
    for finder in finders:
        for value in finder():
            if not any(taken[value.start : value.end]):
                taken[value.start : value.end] = b"\x01" * (value.end - value.start)
                found.append(value)
    return tuple(sorted(found, key=lambda value: value.start))


def _western_digits(text: str) -> str:
    return _OTHER_DIGIT.sub(lambda digit: str(int(digit.group())), text)
