from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

from ragvet.judging._languages import Language, Languages

Day = tuple[int, int, int]
"""Year, month, day; 0 for what is not said."""

_SIGNS = dict(zip("$€£¥₹%٪元", "$€£¥₹%%元", strict=True))
_CODES = {"usd": "$", "us$": "$", "eur": "€", "gbp": "£", "jpy": "¥", "inr": "₹", "cny": "元", "rmb": "元"}
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9}
_EASTERN_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_EASTERN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}

_FIRST_UNSPACED = "\u2e80"
_DIGIT = re.compile(r"\d")
_ISO = re.compile(r"(?<![\w.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[-/]\d)")
_NUMERIC_DATE = re.compile(r"(?<![\w./-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d|[-/]\d)")
_EASTERN_DATE = re.compile(r"(?:(\d{4}) ?年 ?)?(\d{1,2}) ?月(?: ?(\d{1,2}) ?[日号號])?|(\d{4}) ?年")
_TIME = re.compile(r"(?<![\w:.])(\d{1,2}):(\d{2})(?::\d{2})?(?:\s?([ap])\.?m\b)?")
_VERSION = re.compile(r"(?<![\d.,])\d+(?:\.\d+){2,}(?![\d,])")
_BEFORE_NUMBER = r"(?P<before>us\$|[$€£¥₹]|\b(?:usd|eur|gbp|inr|jpy|cny|rmb)\b)? ?(?P<minus>(?<![\w)\]-])-(?=\d))?"
_NUMBER = re.compile(_BEFORE_NUMBER + r"(?P<digits>\d+(?:[,.'٬٫]\d+)*)")
_NUMBER_WITH_SPACES = re.compile(
    _BEFORE_NUMBER + r"(?P<digits>\d{1,3}(?: \d{3})+(?!\d)(?:[,.٫]\d+)?|\d+(?:[,.'٬٫]\d+)*)"
)
_AFTER = re.compile(r"[ -]?([^\W\d_](?:[^\W\d_]|[\u0900-\u0dff])*\.?|[%٪$€£¥₹])")  # Indic vowel signs are no letters
_EASTERN_SCRIPTS = ("han", "kana")
_EASTERN_NUMBER = re.compile("[零〇一二两兩三四五六七八九十百千][零〇一二两兩三四五六七八九十百千万萬亿億兆]*")
_SPELLED = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Value:
    """A number, date, time or version of a text, by what it means and not by how it is written.

    `readings` are the values the writing may have: "1.000" is 1000 or 1, "03/04/2024" a day of March or of April.
    `unit` is `%`, a currency sign, or None. `start`/`end` span the folded text.
    """

    kind: Literal["number", "date", "time", "version"]
    readings: tuple[float | Day | str, ...]
    unit: str | None
    start: int
    end: int


def same_value(claimed: Value, shown: Value) -> bool:
    """Whether `shown` says what `claimed` says: an equal number in no other unit, a date that is as exact."""
    if claimed.kind == shown.kind == "number":
        units_differ = claimed.unit is not None and shown.unit is not None and claimed.unit != shown.unit
        return not units_differ and not set(claimed.readings).isdisjoint(shown.readings)
    if claimed.kind in ("number", "date") and shown.kind in ("number", "date"):
        return any(_holds(wanted, given) for wanted in _days(claimed) for given in _days(shown))
    return claimed.kind == shown.kind and not set(claimed.readings).isdisjoint(shown.readings)


def _days(value: Value) -> Iterator[Day]:
    for reading in value.readings:
        if isinstance(reading, tuple):
            yield reading
        elif isinstance(reading, float) and value.unit is None:
            yield int(reading), 0, 0


def _holds(wanted: Day, given: Day) -> bool:
    return all(part in (0, other) for part, other in zip(wanted, given, strict=True))


