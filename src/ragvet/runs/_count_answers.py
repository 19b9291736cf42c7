"""Scores of answers, a piece of a run at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from ragvet.metrics.answers import REGISTRY, AnswerMetric, ChunkGrades, Condition, score_batch
from ragvet.records import Case, Trace
from ragvet.runs._journal import Key

__all__ = ["AnswerCounting"]


@dataclass(frozen=True)
class AnswerCounting:
    """Scores answers, a piece of the run at a time.

    Attributes:
        judged: whether there was a judge; without one only metrics that need no verdict are counted.
        supplied_k: the depth whose chunks count as before the model where the target does not report what it supplied.
        validated: what the project declared an answer must satisfy to count as validated.
        cites: whether the target cites what it says; None: unknown.
    """

    judged: bool
    supplied_k: int
    validated: tuple[Condition, ...] = ()
    cites: bool | None = None

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
        return score_batch(
            items,
            tables,
            evidence=evidence,
            validated=self.validated,
            cites=self.cites,
            judge=self.judged,
            metrics=[metric for metric in REGISTRY.values() if self.judged or self._without_judge(metric)],
        )

    def _without_judge(self, metric: AnswerMetric) -> bool:
        """Whether a metric says something where nobody judges."""
        if metric.of_validated and any(one.metric.judged and not one.metric.told for one in self.validated):
            return False
        return metric.told or not metric.judged


def _evidence(rankings: pl.DataFrame, supplied_k: int) -> dict[Key, ChunkGrades]:
    """The best grade of each ranked chunk in any view, which stand before the depth, and who may read them."""
    found: dict[Key, ChunkGrades] = {}
    within: defaultdict[Key, set[str]] = defaultdict(set)
    grades: defaultdict[Key, dict[str, int]] = defaultdict(dict)
    permitted: defaultdict[Key, dict[str, bool | None]] = defaultdict(dict)
    columns = ("case_id", "repeat", "view", "rank", "chunk_id", "grade", "permitted")
    for case_id, repeat, view, rank, chunk_id, grade, may_read in rankings.select(columns).iter_rows():
        key = case_id, repeat
        grades[key][chunk_id] = max(grade, grades[key].get(chunk_id, grade))
        permitted[key][chunk_id] = may_read
        if view == "union" and rank <= supplied_k:
            within[key].add(chunk_id)
    for key, graded in grades.items():
        found[key] = ChunkGrades(graded, frozenset(within[key]), permitted[key])
    return found
