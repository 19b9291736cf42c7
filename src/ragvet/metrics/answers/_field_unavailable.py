"""The share of contract fields left out while no evidence was before the model."""

from __future__ import annotations

from ragvet.metrics.answers._contract import CONTRACT_UNDEFINED_WHEN, field_share, has_fields
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["FIELD_UNAVAILABLE"]

FIELD_UNAVAILABLE = AnswerMetric(
    MetricDeclaration(
        name="field_unavailable",
        version=2,
        title="The share of contract fields left out while no evidence was before the model.",
        direction="lower",
        applies_to="cases whose output contract lists fields",
        needs="fields with their right values; an answer that parses; annotated passages; the ranking",
        undefined_when=CONTRACT_UNDEFINED_WHEN,
        does_not_catch="Which field's evidence was missing: evidence is joined per case.",
        formula="unavailable fields / fields of the contract",
        reference="ragvet",
    ),
    measure=field_share("unavailable"),
    applies=has_fields,
    judged=False,
)