def find_values(folded: str, language: Language, languages: Languages) -> tuple[Value, ...]:
    """The dates, times, versions and numbers of a folded text, in order; a part of a date is no number as well."""
    text = folded if folded.isascii() else _western_digits(folded)
    found: list[Value] = []
    taken = bytearray(len(text))
    finders: list[Callable[[], Iterator[Value]]] = []
    if _DIGIT.search(text):
        finders += [lambda: _dates(text, languages), lambda: _times(text), lambda: _versions(text)]
        finders.append(lambda: _numbers(text, language))
    finders += [lambda: _spelled(text, language), lambda: _eastern(text, language)]
    for finder in finders:
        for value in finder():
            if not any(taken[value.start : value.end]):
                taken[value.start : value.end] = b"\x01" * (value.end - value.start)
                found.append(value)
    return tuple(sorted(found, key=lambda value: value.start))


def _western_digits(text: str) -> str:
    return "".join(str(int(c)) if not c.isascii() and c.isdecimal() else c for c in text)


@lru_cache(maxsize=8)
def _month_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    month = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    day, year = r"(\d{1,2})(?:st|nd|rd|th|er|\.|º)?", r"(\d{4})(?![\d.,]\d)"
    of = r"(?: de| del| of)?"
    return re.compile(
        rf"(?<![\w.]){day}{of} ({month})(?!\w)\.?(?:,?{of} {year})?"
        rf"|(?<!\w)({month})(?!\w)\.? {day}(?!\d)(?:,? {year})?|(?<!\w)({month})(?!\w)\.?,?{of} {year}"
    )


def _dates(text: str, languages: Languages) -> Iterator[Value]:
    months = languages.months
    for m in _ISO.finditer(text):
        yield from _date(m, [(m[1], m[3], m[4])])
    for m in _NUMERIC_DATE.finditer(text):
        yield from _date(m, [(m[4], m[3], m[1]), (m[4], m[1], m[3])])
    for m in _month_pattern(tuple(months)).finditer(text):
        day, year = m[1] or m[5], m[3] or m[6] or m[8]
        yield from _date(m, [(year, months[m[2] or m[4] or m[7]], day)])
    if "月" in text or "年" in text:
        for m in _EASTERN_DATE.finditer(text):
            yield from _date(m, [(m[1] or m[4], m[2], m[3])])


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


def _times(text: str) -> Iterator[Value]:
    for m in _TIME.finditer(text):
        hour = int(m[1]) % 12 + (12 if m[3] == "p" else 0) if m[3] else int(m[1])
        yield Value("time", (f"{hour}:{m[2]}",), None, m.start(), m.end())


def _versions(text: str) -> Iterator[Value]:
    for m in _VERSION.finditer(text):
        groups = m.group().split(".")
        if not all(len(group) == 3 for group in groups[1:]):  # noqa: PLR2004  # 1.000.000 is a number
            yield Value("version", (m.group(),), None, m.start(), m.end())


def _numbers(text: str, language: Language) -> Iterator[Value]:
    pattern = _NUMBER_WITH_SPACES if language.decimal == "," else _NUMBER
    for m in pattern.finditer(text):
        before = m["before"] or ""
        scale, unit, end = _scale_and_unit(text, m.end(), language, priced=bool(before))
        factor = -scale if m["minus"] else scale
        readings = tuple(dict.fromkeys(_rounded(factor * reading) for reading in _readings(m["digits"], language.decimal)))
        yield Value("number", readings, _SIGNS.get(before) or _CODES.get(before) or unit, m.start(), end)


def _scale_and_unit(text: str, position: int, language: Language, *, priced: bool) -> tuple[float, str | None, int]:
    """What follows a number: "3 million dollars" is 1e6, "$"; 1.0 and None where nothing does; and where it ends."""
    scale, end = 1.0, position
    word, after = _word_after(text, end, language.scales)
    if word in language.scales:
        scale, end = language.scales[word], after
    elif word in _SHORT_SCALES and (priced or (word == "k" and after == end + 1)):
        scale, end = _SHORT_SCALES[word], after
    word, after = _word_after(text, end, language.units)
    unit = language.units.get(word) or _SIGNS.get(word) or _CODES.get(word)
    return scale, unit, after if unit else end


