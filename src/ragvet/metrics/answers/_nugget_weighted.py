"""Required claims made, minor ones at half weight, half credit for those made in part."""

from __future__ import annotations

from ragvet.metrics.answers._coverage import COVERAGE_UNDEFINED_WHEN, coverage_score, has_required_claims
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["NUGGET_WEIGHTED"]

NUGGET_WEIGHTED = AnswerMetric(
    MetricDeclaration(
        name="nugget_weighted",
        version=1,
        title="Required claims made, minor ones at half weight, half credit for those made in part.",
        direction="higher",
        applies_to="cases expected to be answered that list required claims",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=COVERAGE_UNDEFINED_WHEN,
        does_not_catch="Refusals, for TREC 0 (see answer_coverage); a missing vital claim, bought back by minor ones.",
        formula=(
            "Σ weight · credit / Σ weight; weight 1 for material (vital), ½ for minor (okay); credit 1 "
            "covered, ½ partial"
        ),
        reference=(
            "Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): weighted (partial credit)"
        ),
    ),
    measure=coverage_score(partial=0.5, okay=0.5),
    applies=has_required_claims,
)
