"""The share of claims that drop a scope, number, date or condition of their passage."""

from __future__ import annotations

from ragvet.metrics.answers._claim_share import UNDEFINED_WHEN
from ragvet.metrics.answers._metric import NO_CLAIMS, AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.records import MetricDeclaration, Outcome, Undefined

__all__ = ["MISSING_QUALIFICATION_SHARE"]


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = answer.no_claims or answer.no_context
    if missing:
        return Undefined(reason=missing)
    flagged = {row.claim for row in answer.facts.support if row.missing_qualification}
    return share_of(
        (claim in flagged or (False if support.settled else None) for claim, support in answer.support.items()),
        empty=NO_CLAIMS,
        unknown="some claims are undecided, so is what they drop",
    )


MISSING_QUALIFICATION_SHARE = AnswerMetric(
    MetricDeclaration(
        name="missing_qualification_share",
        version=1,
        title="The share of claims that drop a scope, number, date or condition of their passage.",
        direction="lower",
        applies_to="cases expected to be answered",
        needs="a judge's claims and their support; the supplied context",
        undefined_when=UNDEFINED_WHEN,
        does_not_catch="Qualifications that stand in another passage than the one the claim was held against.",
        formula=(
            "claims flagged against any passage / claims that need evidence; an unflagged claim counts as "
            "clean only once its verdict is settled"
        ),
        reference="ragvet",
    ),
    measure=_measure,
)
