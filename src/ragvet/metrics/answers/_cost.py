"""US dollars spent on serving, over all stages."""

from __future__ import annotations

from ragvet.metrics.answers._metric import AnswerMetric, every_case
from ragvet.metrics.answers._usage import USAGE_UNDEFINED_WHEN, usage_total
from ragvet.records import MetricDeclaration

__all__ = ["COST"]

COST = AnswerMetric(
    MetricDeclaration(
        name="cost",
        version=1,
        title="US dollars spent on serving, over all stages.",
        direction="lower",
        high=None,
        applies_to="every case",
        needs="usage reported by the target",
        undefined_when=USAGE_UNDEFINED_WHEN,
        does_not_catch="What the judge costs; fixed costs of index and hosting.",
        formula="Σ over stages; unknown for one stage is unknown for the sum",
        reference="ragvet",
    ),
    measure=usage_total("cost"),
    applies=every_case,
    judged=False,
)
