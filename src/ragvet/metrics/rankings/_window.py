"""The first k places of many rankings, as metrics look at them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ragvet.metrics.rankings._rankings import EMPTY, NEVER, UNJUDGED, Evidence, Rankings

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_NARROW = 64
"""Up to so many columns, a matrix lies column after column in memory: numpy then adds up all queries of a column at
once, which is many times faster than short rows one by one."""


@dataclass(frozen=True)
class Window:
    """The first k places of a batch of rankings, as metrics look at them.

    Counts are float64 (n,), masks bool (n, w) with w at most k; `k` is None where the metric has no cutoff.
    """

    rankings: Rankings
    k: int | None

    def __len__(self) -> int:
        return len(self.rankings)

    @property
    def top_grade(self) -> int:
        """G, the top of the grading scale."""
        return self.rankings.top_grade

    @cached_property
    def labels(self) -> NDArray[np.int8]:
        """The labels of the window."""
        return _columnwise(self.rankings.labels[:, : self.k])

    @property
    def width(self) -> int:
        """Columns of the window: k, or less where no ranking is that long."""
        return self.labels.shape[1]

    @cached_property
    def unjudged(self) -> Mask:
        """Where an unjudged item stands."""
        return self.labels == UNJUDGED

    @cached_property
    def unjudged_count(self) -> Floats:
        """u: unjudged items in the window."""
        return count(self.unjudged)

    @cached_property
    def elsewhere(self) -> Floats:
        """v: unjudged items below the window or outside the ranking; infinite where unbounded."""
        below = _columnwise(self.rankings.labels[:, self.width :])
        outside = self.rankings.unjudged_elsewhere
        return outside + count(below == UNJUDGED) if below.shape[1] else outside

    @cached_property
    def any_unknown(self) -> bool:
        """Whether any item of any query is unjudged; without one, plain values are all there is."""
        return bool(self.elsewhere.any() or self.unjudged.any())

    @cached_property
    def returned(self) -> Floats:
        """Items the window really holds."""
        return count(self.labels != EMPTY)

    @property
    def repeated(self) -> Mask | None:
        """Where an item only repeats evidence reached before; None: not known."""
        redundant = self.rankings.redundant
        return None if redundant is None else redundant[:, : self.k]

    @property
    def adds(self) -> Mask | None:
        """Where an item brings more of evidence that was reached in part; None: nowhere."""
        adds = self.rankings.adds
        return None if adds is None else adds[:, : self.k]

    @property
    def unsure(self) -> Mask | None:
        """Where nobody can tell whether an item only repeats evidence; None: nowhere."""
        unsure = self.rankings.unsure
        return None if unsure is None else unsure[:, : self.k]

    def _surely(self, level: int) -> Mask | None:
        """Where an unjudged item stands that has at least that grade, a repeat or not; None: nowhere."""
        at_least = self.rankings.at_least
        return None if at_least is None else self.unjudged & (at_least[:, : self.k] >= level)

    @property
    def evidence(self) -> Evidence | None:
        """The annotated evidence, where the input has it."""
        return self.rankings.evidence

    def relevant(self, level: int) -> Mask:
        """Where an item of at least that grade stands."""
        relevant, surely = self.labels >= level, self._surely(level)
        return relevant if surely is None else relevant | surely

    def fresh(self, level: int) -> Mask:
        """Where an item of at least that grade stands that is not a repeat."""
        relevant = self.labels >= level
        return relevant if self.repeated is None else relevant & ~self.repeated

    def found(self, level: int) -> Mask:
        """Where a `fresh` item stands whose evidence is found within the window."""
        fresh, completed = self.fresh(level), self.rankings.completed
        if completed is None:
            return fresh
        last = NEVER - 1 if self.k is None else self.k
        return fresh & (completed[:, : self.k] <= last)

    def could_be_relevant(self, level: int) -> tuple[Mask, Floats]:
        """The unjudged places that `relevant` leaves open, and their count; none if the scale ends below the level."""
        if level > self.top_grade:
            return np.zeros_like(self.unjudged), np.zeros(len(self))
        surely = self._surely(level)
        if surely is None:
            return self.unjudged, self.unjudged_count
        return self.unjudged & ~surely, count(self.unjudged & ~surely)

    def could_be_fresh(self, level: int) -> tuple[Mask, Floats, Floats]:
        """The unjudged places, their count u and the count v elsewhere; none if the scale ends below the level."""
        if level <= self.top_grade:
            return self.unjudged, self.unjudged_count, self.elsewhere
        return np.zeros_like(self.unjudged), np.zeros(len(self)), np.zeros(len(self))

    def known_relevant(self, level: int) -> Floats:
        """A: items of at least that grade in the whole judged set."""
        return self.rankings.judged[:, level:].sum(axis=1, dtype=np.float64)

    def some_relevant(self, level: int) -> Mask:
        """Whether anything at all has at least that grade, whatever the unjudged items turn out to be."""
        known, at_least = self.known_relevant(level) > 0, self.rankings.at_least
        return known if at_least is None else known | (at_least >= level).any(axis=1)


def _columnwise(labels: NDArray[np.int8]) -> NDArray[np.int8]:
    return np.asfortranarray(labels) if labels.shape[1] <= _NARROW else labels


def count(mask: Mask) -> Floats:
    """How many are true in each row."""
    return np.count_nonzero(mask, axis=1).astype(np.float64)


def running(values: Floats | Mask, start: Floats | float = 0.0) -> Floats:
    """`start` and the sums of the first 1, 2, … w columns on top of it, float64 (n, w + 1)."""
    n, width = values.shape
    narrow = width <= _NARROW
    sums = np.empty((n, width + 1), order="F" if narrow else "C")
    sums[:, 0] = start
    if narrow:
        for column in range(width):
            np.add(sums[:, column], values[:, column], out=sums[:, column + 1])
    else:
        np.cumsum(values, axis=1, out=sums[:, 1:])
        sums[:, 1:] += sums[:, :1]
    return sums


def true_places(mask: Mask) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and column of what is true, row by row."""
    return np.divmod(np.flatnonzero(mask), max(mask.shape[1], 1))


def weigh(mask: Mask, weights: Floats) -> Floats:
    """The sum of the weights of each row's true columns, added from the left."""
    row, column = true_places(mask)
    return np.bincount(row, weights[column], minlength=len(mask)).astype(np.float64, copy=False)


def gapped(mask: Mask) -> Mask:
    """Of each row, whether a false column stands before a true one."""
    return np.logical_or.reduce(mask[:, 1:] > mask[:, :-1], axis=1)


def divide(numerator: Floats | float, denominator: Floats, otherwise: float = np.nan) -> Floats:
    """The quotient, and `otherwise` where the denominator is zero."""
    result = np.full(denominator.shape, otherwise)
    return np.divide(numerator, denominator, out=result, where=denominator != 0)
