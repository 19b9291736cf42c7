"""Where words stand in a text, whatever was done to their form on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from rapidfuzz import fuzz

from ragvet.text import Folded, fold, fold_text

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_POINTS = frozenset(".,")
_ALIKE = 90
"""Least similarity, out of 100, at which two spans count as the same words with slips."""

_RUN = 8
"""So many words in a row mostly stand at one place of a document only."""
_STRETCH = 1.25
"""The place of a changed text is at most so much longer than the text."""
_MOST = 0.5
"""Least share of a changed text's words between its first and last words known to the document."""

_PROBES = 256
"""At most about so many runs of a text are looked for to find the place it came from."""
_REMEMBERED = 10_000
"""Texts whose place in one document is remembered: all chunks of a long book."""

Span = tuple[int, int]


def find_uncut(words: str, text: str) -> int:
    """Where `text` first says `words` without cutting a number: `30 days` does not stand in `130 days`; else -1."""
    start = text.find(words) if words else -1
    while start >= 0 and (cuts_number(text, start) or cuts_number(text, start + len(words))):
        start = text.find(words, start + 1)
    return start


def cuts_number(text: str, position: int) -> bool:
    """Whether `position` parts a number: digits from digits, or from the fraction behind a point or comma."""
    before, after = text[max(0, position - 2) : position], text[position : position + 2]
    if before[-1:].isdigit():
        return after[:1].isdigit() or (after[:1] in _POINTS and after[1:].isdigit())
    return before[-1:] in _POINTS and before[:1].isdigit() and after[:1].isdigit()


def find_alike(words: str, text: str) -> Span | None:
    """Where folded `text` says `words` with slips: at least 90 % alike, and no number of `words` missing there."""
    if not words or len(words) > 2 * len(text):
        return None
    best = fuzz.partial_ratio_alignment(words, text, score_cutoff=_ALIKE)
    if best is None or best.src_end - best.src_start < len(words) * _ALIKE / 100:
        return None
    start, end = best.dest_start, best.dest_end
    while cuts_number(text, start):
        start -= 1
    while cuts_number(text, end):
        end += 1
    if not set(_NUMBER.findall(words)) <= set(_NUMBER.findall(text[start:end])):
        return None
    return start, end


class PlacedText:
    """A text in which quotes and chunks are looked up; what was found is remembered, as the same ones come often."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded: Folded | None = None
        self._known: dict[tuple[str, bool], Span | None] = {}

    @property
    def folded(self) -> Folded:
        """The folded text, made when first needed."""
        if self._folded is None:
            self._folded = fold(self.text)
        return self._folded

    def find(self, quote: str) -> Span | None:
        """The first span that says `quote` and cuts no number, verbatim up to white space, case and unicode form."""
        return self._remembered(quote, uncut=True)

    def place(self, chunk: str) -> Span | None:
        """The first span that says `chunk`, which may be cut anywhere; else where most of it stands."""
        return self._remembered(chunk, uncut=False)

    def _remembered(self, words: str, *, uncut: bool) -> Span | None:
        key = words, uncut
        if key not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[key] = self._span(words, find_uncut if uncut else _find) or (
                None if uncut else self._between_ends(fold_text(words))
            )
        return self._known[key]

    def _span(self, words: str, find: Callable[[str, str], int]) -> Span | None:
        start = find(words, self.text)
        if start >= 0:
            return start, start + len(words)
        needle = fold_text(words)
        start = find(needle, self.folded.text)
        return self.folded.span(start, start + len(needle)) if start >= 0 else None

    def _between_ends(self, needle: str) -> Span | None:
        """Where a text stands that was given a heading, or changed inside: from its first known words to its last."""
        text = self.folded.text
        words = needle.split(" ")
        runs = [" ".join(words[index : index + _RUN]) for index in range(len(words) - _RUN + 1)]
        anchor = self._telling(runs)
        if anchor is None:
            return None
        at = text.find(runs[anchor])
        before = sum(len(word) + 1 for word in words[:anchor])
        low = max(0, at - int(before * _STRETCH))
        high = at + int((len(needle) - before) * _STRETCH)
        first, start = next((i, at) for i, run in enumerate(runs) if (at := text.find(run, low, high)) >= 0)
        last, end = next((i, at) for i, run in _backwards(runs) if (at := text.rfind(run, start, high)) >= 0)
        if last + _RUN - first < len(words) * _MOST:
            return None
        return self.folded.span(start, end + len(runs[last]))

    def _telling(self, runs: Sequence[str]) -> int | None:
        """The index of a run that stands once in the text, else of one that stands there at all."""
        text = self.folded.text
        repeated = None
        for index in range(0, len(runs), (len(runs) // _PROBES) | 1):
            at = text.find(runs[index])
            if at >= 0 and text.find(runs[index], at + 1) < 0:
                return index
            if at >= 0 and repeated is None:
                repeated = index
        return repeated


def _find(words: str, text: str) -> int:
    return text.find(words) if words else -1


def _backwards(runs: Sequence[str]) -> Iterator[tuple[int, str]]:
    return ((index, runs[index]) for index in range(len(runs) - 1, -1, -1))
