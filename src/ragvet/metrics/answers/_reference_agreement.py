"""The share of claims that agree with the reference answer."""

from __future__ import annotations

from ragvet.metrics.answers._agreement import AGREEMENT_UNDEFINED_WHEN, agreement_share, has_reference
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["REFERENCE_AGREEMENT"]

REFERENCE_AGREEMENT = AnswerMetric(
    MetricDeclaration(
        name="reference_agreement",
        version=1,
        title="The share of claims that agree with the reference answer.",
        direction="higher",
        applies_to="cases expected to be answered that have a reference answer",
        needs="a reference answer; agreement of each claim with it",
        undefined_when=AGREEMENT_UNDEFINED_WHEN,
        does_not_catch="What the answer leaves out; a true addition lowers it like an error.",
        formula="agreeing claims / claims that need evidence",
        reference="ragvet",
    ),
    measure=agreement_share("agree"),
    applies=has_reference,
)
