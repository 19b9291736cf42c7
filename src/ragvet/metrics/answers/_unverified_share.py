"""The share of claims left open only because the judge's quote is not in the passage."""

from __future__ import annotations

from ragvet.metrics.answers._claim_share import UNDEFINED_WHEN, open_share
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["UNVERIFIED_SHARE"]

UNVERIFIED_SHARE = AnswerMetric(
    MetricDeclaration(
        name="unverified_share",
        version=1,
        title="The share of claims left open only because the judge's quote is not in the passage.",
        direction="lower",
        applies_to="cases expected to be answered",
        needs="a judge's claims and their support; the supplied context",
        undefined_when=UNDEFINED_WHEN,
        does_not_catch="Verdicts whose quote is real and shows something else.",
        formula="claims whose verdict hangs on unverified quotes alone / claims that need evidence",
        reference="ragvet",
    ),
    measure=open_share(unverified=True),
)
