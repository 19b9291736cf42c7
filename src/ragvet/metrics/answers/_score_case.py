"""Every metric that applies, on one answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ragvet.metrics.answers._evidence import Evidence
from ragvet.metrics.answers._metric import AnswerMetric, Condition, JudgedAnswer
from ragvet.metrics.answers._registry import REGISTRY
from ragvet.records import Case, Failed, JudgeFailure, Outcome, Score, Trace, Verdicts

__all__ = ["score_case"]

_NO_EVIDENCE = Evidence()


def score_case(
    case: Case,
    trace: Trace,
    verdicts: Verdicts | JudgeFailure | None,
    *,
    evidence: Evidence = _NO_EVIDENCE,
    validated: tuple[Condition, ...] = (),
    metrics: Iterable[AnswerMetric] | None = None,
) -> list[Score]:
    """One score per metric the case is eligible for, in the order of the registry.

    Args:
        case: what was asked and expected.
        trace: what the target did. Where it failed, every metric is `Failed` with the target's error.
        verdicts: what was judged about it. Where the judge failed, the metrics that need it are `Failed`.
        evidence: which of the trace's chunks carry annotated passages; without it what hangs on that stays open.
        validated: the declared conjunction behind `answer_quality` and `answer_success`.
        metrics: the metrics to compute; by default all.
    """
    measure = _measuring(case, trace, verdicts, evidence, validated)
    return [
        Score(
            metric=metric.name,
            version=metric.declaration.version,
            case_id=case.id,
            repeat=trace.repeat,
            outcome=measure(metric),
        )
        for metric in (REGISTRY.values() if metrics is None else metrics)
        if metric.applies(case)
    ]


def _measuring(
    case: Case,
    trace: Trace,
    verdicts: Verdicts | JudgeFailure | None,
    evidence: Evidence,
    validated: tuple[Condition, ...],
) -> Callable[[AnswerMetric], Outcome]:
    """How to get a metric's outcome: by measuring, or the failure that stands in its way."""
    if trace.answer is None:
        error = trace.error
        failed = Failed(error=f"{error.kind}: {error.message}" if error else "the trace holds no answer")
        return lambda _metric: failed
    if isinstance(verdicts, Verdicts):
        answer = JudgedAnswer(case, trace, trace.answer, verdicts, evidence, validated)
        return lambda metric: metric.measure(answer)
    unjudged = JudgedAnswer(case, trace, trace.answer, None, evidence, validated)
    failed = Failed(error=f"judge: {verdicts.error if verdicts else 'the answer was not judged'}")
    return lambda metric: failed if metric.judged else metric.measure(unjudged)
