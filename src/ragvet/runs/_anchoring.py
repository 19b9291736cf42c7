from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ragvet.dataset import Corpus, anchor, unplaced
from ragvet.records import Answer, Case, JudgmentScope, Passage, RetrievalCall, RetrievedItem, Trace

__all__ = ["Anchoring", "RankedRow", "unit_of"]

UNJUDGED = -1

RankedRow = tuple[str, int, str, int, str, str | None, float | None, int, bool, list[int], bool | None]
"""A row of the `rankings` frame."""


@dataclass(frozen=True)
class Anchoring:
    """Turns what was retrieved into graded rankings: the join of chunks with gold evidence.

    Attributes:
        scope: what a chunk is that carries no passage: non-relevant under `exhaustive`, else unjudged.
        overlap: share of a passage a chunk must hold to carry it.
        stale: case → indexes of its passages that the corpus no longer bears out; no chunk carries them.
    """

    corpus: Corpus | None
    scope: JudgmentScope | None
    overlap: float
    stale: Mapping[str, frozenset[int]] = field(default_factory=dict[str, frozenset[int]])

    def rows(self, case: Case, trace: Trace) -> Iterator[RankedRow]:
        """The rankings of one trace: `union` over its calls, `last` where there are several, `supplied` if reported."""
        if trace.answer is None:
            return
        supplied = trace.answer.supplied
        seen_by_model = None if supplied is None else {item.chunk_id for item in supplied}
        for view, items in _views(trace.answer):
            graded = self._graded(case, items)
            for rank, (item, (grade, repeats, passages)) in enumerate(zip(items, graded, strict=True), start=1):
                shown = None if seen_by_model is None else item.chunk_id in seen_by_model
                yield (
                    trace.case_id, trace.repeat, view, rank, item.chunk_id, item.doc_id, item.score,
                    grade, repeats, list(passages), shown,
                )  # fmt: skip

    def _graded(self, case: Case, items: Sequence[RetrievedItem]) -> Iterator[tuple[int, bool, tuple[int, ...]]]:
        """Grade, whether it only repeats evidence, and the passages carried, for each item in rank order."""
        passages, stale = case.reference_passages, self.stale.get(case.id, frozenset())
        unknowable = set(unplaced(passages, items, self.corpus))
        reached: set[object] = set()
        for index, carried in enumerate(anchor(passages, items, self.corpus, overlap=self.overlap)):
            indexes = tuple(number for number in carried if number not in stale)
            relevant = [number for number in indexes if passages[number].grade > 0]
            fresh = [number for number in relevant if unit_of(passages, number) not in reached]
            reached |= {unit_of(passages, number) for number in fresh}
            if relevant:
                yield max(passages[number].grade for number in fresh or relevant), not fresh, indexes
            elif indexes or (self.scope == "exhaustive" and index not in unknowable):
                yield 0, False, indexes
            else:
                yield UNJUDGED, False, indexes


def unit_of(passages: Sequence[Passage], index: int) -> object:
    """What counts once: the passage, or the group of alternatives it belongs to."""
    group = passages[index].any_of
    return index if group is None else ("any_of", group)


def _views(answer: Answer) -> Iterator[tuple[str, Sequence[RetrievedItem]]]:
    if answer.retrievals:
        yield "union", _first_appearances(item for call in answer.retrievals for item in _in_order(call))
    if len(answer.retrievals) > 1:
        yield "last", _in_order(answer.retrievals[-1])
    if answer.supplied is not None:
        yield "supplied", _first_appearances(answer.supplied)


def _in_order(call: RetrievalCall) -> Sequence[RetrievedItem]:
    """The final order of a call and, below it, what its reranker dropped: the deeper depth looks there."""
    return call.items if call.reranked is None else _first_appearances((*call.reranked, *call.items))


def _first_appearances(items: Iterable[RetrievedItem]) -> list[RetrievedItem]:
    first: dict[str, RetrievedItem] = {}
    for item in items:
        first.setdefault(item.chunk_id, item)
    return list(first.values())
