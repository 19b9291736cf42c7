"""The one verdict lattice: how what several passages, claims, judges and citations say comes together as one verdict.

Every order stands here, once, with its reason; nobody else decides it again.

The verdicts on a claim and one passage are `supported`, `contradicted`, `partial`, `unsupported`, and two that decide
nothing: `undecided` (nobody could tell) and `unverified` (the quote a judge gave does not show what it said).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from ragvet.records._kleene import all_of, any_of, negation
from ragvet.records._verdicts import AgreementVerdict, SupportVerdict, Verdicts

__all__ = [
    "OPEN",
    "STRENGTH",
    "ClaimVerdict",
    "all_of",
    "any_of",
    "claim_verdicts",
    "negation",
    "of_claims",
    "of_parts_of_agreement",
    "of_passages",
    "strongest",
    "supported",
    "vote",
    "weakest",
]

T = TypeVar("T")
V = TypeVar("V", bound=Hashable)

OPEN: frozenset[SupportVerdict] = frozenset({"undecided", "unverified"})
"""Verdicts that decide nothing: the judge could not tell, or its quote is not in the passage."""

STRENGTH: tuple[SupportVerdict, ...] = ("supported", "contradicted", "partial", "unsupported")
"""Of what several passages say about one claim the first in this order holds.

A claim needs one passage to rest on: that another one is silent, or says less, takes nothing from it. A passage that
contradicts it speaks about it, and weighs more than one that shows a part; silence weighs nothing.
"""

_STRONGEST: tuple[SupportVerdict, ...] = (*STRENGTH[:3], "undecided", "unverified", STRENGTH[3])
"""`STRENGTH` where one row must be chosen although some are open: what is open may yet show something, and comes before
silence; what nobody could tell comes before a judge's word that did not hold."""

_WEAKEST: tuple[SupportVerdict, ...] = (
    "contradicted",
    "unsupported",
    "unverified",
    "partial",
    "undecided",
    "supported",
)
"""Of what is found about several claims that must all hold, the first in this order: one that falls short decides, and
what falls short for sure comes before what may; a part that is known to be missing before one that is open."""

_LEAST_AGREEING: tuple[AgreementVerdict, ...] = ("contradict", "undecided", "extra", "agree")
"""Of the parts of one claim: a contradiction decides; what is open may hide one; an addition is no agreement."""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What the passages say about one claim together, over all completions of what is open.

    Attributes:
        possible: one verdict where it is settled. An open passage can still lift the claim to any stronger verdict, so
            a contradicted claim with an open passage may turn out supported.
        unverified: True where all that is open is a quote that does not stand in its passage.
    """

    possible: frozenset[SupportVerdict]
    unverified: bool = False

    @property
    def settled(self) -> bool:
        """True where every completion gives the same verdict."""
        return len(self.possible) == 1

    @property
    def told(self) -> SupportVerdict:
        """The verdict as it is told: the one that is settled, else what leaves it open."""
        if self.settled:
            return next(iter(self.possible))
        return "unverified" if self.unverified else "undecided"

    @property
    def so_far(self) -> SupportVerdict:
        """What the passages that are decided say: where the claim stays if nothing open says more."""
        return max(self.possible, key=STRENGTH.index)

    def holds(self, verdict: SupportVerdict) -> bool | None:
        """Whether the claim has this verdict; None: in some completions."""
        if verdict not in self.possible:
            return False
        return True if self.settled else None


@lru_cache(maxsize=256)  # few distinct sets of verdicts exist; most claims share one
def _of_passages(verdicts: frozenset[SupportVerdict]) -> ClaimVerdict:
    decided = next((rank for rank, verdict in enumerate(STRENGTH) if verdict in verdicts), len(STRENGTH) - 1)
    open_verdicts = verdicts & OPEN
    if not open_verdicts or decided == 0:
        return ClaimVerdict(frozenset({STRENGTH[decided]}))
    return ClaimVerdict(frozenset(STRENGTH[: decided + 1]), unverified="undecided" not in open_verdicts)


def of_passages(verdicts: Iterable[SupportVerdict]) -> ClaimVerdict:
    """One claim against its whole context; a claim no passage was judged for is unsupported: nothing shows it.

    >>> of_passages(["unsupported", "supported"]).told
    'supported'
    >>> sorted(of_passages(["contradicted", "undecided"]).possible)
    ['contradicted', 'supported']
    """
    return _of_passages(frozenset(verdicts))


def claim_verdicts(verdicts: Verdicts) -> dict[str, ClaimVerdict]:
    """Claim id → what the whole context says, for every claim of an answer."""
    rows: dict[str, set[SupportVerdict]] = {claim.id: set() for claim in verdicts.claims}
    for row in verdicts.support:
        rows.setdefault(row.claim, set()).add(row.verdict)
    return {claim: _of_passages(frozenset(found)) for claim, found in rows.items()}


def of_claims(verdicts: Iterable[SupportVerdict], *, every: bool) -> SupportVerdict:
    """Several claims against what is to carry them, e.g. one citation.

    Args:
        verdicts: one for each claim, at least one.
        every: whether all of them must hold (a citation stands beside them), or one is enough (it stands for the
            answer as a whole).
    """
    return min(verdicts, key=_WEAKEST.index if every else _STRONGEST.index)


def strongest(rows: Iterable[tuple[SupportVerdict, T]]) -> T:
    """Of several rows on one claim the one that holds, the first of equal ones; open ones come before silence."""
    return min(rows, key=lambda row: _STRONGEST.index(row[0]))[1]


def weakest(rows: Iterable[tuple[SupportVerdict, T]]) -> T:
    """Of rows that must all hold the one that decides, the first of equal ones."""
    return min(rows, key=lambda row: _WEAKEST.index(row[0]))[1]


def of_parts_of_agreement(verdicts: Iterable[AgreementVerdict]) -> AgreementVerdict:
    """How a claim stands to the reference whose parts stand so; undecided where there are none."""
    said = frozenset(verdicts) or {"undecided"}
    return _LEAST_AGREEING[min(_LEAST_AGREEING.index(verdict) for verdict in said)]


def supported(verdict: SupportVerdict) -> bool | None:
    """Whether a single verdict says supported; None: open."""
    return None if verdict in OPEN else verdict == "supported"


def vote(votes: Sequence[V | None], needed: int) -> V | None:
    """What at least `needed` of several judges say, or None; None among the votes is an abstention.

    A panel that does not agree has decided nothing: no order turns its split into a verdict.
    """
    winner = Counter(said for said in votes if said is not None).most_common(1)
    return winner[0][0] if winner and winner[0][1] >= needed else None
