"""Scores of retrieval, thousands of items at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.dataset import Standing
from ragvet.metrics.rankings import (
    EMPTY,
    NEVER,
    UNBOUNDED,
    Evidence,
    Metric,
    Rankings,
    Reach,
    Reason,
    Scores,
    Status,
    compute,
)
from ragvet.records import Case, JudgmentScope, Passage
from ragvet.runs._anchoring import expected_passages, grade_of, unit_of
from ragvet.runs._frames import SCORES, compact
from ragvet.runs._journal import Key
from ragvet.runs._unplaced import unsettle

__all__ = ["RetrievalItems", "retrieval_scores"]

_ITEMS_AT_ONCE = 10_000
"""Items counted together: what is made on the way takes a quarter of a gigabyte for fifty thousand."""
_WORDS = {reason.code: reason.words for reason in Reason}


@dataclass(frozen=True)
class RetrievalItems:
    """The items retrieval is scored on: those of cases with reference passages, by what became of them.

    Attributes:
        ranked: with a ranking, possibly an empty one.
        undefined: with nothing to measure, and why.
        failed: with an error instead of an answer, and its kind. Its message may quote a document: it stays with the
            traces.
    """

    ranked: Sequence[tuple[Case, int]]
    undefined: Mapping[Key, str]
    failed: Mapping[Key, str]
    standings: Mapping[str, Standing] = field(default_factory=dict[str, Standing])
    """Case → how its passages stand."""

    def standing(self, case: Case) -> Standing:
        """How the passages of a case stand."""
        return self.standings.get(case.id, Standing())

    def passages(self, case: Case) -> Sequence[Passage]:
        """The gold passages of a case as they count."""
        return expected_passages(case, self.standing(case))


def retrieval_scores(
    rankings: pl.LazyFrame, items: RetrievalItems, scope: JudgmentScope | None, metrics: Mapping[str, Metric]
) -> pl.DataFrame:
    """Every metric on every item, computed for thousands of items at once.

    Args:
        rankings: the rows of one view: `case_id, repeat, rank, grade, redundant, passages, unplaced, reached`.
        items: what to score.
        scope: what is known of chunks that carry no passage.
        metrics: printed name → metric.
    """
    top = max([1, *{passage.grade for case, _ in items.ranked for passage in case.reference_passages}])
    frames: dict[str, list[pl.DataFrame]] = {name: [] for name in metrics}
    for first in range(0, len(items.ranked), _ITEMS_AT_ONCE):
        piece = replace(items, ranked=items.ranked[first : first + _ITEMS_AT_ONCE])
        batch, keys = _batch(rankings, piece, scope, top=top), _keys(piece)
        for name, metric in metrics.items():
            scores = compute(metric, batch)
            scores = _for_want_of_a_place(scores) if scope == "exhaustive" else scores
            frames[name].append(compact(_frame(keys, name, metric, scores)))
    return pl.concat([compact(_without_value(items, metrics)), *chain.from_iterable(frames.values())])


def _for_want_of_a_place(scores: Scores) -> Scores:
    """The same, where nothing is unjudged but items nobody can place: that is the reason."""
    unjudged = [Reason.UNJUDGED_IN_WINDOW, Reason.UNJUDGED_ELSEWHERE, Reason.UNJUDGED_BOTH]
    open_ = np.isin(scores.reason, [reason.code for reason in unjudged])
    return replace(scores, reason=np.where(open_, np.uint8(Reason.UNPLACED.code), scores.reason))


def _keys(items: RetrievalItems) -> pl.DataFrame:
    rows = [(case.id, repeat) for case, repeat in items.ranked]
    return pl.DataFrame(rows, schema={"case_id": pl.String, "repeat": pl.UInt32}, orient="row")


def _batch(rankings: pl.LazyFrame, items: RetrievalItems, scope: JudgmentScope | None, *, top: int) -> Rankings:
    """The rankings of the items as one batch, in the order of the items; `top` is the highest grade of any."""
    keys = _keys(items).lazy().with_row_index("row")
    rows = rankings.join(keys, on=["case_id", "repeat"]).drop("case_id", "repeat").collect()
    row, place = rows["row"].to_numpy(), rows["rank"].to_numpy().astype(np.int64) - 1
    shape = (len(items.ranked), max(1, int(place.max(initial=0)) + 1))
    labels = np.full(shape, EMPTY, np.int8)
    labels[row, place] = rows["grade"].to_numpy()
    redundant = np.zeros(shape, np.bool_)
    redundant[row, place] = rows["redundant"].to_numpy()

    elsewhere = np.full(len(items.ranked), 0.0 if scope == "exhaustive" else UNBOUNDED)
    unsettled = unsettle(labels, redundant, rows, [items.passages(case) for case, _ in items.ranked])

    judged = np.zeros((len(items.ranked), top + 1), np.int64)
    grade = labels[row, place]
    counted = (grade >= 0) & ~redundant[row, place]
    np.add.at(judged, (row[counted], grade[counted]), 1)
    reaches = _Reaches(_first_ranks(rows, "passages"), _first_ranks(rows, "unplaced"), _steps(rows))
    evidence = _add_unreached(judged, elsewhere, items, reaches)
    completed, adds = _in_parts(labels, redundant, items, reaches)
    return Rankings(
        labels,
        judged,
        elsewhere,
        redundant,
        evidence,
        unsettled.unsure,
        unsettled.at_least,
        completed,
        adds,
        _chunk_ids(items, reaches),
        uncounted=scope == "exhaustive",
    )


class _Reaches(NamedTuple):
    """(row of the batch, passage) → the rank of the first chunk that carries it, and of the first that may.

    `steps` are the ranks at which more of it is reached, the share that is then, and whether that is found.
    """

    carried: Mapping[tuple[int, int], int]
    maybe: Mapping[tuple[int, int], int]
    steps: Mapping[tuple[int, int], Sequence[tuple[int, float, bool]]]

    def found(self, row: int, passage: int) -> int | None:
        """The rank from which on a passage counts as found."""
        return next((rank for rank, _, found in self.steps.get((row, passage), ()) if found), None)

    def of(self, row: int, number: int, passage: Passage) -> Reach:
        """Where a ranking reaches a passage."""
        steps = self.steps.get((row, number), ())
        return Reach(
            next((rank for rank, share, _ in steps if share == 1), None),
            passage.any_of,
            passage.all_of,
            self.maybe.get((row, number)),
            self.found(row, number),
            tuple((rank, share) for rank, share, _ in steps if share < 1),
        )


def _first_ranks(rows: pl.DataFrame, column: str) -> dict[tuple[int, int], int]:
    """(row of the batch, passage) → the rank of the first chunk in whose `column` it stands."""
    carried = rows.select("row", "rank", pl.col(column).alias("passage")).explode("passage").drop_nulls("passage")
    first = carried.group_by("row", "passage").agg(pl.col("rank").min())
    return {(row, passage): rank for row, passage, rank in first.iter_rows()}


def _steps(rows: pl.DataFrame) -> dict[tuple[int, int], list[tuple[int, float, bool]]]:
    """(row of the batch, passage) → the ranks at which more of it is reached, the share, and whether that is found."""
    gains = rows.select("row", "rank", "reached").explode("reached").drop_nulls("reached").unnest("reached")
    steps: dict[tuple[int, int], list[tuple[int, float, bool]]] = {}
    for row, rank, passage, share, found in gains.sort("rank").iter_rows():
        steps.setdefault((row, passage), []).append((rank, share, found))
    return steps


def _in_parts(
    labels: NDArray[np.int8], redundant: NDArray[np.bool_], items: RetrievalItems, reaches: _Reaches
) -> tuple[NDArray[np.int64] | None, NDArray[np.bool_] | None]:
    """`completed` and `adds` of the batch; None each where every passage is found with the first chunk of it."""
    own = np.broadcast_to(np.arange(1, labels.shape[1] + 1, dtype=np.int64), labels.shape)
    completed = own.copy()
    adds = np.zeros(labels.shape, np.bool_)
    for row, (case, _) in enumerate(items.ranked):
        passages = items.passages(case)
        found: dict[object, tuple[int, int, int]] = {}
        steps: dict[object, list[tuple[int, float, bool]]] = {}
        for number, passage in enumerate(passages):
            carried = reaches.carried.get((row, number))
            if passage.grade == 0 or carried is None:
                continue
            unit, whole = unit_of(passages, number), reaches.found(row, number) or NEVER
            first, least, _ = found.get(unit, (carried, whole, 0))
            found[unit] = min(first, carried), min(least, whole), grade_of(passages, number)
            steps.setdefault(unit, []).extend(reaches.steps.get((row, number), ()))
        for rank in chain.from_iterable(map(_growing, steps.values())):
            adds[row, rank - 1] = True
        later: dict[int, int] = {}
        for first, whole, grade in found.values():
            if grade == labels[row, first - 1]:
                later[first] = min(whole, later.get(first, NEVER))
        for first, whole in later.items():
            completed[row, first - 1] = max(whole, first)
    late, more = np.any(completed != own), np.any(adds & redundant)
    return completed if late else None, adds if more else None


def _chunk_ids(items: RetrievalItems, reaches: _Reaches) -> Evidence:
    """The rank at which each annotated chunk id stands, once for each passage that lists it."""
    queries: list[list[Reach]] = []
    for row, (case, _) in enumerate(items.ranked):
        ids: list[Reach] = []
        for number, passage in enumerate(items.passages(case)):
            if passage.grade == 0 or not passage.chunk_ids or number in items.standing(case).stale:
                continue
            steps = reaches.steps.get((row, number), ())
            ids += [Reach(rank) for rank, _, _ in steps]  # each chunk adds one id
            ids += [Reach(None)] * (len(passage.chunk_ids) - len(steps))
        queries.append(ids)
    return Evidence.from_passages(queries).settled()


def _growing(steps: Iterable[tuple[int, float, bool]]) -> Iterator[int]:
    """The ranks at which more of a unit is reached: of alternatives, more than of the best above."""
    most = 0.0
    for rank, share, _ in sorted(steps):
        if share > most:
            yield rank
            most = share


def _add_unreached(
    judged: NDArray[np.int64], elsewhere: NDArray[np.float64], items: RetrievalItems, first: _Reaches
) -> Evidence:
    """Counts the passages no chunk carries, each group of alternatives once; returns what was reached where.

    They are judged items that are not ranked; one that an unplaced chunk may carry is an unjudged one, lest it be
    counted beside the chunk.
    """
    evidence: list[list[Reach]] = []
    for row, (case, _) in enumerate(items.ranked):
        passages, stale = items.passages(case), items.standing(case).stale
        ranks = {number: first.carried.get((row, number)) for number in range(len(passages)) if number not in stale}
        maybe = {number: rank for number in ranks if (rank := first.maybe.get((row, number))) is not None}
        relevant = [number for number in ranks if passages[number].grade > 0]
        reached = {unit_of(passages, number) for number in relevant if ranks[number] is not None}
        graded = {unit_of(passages, number): grade_of(passages, number) for number in relevant}
        unreached = {unit: grade for unit, grade in graded.items() if unit not in reached}
        uncertain = {unit_of(passages, number) for number in maybe}
        elsewhere[row] += len(uncertain & unreached.keys())
        for grade in (grade for unit, grade in unreached.items() if unit not in uncertain):
            judged[row, grade] += 1
        judged[row, 0] += sum(passages[number].grade == 0 and rank is None for number, rank in ranks.items())
        evidence.append([first.of(row, number, passages[number]) for number in relevant])
    return Evidence.from_passages(evidence)


def _frame(keys: pl.DataFrame, name: str, metric: Metric, scores: Scores) -> pl.DataFrame:
    def numbers(values: NDArray[Any]) -> pl.Series:
        return pl.Series(values=values, dtype=pl.Float64, nan_to_null=True)

    statuses = {int(status): status.name for status in Status}
    return keys.with_columns(
        metric=pl.lit(name),
        version=pl.lit(metric.declaration.version, pl.UInt32),
        status=pl.Series(values=scores.status).replace_strict(statuses, return_dtype=pl.String),
        value=numbers(scores.value),
        low=numbers(scores.low),
        high=numbers(scores.high),
        may_drop=pl.Series(values=scores.may_drop),
        reason=pl.Series(values=scores.reason).replace_strict(_WORDS, return_dtype=pl.String),
        numerator=numbers(scores.numerator),
        denominator=numbers(scores.denominator),
    ).with_columns(pl.when(pl.col("status") != "scored").then("reason").alias("reason"))


def _without_value(items: RetrievalItems, metrics: Mapping[str, Metric]) -> pl.DataFrame:
    """Failed and undefined for every metric alike."""
    ends: Iterable[tuple[Key, str, str]] = [
        *((key, "failed", error) for key, error in items.failed.items()),
        *((key, "undefined", reason) for key, reason in items.undefined.items()),
    ]
    rows = [
        (*key, name, metric.declaration.version, status, None, None, None, False, reason, None, None)
        for (name, metric), (key, status, reason) in product(metrics.items(), ends)
    ]
    return pl.DataFrame(rows, schema=SCORES, orient="row")
