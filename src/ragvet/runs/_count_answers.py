"""Scores of answers, a piece of a run at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from ragvet.metrics.answers import REGISTRY, Condition, Evidence, score_case
from ragvet.records import Bounded, Case, Failed, Score, Scored, Trace, Undefined
from ragvet.records.verdict_rows import from_tables
from ragvet.runs._frames import SCORES
from ragvet.runs._journal import Key

__all__ = ["AnswerCounting", "score_frame"]

_ScoreRow = tuple[
    str, int, str, int, str,
    float | None, float | None, float | None, bool, str | None, float | None, float | None,
]  # fmt: skip


@dataclass(frozen=True)
class AnswerCounting:
    """Scores answers, a piece of the run at a time.

    Attributes:
        judged: whether there was a judge; without one only metrics that need no verdict are counted.
        supplied_k: the depth whose chunks count as before the model where the target does not report what it supplied.
        validated: what the project declared an answer must satisfy to count as validated.
    """

    judged: bool
    supplied_k: int
    validated: tuple[Condition, ...] = ()

    def scores(
        self, items: Sequence[tuple[Case, Trace]], tables: Mapping[str, pl.DataFrame], rankings: pl.DataFrame
    ) -> pl.DataFrame:
        """Every answer metric each of these items is eligible for.

        Args:
            items: cases with their traces.
            tables: the verdict tables about them.
            rankings: theirs.
        """
        evidence = _evidence(rankings, self.supplied_k)
        judged = {one.key: one for one in from_tables(tables, [trace for _, trace in items])}
        metrics = REGISTRY.values() if self.judged else [metric for metric in REGISTRY.values() if not metric.judged]
        return score_frame(
            score
            for case, trace in items
            for score in score_case(
                case,
                trace,
                judged.get(trace.key),
                evidence=evidence.get(trace.key, Evidence({}, frozenset())),
                validated=self.validated,
                metrics=metrics,
            )
        )


def _evidence(rankings: pl.DataFrame, supplied_k: int) -> dict[Key, Evidence]:
    """The grade of each ranked chunk, the same in every view, and which of them stand before the depth."""
    grades: defaultdict[Key, dict[str, int]] = defaultdict(dict)
    within: defaultdict[Key, set[str]] = defaultdict(set)
    for case_id, repeat, view, rank, chunk_id, grade in rankings.select(
        "case_id", "repeat", "view", "rank", "chunk_id", "grade"
    ).iter_rows():
        key = case_id, repeat
        grades[key][chunk_id] = grade
        if view == "union" and rank <= supplied_k:
            within[key].add(chunk_id)
    return {key: Evidence(found, frozenset(within[key])) for key, found in grades.items()}


def score_frame(scores: Iterable[Score]) -> pl.DataFrame:
    """The scores as a frame."""
    return pl.DataFrame([_row(score) for score in scores], schema=SCORES, orient="row")


def _row(score: Score) -> _ScoreRow:
    head = (score.case_id, score.repeat, score.metric, score.version, score.outcome.status)
    match score.outcome:
        case Scored(value=value, numerator=numerator, denominator=denominator):
            return (*head, value, value, value, False, None, numerator, denominator)
        case Bounded(low=low, high=high, reason=reason, may_drop=may_drop):
            return (*head, None, low, high, may_drop, reason, None, None)
        case Undefined(reason=reason):
            return (*head, None, None, None, False, reason, None, None)
        case Failed(error=error):  # what follows the kind may quote a document: it stays with the traces
            return (*head, None, None, None, False, error.partition(":")[0], None, None)
