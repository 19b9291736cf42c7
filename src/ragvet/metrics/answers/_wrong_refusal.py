"""Refused where it should have answered."""

from __future__ import annotations

from ragvet.metrics.answers._behaviour import BEHAVIOUR_UNDEFINED_WHEN, observed
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["WRONG_REFUSAL"]

WRONG_REFUSAL = AnswerMetric(
    MetricDeclaration(
        name="wrong_refusal",
        version=1,
        title="Refused where it should have answered.",
        direction="lower",
        applies_to="cases expected to be answered",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=BEHAVIOUR_UNDEFINED_WHEN,
        does_not_catch=(
            "Whose fault it was: split by evidence in wrong_refusal_with_evidence and wrong_refusal_without_evidence."
        ),
        formula="1 if the system refused, else 0",
        reference="ragvet",
    ),
    measure=observed("refused"),
)
