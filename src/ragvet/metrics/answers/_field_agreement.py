"""The share of contract fields that have the right value."""

from __future__ import annotations

from ragvet.metrics.answers._contract import CONTRACT_UNDEFINED_WHEN, field_share, has_fields
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["FIELD_AGREEMENT"]

FIELD_AGREEMENT = AnswerMetric(
    MetricDeclaration(
        name="field_agreement",
        version=1,
        title="The share of contract fields that have the right value.",
        direction="higher",
        applies_to="cases whose output contract lists fields",
        needs="fields with their right values; an answer that parses",
        undefined_when=CONTRACT_UNDEFINED_WHEN,
        does_not_catch="Fields the contract does not list; a right value with a wrong source.",
        formula="agreeing fields / fields of the contract",
        reference="ragvet",
    ),
    measure=field_share("agreeing"),
    applies=has_fields,
    judged=False,
)
