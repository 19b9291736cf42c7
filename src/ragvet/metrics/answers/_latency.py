"""Seconds from the question to the whole answer."""

from __future__ import annotations

from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer, every_case
from ragvet.records import MetricDeclaration, Outcome, Scored, Undefined

__all__ = ["LATENCY"]


def _measure(answer: JudgedAnswer) -> Outcome:
    if answer.trace.latency is None:
        return Undefined(reason="latency was not measured")
    return Scored(value=answer.trace.latency)


LATENCY = AnswerMetric(
    MetricDeclaration(
        name="latency",
        version=1,
        title="Seconds from the question to the whole answer.",
        direction="lower",
        high=None,
        applies_to="every case",
        needs="the caller's clock",
        undefined_when="latency was not measured",
        does_not_catch="The wait for the first word; load: it is measured at the run's own concurrency.",
        formula="seconds, as measured by the caller",
        reference="ragvet",
    ),
    measure=_measure,
    applies=every_case,
    judged=False,
)
