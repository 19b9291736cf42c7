"""Handed over where it should have answered."""

from __future__ import annotations

from ragvet.metrics.answers._behaviour import BEHAVIOUR_UNDEFINED_WHEN, observed
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["WRONG_ROUTING"]

WRONG_ROUTING = AnswerMetric(
    MetricDeclaration(
        name="wrong_routing",
        version=1,
        title="Handed over where it should have answered.",
        direction="lower",
        applies_to="cases expected to be answered",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=BEHAVIOUR_UNDEFINED_WHEN,
        does_not_catch="What the hand-over costs the user.",
        formula="1 if the system routed, else 0",
        reference="ragvet",
    ),
    measure=observed("routed"),
)
