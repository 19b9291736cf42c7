"""Three-valued facts and claim verdicts as columns: what `lattice` says of one, for many at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ragvet.records._verdicts import SupportVerdict
from ragvet.records.lattice import OPEN, ClaimVerdict, of_passages

__all__ = ["ClaimVerdicts", "Facts", "Places"]

Mask = NDArray[np.bool_]
Places = NDArray[np.intp]
"""For each row the index of what it belongs to."""

_VERDICTS: tuple[SupportVerdict, ...] = get_args(SupportVerdict)
_BIT = {verdict: 1 << place for place, verdict in enumerate(_VERDICTS)}


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts that are true, false or unknown, over all completions of what is unknown.

    Attributes:
        sure: bool (n,), true in every completion.
        possible: bool (n,), true in some completion; false where the fact is false.
    """

    sure: Mask
    possible: Mask

    @classmethod
    def of(cls, facts: Iterable[bool | None]) -> Facts:
        """From single facts; None is unknown.

        >>> Facts.of([True, None, False]).possible.tolist()
        [True, True, False]
        """
        known = list(facts)
        return cls(
            np.fromiter((fact is True for fact in known), np.bool_, len(known)),
            np.fromiter((fact is not False for fact in known), np.bool_, len(known)),
        )

    @classmethod
    def known(cls, facts: Mask) -> Facts:
        """Facts of which none is unknown."""
        return cls(facts, facts)

    def __len__(self) -> int:
        return len(self.sure)

    def __getitem__(self, rows: Places | Mask) -> Facts:
        return Facts(self.sure[rows], self.possible[rows])

    def __invert__(self) -> Facts:
        return Facts(~self.possible, ~self.sure)

    def __and__(self, other: Facts) -> Facts:
        return Facts(self.sure & other.sure, self.possible & other.possible)

    def __or__(self, other: Facts) -> Facts:
        return Facts(self.sure | other.sure, self.possible | other.possible)

    def any_of(self, place: Places, count: int) -> Facts:
        """Whether any of the facts at each place holds; false where there is none.

        Args:
            place: int (n,), where each fact belongs.
            count: number of places.
        """
        return Facts(_some(self.sure, place, count), _some(self.possible, place, count))


def _some(facts: Mask, place: Places, count: int) -> Mask:
    found = np.zeros(count, np.bool_)
    found[place[facts]] = True
    return found


@dataclass(frozen=True, slots=True)
class ClaimVerdicts:
    """What the passages say about each of many claims together.

    Attributes:
        seen: int (n,), for each claim the set of the verdicts of its passages, a bit each.
    """

    seen: NDArray[np.intp]

    @classmethod
    def of(cls, rows: Sequence[tuple[int, SupportVerdict]], count: int) -> ClaimVerdicts:
        """From the verdict of each passage on each claim.

        Args:
            rows: index of a claim, and what one passage says about it.
            count: number of claims; one without rows is unsupported: nothing shows it.
        """
        seen = np.zeros(count, np.intp)
        for claim, verdict in rows:
            seen[claim] |= _BIT[verdict]
        return cls(seen)

    def holds(self, verdict: SupportVerdict) -> Facts:
        """Whether each claim has this verdict."""
        return _holds(verdict)[self.seen]

    @property
    def settled(self) -> Mask:
        """Where every completion gives the same verdict."""
        return np.array([one.settled for one in _of_sets()])[self.seen]

    @property
    def unverified(self) -> Mask:
        """Where all that is open is a quote that does not stand in its passage."""
        return np.array([one.unverified for one in _of_sets()])[self.seen]


@cache
def _of_sets() -> tuple[ClaimVerdict, ...]:
    """What `lattice` makes of every set of verdicts there can be."""
    every = range(1 << len(_VERDICTS))
    return tuple(of_passages(verdict for verdict in _VERDICTS if bits & _BIT[verdict]) for bits in every)


@cache
def _holds(verdict: SupportVerdict) -> Facts:
    return Facts.of(one.holds(verdict) for one in _of_sets())


def supported(verdicts: Iterable[SupportVerdict]) -> Facts:
    """Whether each single verdict says supported; open ones are unknown."""
    return Facts.of(None if verdict in OPEN else verdict == "supported" for verdict in verdicts)
