"""The share of claims that nothing in the supplied context shows."""

from __future__ import annotations

from ragvet.metrics.answers._claim_share import UNDEFINED_WHEN, claim_share
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["UNSUPPORTED_SHARE"]

UNSUPPORTED_SHARE = AnswerMetric(
    MetricDeclaration(
        name="unsupported_share",
        version=1,
        title="The share of claims that nothing in the supplied context shows.",
        direction="lower",
        applies_to="cases expected to be answered",
        needs="a judge's claims and their support; the supplied context",
        undefined_when=UNDEFINED_WHEN,
        does_not_catch="Whether such a claim is false: it may be right and come from the model's memory.",
        formula="unsupported claims / claims that need evidence; a claim no passage speaks about is unsupported",
        reference="Ru et al. 2024, RAGChecker (NeurIPS): hallucination, split by verdict",
    ),
    measure=claim_share("unsupported"),
)
