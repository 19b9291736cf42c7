"""The share of claims that the supplied context contradicts."""

from __future__ import annotations

from ragvet.metrics.answers._claim_share import UNDEFINED_WHEN, claim_share
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["CONTRADICTED_SHARE"]

CONTRADICTED_SHARE = AnswerMetric(
    MetricDeclaration(
        name="contradicted_share",
        version=1,
        title="The share of claims that the supplied context contradicts.",
        direction="lower",
        applies_to="cases expected to be answered",
        needs="a judge's claims and their support; the supplied context",
        undefined_when=UNDEFINED_WHEN,
        does_not_catch=(
            "Invented claims the context is silent about; contradictions with sources that were not supplied."
        ),
        formula="contradicted claims / claims that need evidence; a claim no passage speaks about is unsupported",
        reference="Ru et al. 2024, RAGChecker (NeurIPS): hallucination, split by verdict",
    ),
    measure=claim_share("contradicted"),
)
