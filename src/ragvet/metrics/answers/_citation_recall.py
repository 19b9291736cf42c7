"""The share of claims needing evidence that carry a citation supporting them."""

from __future__ import annotations

from ragvet.metrics.answers._citations import CITATIONS_UNKNOWN, UNCHECKED, backs, citations
from ragvet.metrics.answers._metric import NO_CLAIMS, AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.records import MetricDeclaration, Outcome, Undefined
from ragvet.records.lattice import any_of

__all__ = ["CITATION_RECALL"]


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = answer.no_claims
    if missing:
        return Undefined(reason=missing)
    cited = citations(answer)
    if not cited and answer.answer.citations is None:
        return Undefined(reason=CITATIONS_UNKNOWN)
    return share_of(
        (any_of(backs(answer, citation, claim.id) for citation in cited) for claim in answer.claims),
        empty=NO_CLAIMS,
        unknown=UNCHECKED,
    )


CITATION_RECALL = AnswerMetric(
    MetricDeclaration(
        name="citation_recall",
        version=2,
        title="The share of claims needing evidence that carry a citation supporting them.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=(
            "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; the "
            "target reports no citations and none stands in the text"
        ),
        does_not_catch="Citations that support nothing, piled on top of those that do.",
        formula=(
            "claims with a supporting citation / claims that need evidence; a citation of the answer as a whole "
            "counts for each claim its passage supports"
        ),
        reference="Liu et al. 2023, Evaluating Verifiability in Generative Search Engines (Findings of EMNLP)",
    ),
    measure=_measure,
)
