"""How much of each gold passage retrieved chunks hold, and which chunk carries which, whatever the chunking.

For each passage the most exact of what it says decides what a chunk holds of it:

1. ``chunk_ids``: one of the chunks, if it is one of them.
2. ``start``/``end``: the characters of its range in the same document version.
3. ``quote``: all of it, if its text says it; else the characters of it, found in the document or cut by its border.
4. else the document: all of it, if the chunk comes from it.

The *share reached* of a passage is what the chunks of a ranking hold of it together. A chunk carries a passage if it is
one of its chunks; a passage marked otherwise if it holds `overlap` of it, or brings the share to that with the chunks
above it. A passage is *found* where the share is 1 for chunks, `overlap` for characters. Versions are compared where
both sides state one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ragvet.dataset._corpus import Corpus
from ragvet.dataset._places import Span, cuts_number, find_alike, find_uncut
from ragvet.records import DocumentVersion, Passage, RetrievedItem
from ragvet.text import fold_text

_folded = lru_cache(maxsize=2048)(fold_text)

Parts = tuple[tuple[Fraction, Fraction], ...]
"""Stretches of a passage, from and to, as shares of its length."""

_ALL: Parts = ((Fraction(0), Fraction(1)),)
_TELLING = 16
"""So many characters of a quote at the border of a chunk are no chance; of a short quote, half of it."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What one item holds.

    Attributes:
        parts: gold passage, by its index → the stretches of it that the item holds.
        unplaced: gold passages of which nobody can know what it holds: they are marked by range or quote, and the item
            comes from their document but has neither a text nor a range that could be found there.
    """

    parts: Mapping[int, Parts]
    unplaced: tuple[int, ...] = ()

    def without(self, passages: frozenset[int]) -> Holding:
        """The same, some passages left aside."""
        parts = {number: parts for number, parts in self.parts.items() if number not in passages}
        return Holding(parts, tuple(number for number in self.unplaced if number not in passages))


class Gain(NamedTuple):
    """A passage, the share of it that is reached with an item and those above it, and whether that is found."""

    passage: int
    share: float
    found: bool


@dataclass(frozen=True, slots=True)
class Reached:
    """What a ranked item brings.

    Attributes:
        carries: the passages it carries.
        unplaced: those of which nobody can tell whether it carries them.
        gains: those of which more is reached with it than above it.
    """

    carries: tuple[int, ...]
    unplaced: tuple[int, ...]
    gains: tuple[Gain, ...]


def hold(passages: Sequence[Passage], items: Sequence[RetrievedItem], corpus: Corpus | None = None) -> list[Holding]:
    """What each item holds of the passages.

    An item without `doc_id` is taken for the document of its own id, if there is one; else only its text can show what
    it holds. An item with neither text nor range holds its whole document where `chunk_id` names the document, and
    otherwise only passages marked by chunk id or document.

    Args:
        passages: gold evidence of one case.
        items: what was retrieved for it.
        corpus: the documents; needed where a chunk carries text and the passage a range, or a quote is cut by a chunk.
    """
    matcher = _Matcher(corpus)
    return [
        Holding(
            {number: parts for number, passage in enumerate(passages) if (parts := matcher.parts(item, passage))},
            tuple(number for number, passage in enumerate(passages) if matcher.unknowable(item, passage)),
        )
        for item in items
    ]


def reach(passages: Sequence[Passage], ranking: Iterable[Holding], *, overlap: float = 0.5) -> list[Reached]:
    """What each item of a ranking brings, best first.

    Args:
        passages: gold evidence of one case.
        ranking: what each item holds of it.
        overlap: least share of a passage marked by characters that carries it, above 0 and at most 1.
    """
    if not 0 < overlap <= 1:
        raise ValueError(f"overlap must be above 0 and at most 1, not {overlap}")
    whole = [overlap if not passage.chunk_ids else 1.0 for passage in passages]
    known: dict[int, Parts] = {}
    opened: set[int] = set()
    reached: list[Reached] = []
    for holding in ranking:
        carries, unplaced, gains = list[int](), set(holding.unplaced), list[Gain]()
        for number, parts in holding.parts.items():
            before, known[number] = _share(known.get(number, ())), _joined(known.get(number, ()), parts)
            share = _share(known[number])
            if share > before:
                gains.append(Gain(number, share, share >= whole[number]))
            if passages[number].chunk_ids or _share(parts) >= overlap:
                carries.append(number)
            elif before < overlap and number in opened:
                unplaced.add(number)  # what stands above may hold the rest, or all of it
            elif before < overlap <= share:
                carries.append(number)
        opened.update(holding.unplaced)
        reached.append(Reached(tuple(carries), tuple(sorted(unplaced)), tuple(gains)))
    return reached


def anchor(
    passages: Sequence[Passage], items: Sequence[RetrievedItem], corpus: Corpus | None = None, *, overlap: float = 0.5
) -> list[tuple[int, ...]]:
    """For each item of a ranking, the indexes of the passages it carries.

    >>> gold = [Passage(doc_id="terms", quote="within 30 days")]
    >>> said = RetrievedItem(chunk_id="a", doc_id="terms", text="Return it  within 30 days.")
    >>> anchor(gold, [said, RetrievedItem(chunk_id="b")])
    [(0,), ()]

    Args:
        passages: gold evidence of one case.
        items: what was retrieved for it, best first.
        corpus: see `hold`.
        overlap: see `reach`.
    """
    return [one.carries for one in reach(passages, hold(passages, items, corpus), overlap=overlap)]


class _Matcher:
    """The rules, over one corpus."""

    def __init__(self, corpus: Corpus | None) -> None:
        self._corpus = corpus

    def parts(self, item: RetrievedItem, passage: Passage) -> Parts:
        if passage.chunk_ids:
            return _one_of(item.chunk_id, passage.chunk_ids)
        same = _same_document(item, passage)
        if same is False:
            return ()
        if same is None:
            return _said(item.text, passage.quote, alone=False)
        if _is_whole_document(item, passage) or (passage.start is None and passage.quote is None):
            return _ALL
        return self._covered(item, passage)

    def _covered(self, item: RetrievedItem, passage: Passage) -> Parts:
        """The same document is given; what does this part of it hold of the passage?"""
        document = self._document(item, passage)
        said = _said(item.text, passage.quote, alone=document is None)
        if passage.start is None and said:
            return said
        place = self._passage_span(passage, document)
        chunk = self._item_span(item, document)
        if place is None or chunk is None:
            return said
        start, end = max(chunk[0], place[0]), min(chunk[1], place[1])
        return _stretch(start - place[0], end - place[0], place[1] - place[0])

    def unknowable(self, item: RetrievedItem, passage: Passage) -> bool:
        if passage.chunk_ids or (passage.start is None and passage.quote is None):
            return False
        if _same_document(item, passage) is not True or _is_whole_document(item, passage):
            return False
        if passage.quote and item.text:
            return False
        document = self._document(item, passage)
        return self._item_span(item, document) is None or self._passage_span(passage, document) is None

    def _document(self, item: RetrievedItem, passage: Passage) -> DocumentVersion | None:
        if self._corpus is None:
            return None
        document = self._corpus.get(passage.doc_id, passage.doc_version or item.doc_version)
        return document if document is not None and document.text else None

    def _passage_span(self, passage: Passage, document: DocumentVersion | None) -> Span | None:
        if passage.start is not None and passage.end is not None:
            return passage.start, passage.end
        if passage.quote is None or document is None or self._corpus is None:
            return None
        return self._corpus.placed_text(document).find(passage.quote)

    def _item_span(self, item: RetrievedItem, document: DocumentVersion | None) -> Span | None:
        if item.start is not None:
            end = item.end if item.end is not None else item.start + len(item.text or "")
            return (item.start, end) if end > item.start else None
        if not item.text or document is None or self._corpus is None:
            return None
        return self._corpus.placed_text(document).place(item.text)


def _same_document(item: RetrievedItem, passage: Passage) -> bool | None:
    """None: the item does not say which document it is from."""
    if item.doc_id is None:
        return True if item.chunk_id == passage.doc_id else None
    if item.doc_id != passage.doc_id:
        return False
    return item.doc_version is None or passage.doc_version is None or item.doc_version == passage.doc_version


def _is_whole_document(item: RetrievedItem, passage: Passage) -> bool:
    return item.chunk_id == passage.doc_id and not item.text and item.start is None


def _one_of(chunk_id: str, chunk_ids: Sequence[str]) -> Parts:
    if chunk_id not in chunk_ids:
        return ()
    place = chunk_ids.index(chunk_id)
    return _stretch(place, place + 1, len(chunk_ids))


def _said(text: str | None, quote: str | None, *, alone: bool) -> Parts:
    """What of the quote the chunk's own text says; `alone`, a part or a near copy counts too."""
    if not text or not quote:
        return ()
    if find_uncut(quote, text) >= 0:
        return _ALL
    quote, text = _folded(quote), _folded(text)
    if find_uncut(quote, text) >= 0:
        return _ALL
    return _said_in_part(quote, text) if alone and quote and text else ()