def _word_after(text: str, position: int, known: Mapping[str, object]) -> tuple[str, int]:
    """The word after a number and its end; where words are not spaced, the longest known one that begins there."""
    after = _AFTER.match(text, position)
    if after is None:
        return "", position
    word = after[1].rstrip(".")
    if word[0] >= _FIRST_UNSPACED:
        word = next((word[:length] for length in range(min(4, len(word)), 0, -1) if word[:length] in known), word)
    return word, after.start(1) + len(word)


def _readings(digits: str, decimal: str) -> tuple[float, ...]:
    """The numbers a string of digits and separators may stand for, the likeliest in that language first."""
    digits = re.sub("[ '٬]", "", digits).replace("٫", decimal)
    separators = [c for c in digits if c in ",."]
    groups = re.split("[,.]", digits)
    whole = float("".join(groups)[:300])
    if not separators:
        return (whole,)
    as_fraction = float(("".join(groups[:-1]) + "." + groups[-1])[:300])
    grouped = len(groups[-1]) == 3 and all(len(group) in (2, 3) for group in groups[1:]) and groups[0] != "0"  # noqa: PLR2004
    if len(set(separators)) > 1:
        return (as_fraction,)
    if len(separators) > 1:
        return (whole,) if grouped else tuple(float(group[:300]) for group in groups)
    if not grouped or separators[0] == decimal == ".":
        return (as_fraction,)
    if decimal == ".":
        return (whole,)
    return (as_fraction, whole) if separators[0] == decimal else (whole, as_fraction)


def _rounded(number: float) -> float:
    return float(f"{number:.10g}")


def _spelled(text: str, language: Language) -> Iterator[Value]:
    """Numbers in words: "twenty-five", "three million"; "one" alone is a pronoun more often than a number."""
    if not language.numbers or language.scripts[0] in _EASTERN_SCRIPTS:
        return
    run: list[re.Match[str]] = []
    for word in (m for m in _SPELLED.finditer(text)):
        known = word.group() in language.numbers or (run and word.group() in language.scales)
        if run and not (known and text[run[-1].end() : word.start()] in (" ", "-")):
            yield from _spelled_value(run, language)
            run = []
        if known:
            run.append(word)
    yield from _spelled_value(run, language)


def _spelled_value(run: list[re.Match[str]], language: Language) -> Iterator[Value]:
    total, part = 0.0, 0.0
    for word in run:
        scale = language.scales.get(word.group())
        if scale is None or part == 0:
            part += language.numbers.get(word.group(), 0)
        elif scale >= 1000:  # noqa: PLR2004  # a thousand closes a group, a hundred does not
            total, part = total + part * scale, 0.0
        else:
            part *= scale
    if total + part > 1:
        yield Value("number", (total + part,), None, run[0].start(), run[-1].end())


def _eastern(text: str, language: Language) -> Iterator[Value]:
    """Numbers in Chinese characters of two or more: 三百万, 二〇二四; one character alone is part of a word too often."""
    if language.scripts[0] not in _EASTERN_SCRIPTS:
        return
    for m in _EASTERN_NUMBER.finditer(text):
        if m.end() - m.start() > 1:
            word, end = _word_after(text, m.end(), language.units)
            unit = language.units.get(word)
            yield Value("number", (_eastern_number(m.group()),), unit, m.start(), end if unit else m.end())


def _eastern_number(word: str) -> float:
    if not any(c in _EASTERN_SCALES for c in word):
        return float("".join(str(_EASTERN_DIGITS[c]) for c in word)[:300])
    total, section, digit = 0, 0, 0
    for c in word:
        scale = _EASTERN_SCALES.get(c)
        if scale is None:
            digit = _EASTERN_DIGITS[c]
        elif scale < 10**4:
            section, digit = section + (digit or 1) * scale, 0
        else:
            total, section, digit = total + (section + digit) * scale, 0, 0
    return float(total + section + digit)
