"""The share of required claims the answer makes."""

from __future__ import annotations

from ragvet.metrics.answers._coverage import COVERAGE_UNDEFINED_WHEN, coverage_score, has_required_claims
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.records import MetricDeclaration

__all__ = ["COMPLETENESS"]

COMPLETENESS = AnswerMetric(
    MetricDeclaration(
        name="completeness",
        version=1,
        title="The share of required claims the answer makes.",
        direction="higher",
        applies_to="cases expected to be answered that list required claims",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=COVERAGE_UNDEFINED_WHEN,
        does_not_catch="Refusals: see answer_coverage; wrong or harmful additions; required claims nobody wrote down.",
        formula="covered required claims / required claims; partly covered is not covered",
        reference="Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): all strict",
    ),
    measure=coverage_score(),
    applies=has_required_claims,
)
