"""Answered where it should have asked back."""

from __future__ import annotations

from ragvet.metrics.answers._behaviour import BEHAVIOUR_UNDEFINED_WHEN, observed
from ragvet.metrics.answers._metric import AnswerMetric, expects_clarification
from ragvet.records import MetricDeclaration

__all__ = ["MISSED_CLARIFICATION"]

MISSED_CLARIFICATION = AnswerMetric(
    MetricDeclaration(
        name="missed_clarification",
        version=1,
        title="Answered where it should have asked back.",
        direction="lower",
        applies_to="cases expected to be clarified",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=BEHAVIOUR_UNDEFINED_WHEN,
        does_not_catch="Refusing or routing instead of asking back; a question back that asks the wrong thing.",
        formula="1 if the system answered, else 0",
        reference="ragvet",
    ),
    measure=observed("answered"),
    applies=expects_clarification,
)
