"""Tokens written by models, over all stages."""

from __future__ import annotations

from ragvet.metrics.answers._metric import AnswerMetric, every_case
from ragvet.metrics.answers._usage import USAGE_UNDEFINED_WHEN, usage_total
from ragvet.records import MetricDeclaration

__all__ = ["OUTPUT_TOKENS"]

OUTPUT_TOKENS = AnswerMetric(
    MetricDeclaration(
        name="output_tokens",
        version=1,
        title="Tokens written by models, over all stages.",
        direction="lower",
        high=None,
        applies_to="every case",
        needs="usage reported by the target",
        undefined_when=USAGE_UNDEFINED_WHEN,
        does_not_catch="Tokens of failed attempts the target did not report.",
        formula="Σ over stages; unknown for one stage is unknown for the sum",
        reference="ragvet",
    ),
    measure=usage_total("output_tokens"),
    applies=every_case,
    judged=False,
)
