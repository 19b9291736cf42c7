from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ragvet.judging._languages import Language, Languages
from ragvet.judging.local._dates import find_dates, find_times, find_versions
from ragvet.judging.local._numbers import find_eastern, find_numbers, find_spelled
from ragvet.judging.local._value import Value

_DIGIT, _DATED = re.compile(r"\d"), re.compile(r"[\d月年]")


def find_values(folded: str, language: Language, languages: Languages) -> tuple[Value, ...]:
    """The dates, times, versions and numbers of a folded text, in order; a part of a date is no number as well."""
    text = folded if folded.isascii() else _western_digits(folded)
    found: list[Value] = []
    taken = bytearray(len(text))
    finders: list[Callable[[], Iterator[Value]]] = []
    if _DATED.search(text):
        finders.append(lambda: find_dates(text, languages))
    if _DIGIT.search(text):
        finders += [lambda: find_times(text), lambda: find_versions(text), lambda: find_numbers(text, language)]
    finders += [lambda: find_spelled(text, language), lambda: find_eastern(text, language)]
    for finder in finders:
        for value in finder():
            if not any(taken[value.start : value.end]):
                taken[value.start : value.end] = b"\x01" * (value.end - value.start)
                found.append(value)
    return tuple(sorted(found, key=lambda value: value.start))


def _western_digits(text: str) -> str:
    return "".join(str(int(c)) if not c.isascii() and c.isdecimal() else c for c in text)
