"""Required claims made, half credit for those made in part."""

from __future__ import annotations

from ragvet.metrics.answers._coverage import COVERAGE_UNDEFINED_WHEN, coverage_score, has_required_claims
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["NUGGET_ALL"]

NUGGET_ALL = AnswerMetric(
    MetricDeclaration(
        name="nugget_all",
        version=1,
        title="Required claims made, half credit for those made in part.",
        direction="higher",
        applies_to="cases expected to be answered that list required claims",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=COVERAGE_UNDEFINED_WHEN,
        does_not_catch="Refusals, for TREC 0 (see answer_coverage); a dropped exception, which may earn half credit.",
        formula="(covered + ½ partial) / required claims",
        reference=(
            "Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): all (partial credit)"
        ),
    ),
    measure=coverage_score(partial=0.5),
    applies=has_required_claims,
)
