"""The share of contract fields left out although their evidence was at hand."""

from __future__ import annotations

from ragvet.metrics.answers._contract import CONTRACT_UNDEFINED_WHEN, field_share, has_fields
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["FIELD_MISSING"]

FIELD_MISSING = AnswerMetric(
    MetricDeclaration(
        name="field_missing",
        version=2,
        title="The share of contract fields left out although their evidence was at hand.",
        direction="lower",
        applies_to="cases whose output contract lists fields",
        needs="fields with their right values; an answer that parses; annotated passages; the ranking",
        undefined_when=CONTRACT_UNDEFINED_WHEN,
        does_not_catch="Fields the contract does not list.",
        formula="missing fields / fields of the contract",
        reference="ragvet",
    ),
    measure=field_share("missing"),
    applies=has_fields,
    judged=False,
)
