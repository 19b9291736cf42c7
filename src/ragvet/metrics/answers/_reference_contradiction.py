"""The share of claims that contradict the reference answer."""

from __future__ import annotations

from ragvet.metrics.answers._agreement import AGREEMENT_UNDEFINED_WHEN, agreement_share, has_reference
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["REFERENCE_CONTRADICTION"]

REFERENCE_CONTRADICTION = AnswerMetric(
    MetricDeclaration(
        name="reference_contradiction",
        version=1,
        title="The share of claims that contradict the reference answer.",
        direction="lower",
        applies_to="cases expected to be answered that have a reference answer",
        needs="a reference answer; agreement of each claim with it",
        undefined_when=AGREEMENT_UNDEFINED_WHEN,
        does_not_catch="False claims the reference does not speak about; how much harm a contradiction does.",
        formula="contradicting claims / claims that need evidence",
        reference="ragvet",
    ),
    measure=agreement_share("contradict"),
    applies=has_reference,
)
