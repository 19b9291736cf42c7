"""Which gold passages a retrieved chunk carries, whatever the chunking.

For each passage the most exact of what it says decides:

1. ``chunk_ids``: the chunk is one of them.
2. ``start``/``end``: the chunk's range in the same document version overlaps it.
3. ``quote``: the chunk's text says it; or both are found in the document and their ranges overlap.
4. else the document: the chunk comes from it.

*Overlap* is the share of the shorter of the two ranges that both cover. A chunk inside a passage overlaps it by 1, so
does a chunk around it; neither small nor large chunks are favoured. Versions are compared where both sides state one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from ragvet.dataset._corpus import Corpus
from ragvet.dataset._places import Span, cuts_number, find_alike, find_uncut
from ragvet.records import DocumentVersion, Passage, RetrievedItem
from ragvet.text import fold_text

_folded = lru_cache(maxsize=2048)(fold_text)


def anchor(
    passages: Sequence[Passage], items: Sequence[RetrievedItem], corpus: Corpus | None = None, *, overlap: float = 0.5
) -> list[tuple[int, ...]]:
    """For each item, the indexes of the passages it carries.

    An item without `doc_id` is taken for the document of its own id, if there is one; else only its text can show what
    it carries. An item with neither text nor range carries what its whole document carries where `chunk_id` names the
    document, and otherwise only passages marked by chunk id or document: see `unplaced`.

    >>> gold = [Passage(doc_id="terms", quote="within 30 days")]
    >>> said = RetrievedItem(chunk_id="a", doc_id="terms", text="Return it  within 30 days.")
    >>> anchor(gold, [said, RetrievedItem(chunk_id="b")])
    [(0,), ()]

    Args:
        passages: gold evidence of one case.
        items: what was retrieved for it.
        corpus: the documents; needed where a chunk carries text and the passage a range, or a quote is cut by a chunk.
        overlap: least share of the shorter range that both must cover, above 0 and at most 1.
    """
    if not 0 < overlap <= 1:
        raise ValueError(f"overlap must be above 0 and at most 1, not {overlap}")
    matcher = _Matcher(corpus, overlap)
    return [tuple(index for index, passage in enumerate(passages) if matcher.carries(item, passage)) for item in items]


def unplaced(
    passages: Sequence[Passage], items: Sequence[RetrievedItem], corpus: Corpus | None = None
) -> list[tuple[int, ...]]:
    """For each item, the indexes of the passages of which nobody can know whether it carries them.

    Such a passage is marked by range or quote, and the item comes from its document but has neither a text nor a range
    that could be found there. What carries none for sure is then unjudged, not non-relevant.
    """
    matcher = _Matcher(corpus, overlap=1.0)
    return [
        tuple(index for index, passage in enumerate(passages) if matcher.unknowable(item, passage)) for item in items
    ]


class _Matcher:
    """The rules, over one corpus and one overlap."""

    def __init__(self, corpus: Corpus | None, overlap: float) -> None:
        self._corpus = corpus
        self._overlap = overlap

    def carries(self, item: RetrievedItem, passage: Passage) -> bool:
        if passage.chunk_ids:
            return item.chunk_id in passage.chunk_ids
        same = _same_document(item, passage)
        if same is False:
            return False
        if same is None:
            return self._says(item.text, passage.quote, alone=False)
        if _is_whole_document(item, passage) or (passage.start is None and passage.quote is None):
            return True
        return self._covers(item, passage)

    def _covers(self, item: RetrievedItem, passage: Passage) -> bool:
        """The same document is given; does this part of it hold the passage?"""
        document = self._document(item, passage)
        if passage.start is None and self._says(item.text, passage.quote, alone=document is None):
            return True
        place = self._passage_span(passage, document)
        chunk = self._item_span(item, document)
        if place is not None and chunk is not None:
            return _share(chunk, place) >= self._overlap
        return passage.start is not None and self._says(item.text, passage.quote, alone=document is None)

    def unknowable(self, item: RetrievedItem, passage: Passage) -> bool:
        if passage.chunk_ids or (passage.start is None and passage.quote is None):
            return False
        if _same_document(item, passage) is not True or _is_whole_document(item, passage):
            return False
        if passage.quote and item.text:
            return False
        document = self._document(item, passage)
        return self._item_span(item, document) is None or self._passage_span(passage, document) is None

    def _says(self, text: str | None, quote: str | None, *, alone: bool) -> bool:
        """The chunk's own text says the quote; `alone`, a large part or a near copy is enough."""
        if not text or not quote:
            return False
        if find_uncut(quote, text) >= 0:
            return True
        quote, text = _folded(quote), _folded(text)
        if not quote or not text:
            return False
        if find_uncut(quote, text) >= 0:
            return True
        return alone and (text in quote or self._cut(quote, text) or find_alike(quote, text) is not None)

    def _cut(self, quote: str, text: str) -> bool:
        """Enough of the quote stands at an edge of the chunk, whose border cuts it."""
        least = max(1, math.ceil(self._overlap * min(len(quote), len(text))))
        at_end, at_start = _joint(text, quote, least), _joint(quote, text, least)
        return (at_end > 0 and not cuts_number(text, len(text) - at_end)) or (
            at_start > 0 and not cuts_number(text, at_start)
        )

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


def _share(one: Span, other: Span) -> float:
    """The share of the shorter span that both cover."""
    common = min(one[1], other[1]) - max(one[0], other[0])
    shorter = min(one[1] - one[0], other[1] - other[0])
    return common / shorter if shorter > 0 else 0.0


def _joint(left: str, right: str, least: int) -> int:
    """How long an end of `left` is that is a beginning of `right`; 0 where none is as long as `least`."""
    position = left.find(right[:least], max(0, len(left) - len(right)))
    while position >= 0:
        if right.startswith(left[position:]):
            return len(left) - position
        position = left.find(right[:least], position + 1)
    return 0
