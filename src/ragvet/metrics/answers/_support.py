"""What the passages say about the claims, with everything a judge left open kept open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ragvet.metrics.answers._kleene import any_of
from ragvet.records import SupportVerdict, Verdicts

__all__ = ["OPEN", "ClaimSupport", "claim_support", "supported", "supported_by"]

OPEN: frozenset[SupportVerdict] = frozenset({"undecided", "unverified"})
"""Verdicts that decide nothing: the judge could not tell, or its quote is not in the passage."""

_STRENGTH: tuple[SupportVerdict, ...] = ("supported", "contradicted", "partial", "unsupported")
"""Of the verdicts of several passages on one claim the first in this order holds."""


@dataclass(frozen=True, slots=True)
class ClaimSupport:
    """Every verdict the context may give on one claim, over all completions of what is open.

    Attributes:
        possible: one verdict where it is settled. An open passage can still lift the claim to any stronger verdict,
            so a contradicted claim with an open passage may turn out supported.
        unverified: True where all that is open is a quote that does not stand in its passage.
    """

    possible: frozenset[SupportVerdict]
    unverified: bool = False

    @property
    def settled(self) -> bool:
        """True where every completion gives the same verdict."""
        return len(self.possible) == 1

    def holds(self, verdict: SupportVerdict) -> bool | None:
        """Whether the claim has this verdict; None: in some completions."""
        if verdict not in self.possible:
            return False
        return True if self.settled else None


@lru_cache(maxsize=256)  # few distinct sets of verdicts exist; most claims share one
def _combine(verdicts: frozenset[SupportVerdict]) -> ClaimSupport:
    decided = next((rank for rank, verdict in enumerate(_STRENGTH) if verdict in verdicts), len(_STRENGTH) - 1)
    open_verdicts = verdicts & OPEN
    if not open_verdicts:
        return ClaimSupport(frozenset({_STRENGTH[decided]}))
    return ClaimSupport(
        frozenset(_STRENGTH[: decided + 1]), unverified="undecided" not in open_verdicts and decided > 0
    )


def claim_support(verdicts: Verdicts, claims: Iterable[str]) -> dict[str, ClaimSupport]:
    """Claim id → what the whole context says; a claim without any judged passage is unsupported."""
    rows: defaultdict[str, set[SupportVerdict]] = defaultdict(set)
    for row in verdicts.support:
        rows[row.claim].add(row.verdict)
    return {claim: _combine(frozenset(rows[claim])) for claim in claims}


def supported(verdict: SupportVerdict) -> bool | None:
    """Whether a single verdict says supported; None: open."""
    return None if verdict in OPEN else verdict == "supported"


def supported_by(cells: Mapping[tuple[str, str], SupportVerdict], claim: str, passages: Iterable[str]) -> bool | None:
    """Whether one of the passages supports the claim; None: that hangs on open verdicts."""
    return any_of(supported(cells.get((claim, passage), "unsupported")) for passage in passages)
