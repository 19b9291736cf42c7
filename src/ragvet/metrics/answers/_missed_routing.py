"""Answered where it should have handed over."""

from __future__ import annotations

from ragvet.metrics.answers._behaviour import BEHAVIOUR_UNDEFINED_WHEN, observed
from ragvet.metrics.answers._metric import AnswerMetric, expects_routing
from ragvet.records import MetricDeclaration

__all__ = ["MISSED_ROUTING"]

MISSED_ROUTING = AnswerMetric(
    MetricDeclaration(
        name="missed_routing",
        version=1,
        title="Answered where it should have handed over.",
        direction="lower",
        applies_to="cases expected to be routed",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=BEHAVIOUR_UNDEFINED_WHEN,
        does_not_catch="Refusing or asking back instead of handing over; handing over to the wrong place.",
        formula="1 if the system answered, else 0",
        reference="ragvet",
    ),
    measure=observed("answered"),
    applies=expects_routing,
)
