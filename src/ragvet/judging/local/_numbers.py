"""Numbers in digits, with the scale and the unit written around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ragvet.judging._languages import Language
from ragvet.judging.local._value import Value

_SIGNS = dict(zip("$€£¥₹%٪元", "$€£¥₹%%元", strict=True))
_CODES = {"usd": "$", "us$": "$", "eur": "€", "gbp": "£", "jpy": "¥", "inr": "₹", "cny": "元", "rmb": "元"}
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9}
_EASTERN_DIGITS = {c: place for place, group in enumerate(("零〇", "一", "二两兩", *"三四五六七八九")) for c in group}
_EASTERN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_FIRST_UNSPACED = "\u2e80"
_BEFORE_NUMBER = r"(?P<before>us\$|[$€£¥₹]|\b(?:usd|eur|gbp|inr|jpy|cny|rmb)\b)? ?(?P<minus>(?<![\w)\]-])-(?=\d))?"
_LONGEST_BEFORE = len("usd -")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(_BEFORE_NUMBER + r"(?P<digits>\d+(?:[,.'٬٫]\d+)*)")
_NUMBER_WITH_SPACES = re.compile(
    _BEFORE_NUMBER + r"(?P<digits>\d{1,3}(?: \d{3})+(?!\d)(?:[,.٫]\d+)?|\d+(?:[,.'٬٫]\d+)*)"
)
_AFTER = re.compile(r"[ -]?([^\W\d_](?:[^\W\d_]|[\u0900-\u0dff])*\.?|[%٪$€£¥₹])")  # Indic vowel signs are no letters
_EASTERN_SCRIPTS = ("han", "kana")
_EASTERN_NUMBER = re.compile("[零〇一二两兩三四五六七八九十百千][零〇一二两兩三四五六七八九十百千万萬亿億兆]*")
_SPELLED = re.compile(r"[^\W\d_]+")


def find_numbers(text: str, language: Language) -> Iterator[Value]:
    """Numbers in digits with the scale and the unit around them: "$3.5 million", "12 %", "1.234,56 €"."""
    pattern = _NUMBER_WITH_SPACES if language.decimal == "," else _NUMBER
    for m in _written(pattern, text):
        before = m["before"] or ""
        start = next(m.start(part) for part in ("before", "minus", "digits") if m[part])
        scale, unit, end = _scale_and_unit(text, m.end(), language, priced=bool(before))
        factor = -scale if m["minus"] else scale
        readings = tuple(
            dict.fromkeys(_rounded(factor * reading) for reading in _readings(m["digits"], language.decimal))
        )
        yield Value("number", readings, _SIGNS.get(before) or _CODES.get(before) or unit, start, end)


def _written(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern of numbers, looked for only around digits."""
    position = 0
    while digit := _DIGIT.search(text, position):
        match = pattern.search(text, max(position, digit.start() - _LONGEST_BEFORE))
        if match is None:
            return
        yield match
        position = match.end()


def _scale_and_unit(text: str, position: int, language: Language, *, priced: bool) -> tuple[float, str | None, int]:
    """What follows a number: "3 million dollars" is 1e6, "$"; 1.0 and None where nothing does; and where it ends."""
    scale, end = 1.0, position
    word, after = _word_after(text, end, language.scales)
    if word in language.scales:
        scale, end = language.scales[word], after + text.startswith(". ", after)
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


def find_spelled(text: str, language: Language) -> Iterator[Value]:
    """Numbers in words: "twenty-five", "three million"; "one" alone is a pronoun more often than a number."""
    if not language.numbers or language.scripts[0] in _EASTERN_SCRIPTS:
        return
    if language.numbers.keys().isdisjoint(_SPELLED.findall(text)):  # true of most texts, and soon known
        return
    run: list[re.Match[str]] = []
    for word in _SPELLED.finditer(text):
        known = word.group() in language.numbers or (run and word.group() in language.scales)
        if not (run or known):
            continue
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


def find_eastern(text: str, language: Language) -> Iterator[Value]:
    """Numbers in two or more Chinese characters: 三百万, 二〇二四; a single one is part of a word too often."""
    if language.scripts[0] not in _EASTERN_SCRIPTS:
        return
    for m in _EASTERN_NUMBER.finditer(text):
        if m.end() - m.start() > 1:
            word, end = _word_after(text, m.end(), language.units)
            unit = language.units.get(word)
            yield Value("number", (_eastern_number(m.group()),), unit, m.start(), end if unit else m.end())


def western(number: str | None) -> str | None:
    """A whole number in digits, whether it stands in digits or in Chinese characters."""
    return number if number is None or number.isdecimal() else f"{_eastern_number(number):.0f}"


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
