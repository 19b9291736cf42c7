"""The share of claims the judge left undecided."""

from __future__ import annotations

from ragvet.metrics.answers._claim_share import UNDEFINED_WHEN, open_share
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["UNDECIDED_SHARE"]

UNDECIDED_SHARE = AnswerMetric(
    MetricDeclaration(
        name="undecided_share",
        version=1,
        title="The share of claims the judge left undecided.",
        direction="none",
        applies_to="cases expected to be answered",
        needs="a judge's claims and their support; the supplied context",
        undefined_when=UNDEFINED_WHEN,
        does_not_catch="Whether the verdicts that were given are right: a judge that decides everything scores best.",
        formula="claims whose verdict hangs on an undecided passage / claims that need evidence",
        reference="ragvet",
    ),
    measure=open_share(unverified=False),
)
