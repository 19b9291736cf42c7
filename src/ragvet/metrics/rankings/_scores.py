"""What a metric found for many rankings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

import numpy as np
from numpy.typing import NDArray

from ragvet.metrics.rankings._window import Floats, Mask, Window

_ULPS = 8
"""Two sums of the same terms in another order differ by less; two different assignments by far more."""


class Status(IntEnum):
    """What a score is; the names stand in frames and records."""

    scored = 0
    bounded = 1
    undefined = 2


class Reason(Enum):
    """Why a score is not one published value: a code for arrays and the words for people."""

    NONE = (0, "")
    UNJUDGED_IN_WINDOW = (1, "unjudged items among the ranked ones that count")
    UNJUDGED_ELSEWHERE = (2, "unjudged items elsewhere may be relevant")
    UNJUDGED_BOTH = (3, "unjudged items among the ranked ones that count and elsewhere")
    ONLY_IF_RELEVANT = (4, "no judged item is relevant: defined only if an unjudged one is")
    NOTHING_RELEVANT = (5, "no relevant item in the judged set")
    NOTHING_RELEVANT_RETRIEVED = (6, "no relevant item among the ranked ones that count")
    NOTHING_RETURNED = (7, "nothing was returned")
    NOTHING_ANNOTATED = (8, "no evidence is annotated")
    REPEATS_UNKNOWN = (9, "the input does not say which items repeat evidence")
    UNPLACED = (10, "ranked items that could not be placed in their document may carry the evidence")
    UNCOUNTED = (11, "how many items are not relevant is not known: nobody said how many there are")
    NO_CHUNK_IDS = (12, "no evidence is marked by chunk ids")

    @property
    def code(self) -> int:
        """The number that stands for it in arrays."""
        return self.value[0]

    @property
    def words(self) -> str:
        """The reason as a sentence part."""
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a metric reaches over every assignment of grades to unjudged items, one entry a query.

    `low` and `high` are the infimum and supremum over the assignments under which the metric is defined. They mean
    nothing where `ever` is false. `numerator` and `denominator` are given where every assignment has the same.
    """

    low: Floats
    high: Floats
    ever: Mask | None = None
    """Whether it is defined under some assignment. None: always, for all queries."""
    always: Mask | None = None
    """Whether it is defined under every assignment. None: the same as `ever`."""
    numerator: Floats | None = None
    denominator: Floats | None = None

    @classmethod
    def exact(cls, numerator: Floats, denominator: Floats, value: Floats) -> Extent:
        """The extent of a ratio that no unjudged item can move; undefined where the denominator is zero."""
        return cls(value, value, denominator > 0, None, numerator, denominator)


@dataclass(frozen=True, slots=True)
class Scores:
    """One metric on every query of a batch.

    Attributes:
        value: float64 (n,): the published value, NaN where there is none.
        low, high: float64 (n,): the exact bounds, equal to the value where there is one, NaN where undefined.
        status: uint8 (n,), see `Status`.
        may_drop: bool (n,), whether it is undefined under some assignment and drops out of a mean: of bounded ones.
        reason: uint8 (n,), the code of a `Reason`.
        numerator, denominator: float64 (n,), NaN where the metric is no ratio or the two depend on unjudged items.
    """

    value: Floats
    low: Floats
    high: Floats
    status: NDArray[np.uint8]
    may_drop: Mask
    reason: NDArray[np.uint8]
    numerator: Floats
    denominator: Floats

    def __len__(self) -> int:
        return len(self.value)

    @classmethod
    def joined(cls, parts: list[Scores]) -> Scores:
        """The scores of consecutive blocks of queries as one."""
        if len(parts) == 1:
            return parts[0]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))


def publish(
    extent: Extent, window: Window, *, undefined: Reason, bounded_by: Reason | None, looks_elsewhere: bool
) -> Scores:
    """The publish rule, the same for every metric: a value only where it is defined and equal under all assignments."""
    n = len(window)
    ever = np.ones(n, np.bool_) if extent.ever is None else extent.ever
    always = ever if extent.always is None else extent.always
    low = np.where(ever, extent.low, np.nan)
    high = low if extent.high is extent.low else np.where(ever, extent.high, np.nan)
    if high is low:
        same = always
    else:
        same = always & (high - low <= _ULPS * np.spacing(np.abs(high)))
        high = np.where(same, low, high)
    status = np.where(same, Status.scored, np.where(ever, Status.bounded, Status.undefined)).astype(np.uint8)
    reason = np.zeros(n, np.uint8)
    reason[~ever] = undefined.code
    bounded = status == Status.bounded
    if bounded_by is not None:
        reason[bounded] = bounded_by.code
    elif bounded.any():
        here = window.unjudged_count > 0
        there = (window.elsewhere > 0) & looks_elsewhere
        why = np.where(here, np.where(there, Reason.UNJUDGED_BOTH.code, Reason.UNJUDGED_IN_WINDOW.code),
                       Reason.UNJUDGED_ELSEWHERE.code)  # fmt: skip
        why = np.where(here | there, why, Reason.UNCOUNTED.code)
        why = np.where(always, why, Reason.ONLY_IF_RELEVANT.code)
        reason[bounded] = why[bounded]
    nothing = np.full(n, np.nan)
    return Scores(
        value=np.where(same, low, np.nan),
        low=low,
        high=high,
        status=status,
        may_drop=bounded & ~always,
        reason=reason,
        numerator=nothing if extent.numerator is None else np.where(same, extent.numerator, np.nan),
        denominator=nothing if extent.denominator is None else np.where(same, extent.denominator, np.nan),
    )
