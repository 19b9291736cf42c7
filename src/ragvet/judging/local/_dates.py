"""Dates in a text, however they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from ragvet.judging._languages import Languages
from ragvet.judging.local._numbers import western
from ragvet.judging.local._value import Day, Value

_APART = r"(?<![^\W\u2e80-\uffff])"
"""No word touches on the left; scripts that do not space words write a date right behind one."""
_ISO = re.compile(_APART + r"(?<![.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[-/]\d)")
_NUMERIC_DATE = re.compile(_APART + r"(?<![./-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d|[-/]\d)")
_EASTERN_YEAR, _EASTERN_COUNT = "(\\d{4}|[〇零一二三四五六七八九]{4})", "(\\d{1,2}|[一二三四五六七八九十]{1,3})"
_EASTERN_DATE = re.compile(
    f"(?:{_EASTERN_YEAR} ?年 ?)?{_EASTERN_COUNT} ?月(?: ?{_EASTERN_COUNT} ?[日号號])?|{_EASTERN_YEAR} ?年"
)
_TIME = re.compile(_APART + r"(?<![:.])(\d{1,2}):(\d{2})(?::\d{2})?(?:\s?([ap])\.?m\b)?")
_VERSION = re.compile(r"(?<![\d.,])\d+(?:\.\d+){2,}(?![\d,])")
_WORD = re.compile(r"\w+")
_LONGEST_DAY = len("31st del ")


@lru_cache(maxsize=8)
def _month_pattern(languages: Languages) -> tuple[frozenset[str], re.Pattern[str]]:
    """The words that names of months begin with, and the pattern of a date with such a name."""
    openings = frozenset(word.group() for name in languages.months if (word := _WORD.match(name)))
    month = "|".join(sorted(map(re.escape, languages.months), key=len, reverse=True))
    day, year = r"(\d{1,2})(?:st|nd|rd|th|er|\.|º)?", r"(\d{4})(?![\d.,]\d)"
    of = r"(?: de| del| of)?"
    pattern = re.compile(
        rf"(?<![\w.]){day}{of} ({month})(?!\w)\.?(?:,?{of} {year})?"
        rf"|(?<!\w)({month})(?!\w)\.? {day}(?!\d)(?:,? {year})?|(?<!\w)({month})(?!\w)\.?,?{of} {year}"
    )
    return openings, pattern


def find_numeric_dates(text: str) -> Iterator[Value]:
    """Dates in ISO form and in digits."""
    for m in _ISO.finditer(text):
        yield from _date(m, [(m[1], m[3], m[4])])
    for m in _NUMERIC_DATE.finditer(text):
        yield from _date(m, [(m[4], m[3], m[1]), (m[4], m[1], m[3])])


def find_named_dates(text: str, languages: Languages) -> Iterator[Value]:
    """Dates with a month's name in any language; the pattern has hundreds, and is tried only where one may stand."""
    openings, pattern = _month_pattern(languages)
    if openings.isdisjoint(_WORD.findall(text)):
        return
    position = 0
    for word in _WORD.finditer(text):
        if word.group() not in openings:
            continue
        starts = range(max(position, word.start() - _LONGEST_DAY), word.start() + 1)
        m = next(filter(None, (pattern.match(text, start) for start in starts)), None)
        if m:
            day, year = m[1] or m[5], m[3] or m[6] or m[8]
            yield from _date(m, [(year, languages.months[m[2] or m[4] or m[7]], day)])
            position = m.end()


def find_eastern_dates(text: str) -> Iterator[Value]:
    """Dates in Chinese and Japanese form."""
    for m in _EASTERN_DATE.finditer(text):
        year, month, day = (western(part) for part in (m[1] or m[4], m[2], m[3]))
        yield from _date(m, [(year, month, day)])


def _date(match: re.Match[str], candidates: list[tuple[str | None, str | int | None, str | None]]) -> Iterator[Value]:
    days = tuple(dict.fromkeys(d for c in candidates if _exists(d := (int(c[0] or 0), int(c[1] or 0), int(c[2] or 0)))))
    if days:
        yield Value("date", days, None, match.start(), match.end())


def _exists(day: Day) -> bool:
    try:
        date(day[0] or 2000, day[1] or 1, day[2] or 1)
    except ValueError:
        return False
    return True


def find_times(text: str) -> Iterator[Value]:
    """Times of day; am and pm read as 24 hours."""
    for m in _TIME.finditer(text):
        hour = int(m[1]) % 12 + (12 if m[3] == "p" else 0) if m[3] else int(m[1])
        yield Value("time", (f"{hour}:{m[2]}",), None, m.start(), m.end())


def find_versions(text: str) -> Iterator[Value]:
    """Versions and addresses of three or more parts: 3.11.7; 1.000.000 is a number."""
    for m in _VERSION.finditer(text):
        groups = m.group().split(".")
        if not all(len(group) == 3 for group in groups[1:]):  # noqa: PLR2004  # 1.000.000 is a number
            yield Value("version", (m.group(),), None, m.start(), m.end())
