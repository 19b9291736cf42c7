"""Which required claims the answer makes, weighted by materiality."""

from __future__ import annotations

from functools import partial as bind

from ragvet.metrics.answers._metric import JudgedAnswer
from ragvet.metrics.answers._share import share
from ragvet.records import Case, Outcome, Undefined

__all__ = ["COVERAGE_UNDEFINED_WHEN", "coverage_score", "has_material_claims", "has_required_claims"]

COVERAGE_UNDEFINED_WHEN = "the answer is blank, refuses, asks back or routes; no required claim was judged"


def has_required_claims(case: Case) -> bool:
    """True for cases expected to be answered that list required claims."""
    return case.expected_behaviour == "answer" and bool(case.required_claims)


def has_material_claims(case: Case) -> bool:
    """True for cases expected to be answered that list a material required claim."""
    return case.expected_behaviour == "answer" and any(
        claim.materiality == "material" for claim in case.required_claims
    )


def _coverage_score(partial_credit: float, okay: float | None, answer: JudgedAnswer) -> Outcome:
    if answer.no_answer:
        return Undefined(reason=answer.no_answer)
    judged = {row.required_claim: row.verdict for row in answer.facts.coverage}
    if not judged:
        return Undefined(reason="coverage of the required claims was not judged")
    low = high = total = 0.0
    for index, claim in enumerate(answer.case.required_claims):
        weight = 1.0 if claim.materiality == "material" else okay
        if weight is None:
            continue
        total += weight
        match judged.get(answer.case.claim_id(index), "undecided"):
            case "covered":
                low, high = low + weight, high + weight
            case "partial":
                low, high = low + weight * partial_credit, high + weight * partial_credit
            case "undecided":
                high += weight
            case _:  # missing, contradicted
                pass
    return share(low, high, total, empty="the case lists no such claim", unknown="some required claims are undecided")


def coverage_score(*, partial: float = 0.0, okay: float | None = 1.0) -> bind[Outcome]:
    """The arithmetic of "Σ weight · credit / Σ weight" over the required claims.

    Args:
        partial: credit for a claim made in part.
        okay: weight of a minor claim; None: minor claims are left out. A material claim weighs 1.
    """
    return bind(_coverage_score, partial, okay)
