"""The share of material required claims the answer makes."""

from __future__ import annotations

from ragvet.metrics.answers._coverage import COVERAGE_UNDEFINED_WHEN, coverage_score, has_material_claims
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["COMPLETENESS_MATERIAL"]

COMPLETENESS_MATERIAL = AnswerMetric(
    MetricDeclaration(
        name="completeness_material",
        version=1,
        title="The share of material required claims the answer makes.",
        direction="higher",
        applies_to="cases expected to be answered that list a material required claim",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=COVERAGE_UNDEFINED_WHEN,
        does_not_catch="Refusals: see answer_coverage; minor claims left out; wrong or harmful additions.",
        formula="covered material claims / material claims; partly covered is not covered",
        reference=(
            "Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): vital strict "
            "(material = vital)"
        ),
    ),
    measure=coverage_score(okay=None),
    applies=has_material_claims,
)
