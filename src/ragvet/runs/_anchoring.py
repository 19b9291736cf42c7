"""The join of what was retrieved with gold evidence: graded rankings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from ragvet.dataset import Corpus, Gain, Holding, Standing, hold, reach
from ragvet.records import Answer, Case, JudgmentScope, Passage, RetrievalCall, RetrievedItem, Trace
from ragvet.runs._frames import RANKINGS

__all__ = ["Anchoring", "expected_passages", "grade_of", "unit_of"]

UNJUDGED = -1

_RankedRow = tuple[
    str,
    int,
    str,
    int,
    str,
    str | None,
    float | None,
    int,
    bool,
    tuple[int, ...],
    tuple[int, ...],
    tuple[Gain, ...],
    bool | None,
    bool | None,
]
"""A row of the `rankings` frame."""


@dataclass(frozen=True)
class Anchoring:
    """Turns what was retrieved into graded rankings: the join of chunks with gold evidence.

    Attributes:
        scope: what a chunk is that carries no passage: non-relevant under `exhaustive`, else unjudged.
        overlap: share of a passage marked by characters that carries it.
        standings: case → how its passages stand. What is stale no chunk carries; what the caller may not read is no
            evidence: a chunk that carries it takes its place and is not relevant.
    """

    corpus: Corpus | None
    scope: JudgmentScope | None
    overlap: float
    standings: Mapping[str, Standing] = field(default_factory=dict[str, Standing])

    def frame(self, items: Iterable[tuple[Case, Trace]]) -> pl.DataFrame:
        """The `rankings` of these items: `union` over calls, `last` where there are several, `supplied` if reported."""
        rows = [row for case, trace in items for row in self._rows(case, trace)]
        columns = zip(*rows, strict=True) if rows else ((),) * len(RANKINGS)
        series = zip(RANKINGS.items(), columns, strict=True)
        return pl.DataFrame([_series(name, values, kind) for (name, kind), values in series])

    def _rows(self, case: Case, trace: Trace) -> Iterator[_RankedRow]:
        if trace.answer is None:
            return
        views = _views(trace.answer)
        items = _first_appearances(item for _, items in views for item in items)
        passages = expected_passages(case, self._standing(case))
        held = self._held(case, items)
        supplied = trace.answer.supplied
        seen_by_model = None if supplied is None else {item.chunk_id for item in supplied}
        for view, items in views:
            found = reach(passages, (held[item.chunk_id] for item in items), overlap=self.overlap)
            ranking = [(one.carries, one.unplaced) for one in found]
            graded = self._graded(passages, ranking, vouched=not case.unmarked)
            for rank, (item, one, (grade, redundant)) in enumerate(zip(items, found, graded, strict=True), start=1):
                shown = None if seen_by_model is None else item.chunk_id in seen_by_model
                yield (
                    trace.case_id, trace.repeat, view, rank, item.chunk_id, item.doc_id, item.score,
                    grade, redundant, one.carries, one.unplaced, one.gains, shown,
                    self._permitted(case, item),
                )  # fmt: skip

    def _standing(self, case: Case) -> Standing:
        return self.standings.get(case.id, Standing())

    def _permitted(self, case: Case, item: RetrievedItem) -> bool | None:
        """Whether the caller may read the document of the chunk; None: nothing is stated about one of the two."""
        if self.corpus is None or case.identity is None:
            return None
        document = self.corpus.get(item.doc_id or item.chunk_id, item.doc_version)  # a bare id is that of a document
        return None if document is None else document.readable_by(case.identity)

    def _held(self, case: Case, items: Sequence[RetrievedItem]) -> dict[str, Holding]:
        """Chunk id → what the chunk holds of the passages the corpus still bears out."""
        stale = self._standing(case).stale
        held = hold(case.reference_passages, items, self.corpus)
        return {item.chunk_id: one.without(stale) for item, one in zip(items, held, strict=True)}

    def _graded(
        self,
        passages: Sequence[Passage],
        ranking: Iterable[tuple[Sequence[int], Sequence[int]]],
        *,
        vouched: bool = True,
    ) -> Iterator[tuple[int, bool]]:
        """Grade, and whether it only repeats evidence, for each chunk in rank order: what it carries and may carry."""
        # nobody vouches for a list that is not yet written
        unlisted = 0 if vouched and self.scope == "exhaustive" else UNJUDGED
        reached: set[object] = set()
        for carried, maybe in ranking:
            if not carried:
                yield UNJUDGED if maybe else unlisted, False
                continue
            relevant = [number for number in carried if passages[number].grade > 0]
            fresh = [number for number in relevant if unit_of(passages, number) not in reached]
            reached.update(unit_of(passages, number) for number in fresh)
            grade = max((grade_of(passages, number) for number in fresh or relevant), default=0)
            yield grade, bool(relevant) and not fresh


def expected_passages(case: Case, stands: Standing) -> tuple[Passage, ...]:
    """The gold passages as they count: those the caller may not read are nothing to be found."""
    if not stands.denied:
        return case.reference_passages
    return tuple(
        passage.model_copy(update={"grade": 0}) if index in stands.denied else passage
        for index, passage in enumerate(case.reference_passages)
    )


def _series(name: str, values: Sequence[Any], kind: pl.DataType) -> pl.Series:
    """A column; lists are put together from their flat members, which Polars makes many times faster than lists."""
    if not isinstance(kind, pl.List):
        return pl.Series(name, values, kind)
    flat = list(chain.from_iterable(values))
    member = pl.Series(name, flat, kind.inner) if not isinstance(kind.inner, pl.Struct) else _structs(flat, kind.inner)
    place = np.repeat(np.arange(len(values), dtype=np.uint32), [len(one) for one in values])
    lists = pl.DataFrame({"place": place, name: member.rename(name)}).group_by("place", maintain_order=True).agg(name)
    whole = pl.DataFrame({"place": np.arange(len(values), dtype=np.uint32)})
    joined = whole.join(lists, on="place", how="left", maintain_order="left")
    return joined.select(pl.coalesce(name, pl.lit(pl.Series(name, [[]], kind))))[name]


def _structs(rows: Sequence[Sequence[Any]], kind: pl.Struct) -> pl.Series:
    """Tuples as structs, field by field."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(kind.fields)
    fields = zip(kind.fields, columns, strict=True)
    return pl.DataFrame([pl.Series(field.name, values, field.dtype) for field, values in fields]).to_struct()


