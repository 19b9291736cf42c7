"""The share of claims that the supplied context supports."""

from __future__ import annotations

from ragvet.metrics.answers._claim_share import UNDEFINED_WHEN, claim_share
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["FAITHFULNESS"]

FAITHFULNESS = AnswerMetric(
    MetricDeclaration(
        name="faithfulness",
        version=1,
        title="The share of claims that the supplied context supports.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="a judge's claims and their support; the supplied context",
        undefined_when=UNDEFINED_WHEN,
        does_not_catch="An answer faithful to a wrong, outdated or irrelevant context; what the answer leaves out.",
        formula="supported claims / claims that need evidence; a claim no passage speaks about is unsupported",
        reference="Es et al. 2024, RAGAs (EACL); also called groundedness",
    ),
    measure=claim_share("supported"),
)
