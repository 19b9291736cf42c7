"""Where a text says a quote, word for word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ragvet.records import Quote
from ragvet.text import Folded, fold, plain_typography

_EDGES = " \t\r\n\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb\u2026"
_SPACE = re.compile(r"\s+")
_LONGEST_MISSPELT = 800
_LONG_WORD = 8
_SAME_FIRST, _SAME_LAST = 5, 2
"""Letters no typo may change: prefixes and endings turn a word into another (uninformed, employee and employer)."""

_UNSPACED = (
    ("\u0e00", "\u109f"),
    ("\u1100", "\u11ff"),
    ("\u1780", "\u17ff"),
    ("\u2e80", "\u9fff"),
    ("\uac00", "\U0010ffff"),
)
_NEGATED_BEFORE = re.compile(r"(?:(?<!\w)(?:non|un|in|im|dis|nicht)-\s?|[不没沒未無无非勿]|ไม่)\Z")
_LONGEST_NEGATION = 8
_NEGATED_AFTER = re.compile("(?:ない|ません|なかった)")
_TOKEN = re.compile(
    r"</?(?:a|b|br|code|div|em|h[1-6]|i|li|mark|ol|p|pre|small|span|strong|su[bp]|t[dhr]|u|ul)(?:\s[^<>]*)?/?>"
    r"|(?:(?<![\w)])-)?\d+(?:[.,:/]\d+)*"  # a number with its sign
    r"|[^\W\d_]+(?:(?:'|- )[^\W\d_]+)*"  # a word, parted at the end of a line or not
    r"|[^\s\w]"
)
_DECIMALS = re.compile(r"\d[.,:]\d")
_SAYS_NOTHING = frozenset("|~`^")
_SEPARATOR = "\0"


def find_quote(quote: str, text: str, *, verbatim: bool = False) -> Quote | None:
    """The place in `text` that says `quote`, or None where it does not stand there.

    Differences of white space, Unicode form, case, accents, typography, markup and punctuation do not count, nor does
    one letter inside one long word. No other word may be there, missing or different, because one word is enough to
    say the opposite; scripts without spaces allow no edits but white space. A quote that starts or ends inside a word,
    or right behind a negation that belongs to it, is not found either. What differs, case included, is the
    `edit_distance`. `verbatim` allows no edits but those of case and accents.

    Gold evidence is placed in a corpus by other rules (`dataset`): what a person copied may have slips, and is found
    where nine tenths are alike. A judge's quote that says nearly the same shows nothing.
    """
    wanted = quote.strip(_EDGES)
    if not wanted:
        return None
    verbatim_at = text.find(wanted) if wanted.isascii() else -1
    if verbatim_at >= 0 and not _cuts(text, verbatim_at, verbatim_at + len(wanted)):
        return Quote(text=wanted, start=verbatim_at, end=verbatim_at + len(wanted))
    folded, needle = fold(text), fold(wanted).text.strip()
    if not needle:
        return None
    span = _exact(needle, folded) or (None if verbatim else _word_for_word(needle, folded))
    if span is None:
        return None
    start, end = folded.span(*span)
    found = text[start:end].rstrip()
    return Quote(text=found, start=start, end=start + len(found), edit_distance=_distance(wanted, found))


def _exact(needle: str, haystack: Folded) -> tuple[int, int] | None:
    text = haystack.text
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        if not _cuts(text, start, end):
            return start, end
        start = text.find(needle, start + 1)
    return None


def _cuts(text: str, start: int, end: int) -> bool:
    """Whether the span parts a word or number, or parts one from the negation that is written together with it."""
    if any(_inside_word(text, at) or _inside_number(text, at) for at in (start, end)):
        return True
    before = text[max(0, start - _LONGEST_NEGATION) : start].casefold()
    return bool(_NEGATED_BEFORE.search(before) or _NEGATED_AFTER.match(text, end))


def _inside_word(text: str, position: int) -> bool:
    """Whether `position` parts two characters of one word, in a script that puts spaces between words."""
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    return _in_word(before) and _in_word(after) and not (_unspaced(before) or _unspaced(after))


def _inside_number(text: str, position: int) -> bool:
    """Whether `position` stands at the point or comma of a number, as between 1. and 5."""
    return any(_DECIMALS.match(text, at) for at in (position - 1, position - 2) if at >= 0)


def _in_word(character: str) -> bool:
    """Letters, digits, and the vowel signs and other marks that many scripts write behind a letter."""
    return character.isalnum() or unicodedata.category(character).startswith("M")


def _unspaced(character: str) -> bool:
    """Thai, Lao, Tibetan, Burmese, Khmer, Chinese, Japanese, and Korean, whose particles follow without a space."""
    return any(first <= character <= last for first, last in _UNSPACED)


def _word_for_word(needle: str, haystack: Folded) -> tuple[int, int] | None:
    """The place with the same words and numbers, whatever stands between them, and at most one misspelt long word."""
    unspaced = any(character.isalnum() and _unspaced(character) for character in needle)
    tokens = [token for token, _, _ in _tokens(needle, unspaced=unspaced)]
    if not any(map(str.isalnum, tokens)):
        return None
    places = _tokens(haystack.text, unspaced=unspaced)
    words = _joined([token for token, _, _ in places])
    for at in _alike(tokens, words, misspelt=not unspaced and len(needle) <= _LONGEST_MISSPELT):
        first = words.count(_SEPARATOR, 0, at)
        start, end = places[first][1], places[first + len(tokens) - 1][2]
        if not _cuts(haystack.text, start, end):
            return start, end
    return None


def _tokens(text: str, *, unspaced: bool) -> list[tuple[str, int, int]]:
    """What says something, and its span: words, numbers, signs; every character of a text without spaces."""
    if unspaced:
        return [(character, at, at + 1) for at, character in enumerate(text) if not character.isspace()]
    return [(match.group().replace("- ", ""), *match.span()) for match in _TOKEN.finditer(text) if _says(match.group())]


def _says(sign: str) -> bool:
    if len(sign) > 1 or sign.isalnum():
        return not sign.startswith("<")
    return sign == "%" or (unicodedata.category(sign)[0] in "MS" and sign not in _SAYS_NOTHING)


def _joined(tokens: list[str]) -> str:
    return _SEPARATOR + "".join(token + _SEPARATOR for token in tokens)


def _alike(tokens: list[str], words: str, *, misspelt: bool) -> Iterator[int]:
    """Where `tokens` begin in `words`, both joined: all the same first, then with a typo in one long word."""
    wanted = _joined(tokens)
    at = words.find(wanted)
    while at >= 0:
        yield at
        at = words.find(wanted, at + 1)
    for place, word in enumerate(tokens if misspelt else ()):
        if len(word) < _LONG_WORD or not word.isalpha():
            continue
        before = _joined(tokens[:place]) + word[:_SAME_FIRST]
        after = word[-_SAME_LAST:] + _joined(tokens[place + 1 :])
        for match in re.finditer(f"{re.escape(before)}([^{_SEPARATOR}]*){re.escape(after)}", words):
            found = word[:_SAME_FIRST] + match.group(1) + word[-_SAME_LAST:]
            if len(found) >= _LONG_WORD and found.isalpha() and _distance(word, found) == 1:
                yield match.start()


def _distance(left: str, right: str) -> int:
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415  # loaded only where a quote was found

    return Levenshtein.distance(_levelled(left), _levelled(right))


def _levelled(text: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", plain_typography(text))).strip()
