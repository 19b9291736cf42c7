"""Material required claims made, half credit for those made in part."""

from __future__ import annotations

from ragvet.metrics.answers._coverage import COVERAGE_UNDEFINED_WHEN, coverage_score, has_material_claims
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["NUGGET_VITAL"]

NUGGET_VITAL = AnswerMetric(
    MetricDeclaration(
        name="nugget_vital",
        version=1,
        title="Material required claims made, half credit for those made in part.",
        direction="higher",
        applies_to="cases expected to be answered that list a material required claim",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=COVERAGE_UNDEFINED_WHEN,
        does_not_catch=(
            "Refusals, for TREC 0 (see answer_coverage); a dropped exception, which may earn half credit; "
            "minor claims left out."
        ),
        formula="(covered + ½ partial) / required claims, over material (vital) claims",
        reference=(
            "Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): vital (partial credit)"
        ),
    ),
    measure=coverage_score(partial=0.5, okay=None),
    applies=has_material_claims,
)
