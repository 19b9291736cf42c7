from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from ragvet.metrics.answers import REGISTRY, Condition, Evidence, score_case
from ragvet.records import Bounded, Case, Failed, JudgeFailure, Score, Scored, Trace, Undefined, Verdicts
from ragvet.runs._anchoring import RankedRow
from ragvet.runs._frames import SCORES

__all__ = ["AnswerCounting", "score_frame"]

_ScoreRow = tuple[
    str, int, str, int, str,
    float | None, float | None, float | None, bool, str | None, float | None, float | None,
]  # fmt: skip


@dataclass(frozen=True)
class AnswerCounting:
    """Scores answers one by one.

    Attributes:
        judged: whether there was a judge; without one only metrics that need no verdict are counted.
        supplied_k: the depth whose chunks count as before the model where the target does not report what it supplied.
        validated: what the project declared an answer must satisfy to count as validated.
    """

    judged: bool
    supplied_k: int
    validated: tuple[Condition, ...] = ()

    def scores(
        self, case: Case, trace: Trace, verdicts: Verdicts | JudgeFailure | None, ranked: Iterable[RankedRow]
    ) -> list[Score]:
        """Every answer metric the case is eligible for."""
        grades: dict[str, int] = {}  # the same in every view
        within: set[str] = set()
        for _, _, view, rank, chunk_id, _, _, grade, *_ in ranked:
            grades[chunk_id] = grade
            if view == "union" and rank <= self.supplied_k:
                within.add(chunk_id)
        evidence = Evidence(grades, frozenset(within))
        metrics = REGISTRY.values() if self.judged else [metric for metric in REGISTRY.values() if not metric.judged]
        return score_case(case, trace, verdicts, evidence=evidence, validated=self.validated, metrics=metrics)


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
