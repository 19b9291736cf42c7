"""Answered where it should have refused."""

from __future__ import annotations

from ragvet.metrics.answers._behaviour import BEHAVIOUR_UNDEFINED_WHEN, observed
from ragvet.metrics.answers._metric import AnswerMetric, expects_refusal
from ragvet.records import MetricDeclaration

__all__ = ["MISSED_REFUSAL"]

MISSED_REFUSAL = AnswerMetric(
    MetricDeclaration(
        name="missed_refusal",
        version=1,
        title="Answered where it should have refused.",
        direction="lower",
        applies_to="cases expected to be refused",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=BEHAVIOUR_UNDEFINED_WHEN,
        does_not_catch="Asking back or routing instead of refusing: see the behaviour matrix.",
        formula="1 if the system answered, else 0",
        reference="ragvet",
    ),
    measure=observed("answered"),
    applies=expects_refusal,
)
