"""The share of claims that go beyond the reference answer."""

from __future__ import annotations

from ragvet.metrics.answers._agreement import AGREEMENT_UNDEFINED_WHEN, agreement_share, has_reference
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["REFERENCE_EXTRA"]

REFERENCE_EXTRA = AnswerMetric(
    MetricDeclaration(
        name="reference_extra",
        version=1,
        title="The share of claims that go beyond the reference answer.",
        direction="none",
        applies_to="cases expected to be answered that have a reference answer",
        needs="a reference answer; agreement of each claim with it",
        undefined_when=AGREEMENT_UNDEFINED_WHEN,
        does_not_catch="Whether the additions are true, or wanted.",
        formula="extra claims / claims that need evidence",
        reference="ragvet",
    ),
    measure=agreement_share("extra"),
    applies=has_reference,
)
