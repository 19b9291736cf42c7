"""Where words stand in a text, whatever was done to white space, case, quotes, dashes and unicode form on the way."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"\d+")
_FOLDED = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u00b4`"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"'),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-"),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"), ""),
}
_ALIKE = 90
"""Least similarity, out of 100, at which two spans count as the same words with slips."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A text reduced to its words, and the way back: word i begins at `starts[i]` here, at `origins[i]` there."""

    text: str
    starts: Sequence[int]
    origins: Sequence[int]
    ends: Sequence[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text, in whole words, that the span `start`-`end` of the folded text came from."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, max(start, end - 1)) - 1
        return self.origins[first], self.ends[last]


def fold(text: str) -> Folded:
    """The text with single spaces, one case, one unicode form (NFKC), plain quotes and dashes."""
    words: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    ends: list[int] = []
    position = 0
    for match in _WORD.finditer(text):
        word = fold_word(match.group())
        if not word:
            continue
        words.append(word)
        starts.append(position)
        origins.append(match.start())
        ends.append(match.end())
        position += len(word) + 1
    return Folded(" ".join(words), starts, origins, ends)


def fold_word(word: str) -> str:
    """One word in the form `fold` gives it; empty where nothing of it is visible."""
    if word.isascii():
        return word.lower().replace("`", "'")
    return unicodedata.normalize("NFKC", word.translate(_FOLDED)).casefold().replace(" ", "")


def fold_text(text: str) -> str:
    """The folded text alone."""
    if text.isascii():
        return " ".join(text.lower().replace("`", "'").split())
    return " ".join(folded for word in text.split() if (folded := fold_word(word)))


def find_alike(words: str, text: str) -> tuple[int, int] | None:
    """Where folded `text` says `words` with slips: at least 90 % alike, and no number of `words` missing there."""
    if not words or len(words) > 2 * len(text):
        return None
    best = fuzz.partial_ratio_alignment(words, text, score_cutoff=_ALIKE)
    if best is None or best.src_end - best.src_start < len(words) * _ALIKE / 100:
        return None
    if not set(_NUMBER.findall(words)) <= set(_NUMBER.findall(text[best.dest_start : best.dest_end])):
        return None
    return best.dest_start, best.dest_end


class PlacedText:
    """A text in which spans are looked up again and again."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded: Folded | None = None
        self._known: dict[str, tuple[int, int] | None] = {}

    @property
    def folded(self) -> Folded:
        if self._folded is None:
            self._folded = fold(self.text)
        return self._folded

    def find(self, words: str) -> tuple[int, int] | None:
        """The first span that says `words` verbatim, up to white space, case and unicode form; None where none does."""
        start = self.text.find(words)
        if start >= 0 and words:
            return start, start + len(words)
        needle = fold_text(words)
        start = self.folded.text.find(needle)
        return self.folded.origin(start, start + len(needle)) if start >= 0 and needle else None

    def place(self, words: str) -> tuple[int, int] | None:
        """Like `find`, else the span most alike; remembered, as the same chunk is retrieved many times."""
        if words not in self._known:
            self._known[words] = self.find(words) or self._place_alike(words)
        return self._known[words]

    def _place_alike(self, words: str) -> tuple[int, int] | None:
        span = find_alike(fold_text(words), self.folded.text)
        return None if span is None else self.folded.origin(*span)