def _said_in_part(quote: str, text: str) -> Parts:
    """What of a quote a text says that does not say it as it stands, both folded."""
    inside = quote.find(text)
    if inside >= 0:
        return _stretch(inside, inside + len(text), len(quote))
    return _ALL if find_alike(quote, text) is not None else _cut(quote, text)


def _cut(quote: str, text: str) -> Parts:
    """What of the quote stands at the edges of the chunk, whose border cuts it."""
    least = min(_TELLING, math.ceil(len(quote) / 2))
    at_end, at_start = _joint(text, quote, least), _joint(quote, text, least)
    begun = at_end > 0 and not cuts_number(text, len(text) - at_end)
    ended = at_start > 0 and not cuts_number(text, at_start)
    return _joined(
        _stretch(0, at_end, len(quote)) if begun else (),
        _stretch(len(quote) - at_start, len(quote), len(quote)) if ended else (),
    )


def _stretch(start: int, end: int, length: int) -> Parts:
    return ((Fraction(start, length), Fraction(end, length)),) if end > start else ()


def _joined(some: Parts, more: Parts) -> Parts:
    """The stretches of both, what touches as one."""
    joined: list[tuple[Fraction, Fraction]] = []
    for start, end in sorted((*some, *more)):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


def _share(parts: Parts) -> float:
    """How much of the passage stretches that do not overlap are."""
    return float(sum(end - start for start, end in parts))


def _joint(left: str, right: str, least: int) -> int:
    """How long an end of `left` is that is a beginning of `right`; 0 where none is as long as `least`."""
    position = left.find(right[:least], max(0, len(left) - len(right)))
    while position >= 0:
        if right.startswith(left[position:]):
            return len(left) - position
        position = left.find(right[:least], position + 1)
    return 0
