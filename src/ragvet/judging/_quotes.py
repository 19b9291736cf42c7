from __future__ import annotations

import re
import unicodedata

from ragvet.records import Quote
from ragvet.text import Folded, fold, plain_typography

_EDGES = " \t\r\n\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb\u2026"
_SPACE = re.compile(r"\s+")
_DIGITS = re.compile(r"\d+")
_SHORTEST_FUZZY = 16
_LONGEST_FUZZY = 2000
_EDIT_SHARE = 0.1
_UNSPACED = (
    ("\u0e00", "\u109f"),
    ("\u1100", "\u11ff"),
    ("\u1780", "\u17ff"),
    ("\u2e80", "\u9fff"),
    ("\uac00", "\U0010ffff"),
)


def find_quote(quote: str, text: str, *, verbatim: bool = False) -> Quote | None:
    """The place in `text` that says `quote`, or None where it does not stand there.

    Differences of white space, Unicode form and typography do not count; what else differs, case included, is the
    `edit_distance`, and at most a tenth of the quote may. A quote with other digits than the text is never found, and
    one that starts or ends inside a word is not either. `verbatim` allows no edits but those of case and accents.
    """
    wanted = quote.strip(_EDGES)
    if not wanted:
        return None
    verbatim_at = text.find(wanted) if wanted.isascii() else -1
    if verbatim_at >= 0 and not _cuts_word(text, verbatim_at, verbatim_at + len(wanted)):
        return Quote(text=wanted, start=verbatim_at, end=verbatim_at + len(wanted))
    folded, needle = fold(text), fold(wanted).text.strip()
    if not needle:
        return None
    span = _exact(needle, folded) or (None if verbatim else _near(needle, folded))
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
        if not _cuts_word(text, start, end):
            return start, end
        start = text.find(needle, start + 1)
    return None


def _cuts_word(text: str, start: int, end: int) -> bool:
    return _inside_word(text, start) or _inside_word(text, end)


def _inside_word(text: str, position: int) -> bool:
    """Whether `position` parts two characters of one word, in a script that puts spaces between words."""
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    return _in_word(before) and _in_word(after) and not (_unspaced(before) or _unspaced(after))


def _in_word(character: str) -> bool:
    """Letters, digits, and the vowel signs and other marks that many scripts write behind a letter."""
    return character.isalnum() or unicodedata.category(character).startswith("M")


def _unspaced(character: str) -> bool:
    """Thai, Lao, Tibetan, Burmese, Khmer, Chinese, Japanese, and Korean, whose particles follow without a space."""
    return any(first <= character <= last for first, last in _UNSPACED)


def _near(needle: str, haystack: Folded) -> tuple[int, int] | None:
    """The closest window of the text, where at most a tenth differs and no digit does."""
    from rapidfuzz import fuzz  # noqa: PLC0415  # loaded only where a quote is not verbatim

    if not _SHORTEST_FUZZY <= len(needle) <= min(_LONGEST_FUZZY, len(haystack.text) / (1 - _EDIT_SHARE)):
        return None
    window = fuzz.partial_ratio_alignment(needle, haystack.text, score_cutoff=100 * (1 - _EDIT_SHARE))
    if window is None:
        return None
    start, end = _whole_words(haystack.text, window.dest_start, window.dest_end)
    found = haystack.text[start:end]
    if _distance(needle, found) > _EDIT_SHARE * len(needle) or _DIGITS.findall(needle) != _DIGITS.findall(found):
        return None
    return start, end


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    while _inside_word(text, start):
        start -= 1
    while _inside_word(text, end):
        end += 1
    while start < end and text[start] == " ":
        start += 1
    return start, end


def _distance(left: str, right: str) -> int:
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415  # loaded only where a quote was found

    return Levenshtein.distance(_levelled(left), _levelled(right))


def _levelled(text: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", plain_typography(text))).strip()
