"""The share of claims with one verdict, over all completions of what is open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ragvet.metrics.answers._metric import NO_CLAIMS, JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.records import Outcome, SupportVerdict, Undefined
from ragvet.records.lattice import ClaimVerdict

__all__ = ["UNDEFINED_WHEN", "claim_share", "open_share"]

UNDEFINED_WHEN = (
    "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
    "nothing was supplied to the model or nobody knows what was"
)


def _share(fact: Callable[[ClaimVerdict], bool | None], answer: JudgedAnswer) -> Outcome:
    missing = answer.no_claims or answer.no_context
    if missing:
        return Undefined(reason=missing)
    return share_of(
        map(fact, answer.support.values()),
        empty=NO_CLAIMS,
        unknown="some claims are undecided or their quotes unverified",
    )


def claim_share(verdict: SupportVerdict) -> partial[Outcome]:
    """The arithmetic of "claims with this verdict / claims that need evidence"."""
    return partial(_share, lambda support: support.holds(verdict))


def open_share(*, unverified: bool) -> partial[Outcome]:
    """The arithmetic of "claims left open / claims that need evidence", by what leaves them open."""
    return partial(_share, lambda support: not support.settled and support.unverified is unverified)
