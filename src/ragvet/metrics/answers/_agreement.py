"""How the claims of an answer stand to the reference answer."""

from __future__ import annotations

from functools import partial

from ragvet.metrics.answers._metric import NO_CLAIMS, JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.records import AgreementVerdict, Case, Outcome, Undefined

__all__ = ["AGREEMENT_UNDEFINED_WHEN", "agreement", "agreement_share", "has_reference", "no_agreement"]

AGREEMENT_UNDEFINED_WHEN = (
    "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
    "agreement with the reference was not judged"
)


def has_reference(case: Case) -> bool:
    """True for cases expected to be answered that have a reference answer."""
    return case.expected_behaviour == "answer" and case.reference_answer is not None


def agreement(answer: JudgedAnswer) -> dict[str, AgreementVerdict]:
    """Claim id → its stand to the reference; a claim nobody judged is undecided."""
    judged: dict[str, AgreementVerdict] = {row.claim: row.verdict for row in answer.facts.agreement}
    return {claim.id: judged.get(claim.id, "undecided") for claim in answer.claims}


def no_agreement(answer: JudgedAnswer) -> str | None:
    """Why no claim can be held against the reference, or None."""
    if answer.no_claims:
        return answer.no_claims
    return None if answer.facts.agreement else "agreement with the reference was not judged"


def _agreement_share(verdict: AgreementVerdict, answer: JudgedAnswer) -> Outcome:
    missing = no_agreement(answer)
    if missing:
        return Undefined(reason=missing)
    return share_of(
        (None if stands == "undecided" else stands == verdict for stands in agreement(answer).values()),
        empty=NO_CLAIMS,
        unknown="agreement of some claims is undecided",
    )


def agreement_share(verdict: AgreementVerdict) -> partial[Outcome]:
    """The arithmetic of "claims with this stand to the reference / claims that need evidence"."""
    return partial(_agreement_share, verdict)
