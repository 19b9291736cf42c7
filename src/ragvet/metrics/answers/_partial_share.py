"""The share of claims that the supplied context supports only in part."""

from __future__ import annotations

from ragvet.metrics.answers._claim_share import UNDEFINED_WHEN, claim_share
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["PARTIAL_SHARE"]

PARTIAL_SHARE = AnswerMetric(
    MetricDeclaration(
        name="partial_share",
        version=1,
        title="The share of claims that the supplied context supports only in part.",
        direction="lower",
        applies_to="cases expected to be answered",
        needs="a judge's claims and their support; the supplied context",
        undefined_when=UNDEFINED_WHEN,
        does_not_catch="Which part is missing: a harmless detail and a dropped exception count alike.",
        formula="partial claims / claims that need evidence; a claim no passage speaks about is unsupported",
        reference="Liu et al. 2023, Evaluating Verifiability in Generative Search Engines (Findings of EMNLP)",
    ),
    measure=claim_share("partial"),
)
