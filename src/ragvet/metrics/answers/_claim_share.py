"""The share of claims with one verdict, over all completions of what is open."""

from __future__ import annotations

from functools import partial

from ragvet.metrics.answers._metric import JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.records import Outcome, SupportVerdict, Undefined

__all__ = ["UNDEFINED_WHEN", "claim_share", "open_share"]

UNDEFINED_WHEN = (
    "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
    "nothing was supplied to the model or nobody knows what was"
)


def _claim_share(verdict: SupportVerdict, answer: JudgedAnswer) -> Outcome:
    missing = answer.no_claims or answer.no_context
    if missing:
        return Undefined(reason=missing)
    return share_of(
        (support.holds(verdict) for support in answer.support.values()),
        empty="the answer makes no claim that needs evidence",
        unknown="some claims are undecided or their quotes unverified",
    )


def claim_share(verdict: SupportVerdict) -> partial[Outcome]:
    """The arithmetic of "claims with this verdict / claims that need evidence"."""
    return partial(_claim_share, verdict)


def _open_share(unverified: bool, answer: JudgedAnswer) -> Outcome:  # noqa: FBT001 - bound by open_share
    missing = answer.no_claims or answer.no_context
    if missing:
        return Undefined(reason=missing)
    return share_of(
        (not support.settled and support.unverified is unverified for support in answer.support.values()),
        empty="the answer makes no claim that needs evidence",
        unknown="",
    )


def open_share(*, unverified: bool) -> partial[Outcome]:
    """The arithmetic of "claims left open / claims", by what leaves them open."""
    return partial(_open_share, unverified)