def unit_of(passages: Sequence[Passage], index: int) -> object:
    """What counts once: the passage, or the group of alternatives it belongs to."""
    group = passages[index].any_of
    return index if group is None else ("any_of", group)


def grade_of(passages: Sequence[Passage], index: int) -> int:
    """What the passage is worth where it is found: one of several alternatives as much as the best of them.

    Else what there is to find, and whether there is anything at some level, would hang on which of them was found.
    """
    passage = passages[index]
    if passage.any_of is None or passage.grade == 0:
        return passage.grade
    return max(other.grade for other in passages if other.any_of == passage.any_of)


def _views(answer: Answer) -> list[tuple[str, Sequence[RetrievedItem]]]:
    views: list[tuple[str, Sequence[RetrievedItem]]] = []
    if answer.retrievals:
        views.append(("union", _first_appearances(item for call in answer.retrievals for item in _in_order(call))))
    if len(answer.retrievals) > 1:
        views.append(("last", _in_order(answer.retrievals[-1])))
    if answer.supplied is not None:
        views.append(("supplied", _first_appearances(answer.supplied)))
    return views


def _in_order(call: RetrievalCall) -> Sequence[RetrievedItem]:
    """The final order of a call and, below it, what its reranker dropped: the deeper depth looks there."""
    return call.items if call.reranked is None else _first_appearances((*call.reranked, *call.items))


def _first_appearances(items: Iterable[RetrievedItem]) -> list[RetrievedItem]:
    first: dict[str, RetrievedItem] = {}
    for item in items:
        first.setdefault(item.chunk_id, item)
    return list(first.values())
