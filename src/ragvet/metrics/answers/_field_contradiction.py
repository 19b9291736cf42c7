"""The share of contract fields that have a wrong value."""

from __future__ import annotations

from ragvet.metrics.answers._contract import CONTRACT_UNDEFINED_WHEN, field_share, has_fields
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["FIELD_CONTRADICTION"]

FIELD_CONTRADICTION = AnswerMetric(
    MetricDeclaration(
        name="field_contradiction",
        version=1,
        title="The share of contract fields that have a wrong value.",
        direction="lower",
        applies_to="cases whose output contract lists fields",
        needs="fields with their right values; an answer that parses",
        undefined_when=CONTRACT_UNDEFINED_WHEN,
        does_not_catch="How wrong the value is: a typo and a wrong total count alike.",
        formula="contradicting fields / fields of the contract",
        reference="ragvet",
    ),
    measure=field_share("contradicting"),
    applies=has_fields,
    judged=False,
)
