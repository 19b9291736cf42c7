"""Both bounds of bpref for a batch at once, in time and memory O(w) a query (derivation: docs/unknown-judgments.md).

With x of the u unjudged items of the ranking relevant and y of the v elsewhere, R = A + x + y items are relevant and
N = T - R are not. For a given R one relevant item more in the ranking never lowers the value, so the greatest is found
along y = 0, then x = u, and the least along x = 0, then y = v. Along x the sum of min(non-relevant above, R) over the
relevant items is piecewise linear in x; along y it is a running sum over R.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragvet.metrics.rankings._window import Floats, Mask, count, running, true_places

Whole = NDArray[np.int64]
Piece = tuple[Whole, Whole | int, Whole, Whole, int]
"""Of items of some rows: row, start and stop (excluded) in x, and the line intercept + slope · x between them."""


@dataclass(frozen=True, slots=True)
class Judgments:
    """What is known of a batch, as `Window` counts it: A, N (judged non-relevant), u and v, and where items stand."""

    relevant: Mask
    nonrelevant: Mask
    unjudged: Mask
    known: Floats
    known_not: Floats
    u: Floats
    v: Floats

    @property
    def total(self) -> Floats:
        """T: all items, judged or not."""
        return self.known + self.known_not + self.u + self.v

    def above(self, mask: Mask) -> tuple[Whole, Whole, Whole]:
        """Of each place of the mask its row, the judged non-relevant items above it, and the unjudged ones up to it."""
        row, column = true_places(mask)
        judged, unjudged = running(self.nonrelevant), running(self.unjudged)
        return row, judged[row, column + 1].astype(np.int64), unjudged[row, column + 1].astype(np.int64)


def greatest(judgments: Judgments) -> Floats:
    """The maximum; NaN where nothing can be relevant."""
    u, fewest = judgments.u.astype(np.int64), judgments.known.astype(np.int64)
    row, below, opened = judgments.above(judgments.relevant)
    meets = np.where(below - fewest[row] <= opened, _half(below + opened - fewest[row]), below - fewest[row])
    meets = np.clip(meets, 0, u[row] + 1)
    past = np.maximum(meets, opened)
    raised, over, nth = judgments.above(judgments.unjudged)
    caught = np.clip(over - fewest[raised], nth, u[raised] + 1)
    sums = _piecewise(
        judgments.relevant.shape,
        (
            (row, 0, meets, fewest[row], 1),
            (row, meets, past, below + opened, -1),
            (row, past, u[row] + 1, below, 0),
            (raised, nth, caught, fewest[raised], 1),
            (raised, caught, u[raised] + 1, over, 0),
        ),
    )
    along_x = _along_x(judgments, judgments.known, sums)
    if not judgments.v.any():
        return np.fmax.reduce(along_x, axis=1)
    found = np.concatenate((row, raised)), np.concatenate((below, over))
    along_y = _along_y(judgments, judgments.known + judgments.u, *found)
    return np.fmax(np.fmax.reduce(along_x, axis=1), np.fmax.reduce(along_y, axis=1))


def least(judgments: Judgments) -> Floats:
    """The minimum, for v that are finite; NaN where nothing can be relevant."""
    u, fewest = judgments.u.astype(np.int64), (judgments.known + judgments.v).astype(np.int64)
    row, below, opened = judgments.above(judgments.relevant)
    flat = below + opened - fewest[row] <= u[row] - opened
    meets = np.where(flat, below + opened - fewest[row], _half(below + u[row] - fewest[row]))
    meets = np.clip(meets, 0, u[row] + 1)
    past = np.maximum(meets, u[row] - opened)
    raised, over, nth = judgments.above(judgments.unjudged)
    nth = u[raised] + 1 - nth  # from the bottom
    caught = np.clip(_half(over + u[raised] - fewest[raised]), nth, u[raised] + 1)
    sums = _piecewise(
        judgments.relevant.shape,
        (
            (row, 0, meets, fewest[row], 1),
            (row, meets, past, below + opened, 0),
            (row, past, u[row] + 1, below + u[row], -1),
            (raised, nth, caught, fewest[raised], 1),
            (raised, caught, u[raised] + 1, over + u[raised], -1),
        ),
    )
    along_x = _along_x(judgments, judgments.known + judgments.v, sums)
    along_y = _along_y(judgments, judgments.known, row, below + opened)
    return np.fmin(np.fmin.reduce(along_x, axis=1), np.fmin.reduce(along_y, axis=1))


def _half(values: Whole) -> Whole:
    """Half of it, rounded up."""
    return -(-values // 2)


def _piecewise(shape: tuple[int, ...], pieces: Iterable[Piece]) -> Floats:
    """The sum of lines over the rows of a batch, for x = 0 to w, float64 (n, w + 1)."""
    n, width = shape[0], shape[1] + 2
    intercept, slope = np.zeros(n * width), np.zeros(n * width)
    for row, start, stop, line, rise in pieces:
        for at, sign in ((row * width + start, 1), (row * width + stop, -1)):
            intercept += np.bincount(at, sign * line, n * width)
            if rise:
                slope += sign * rise * np.bincount(at, minlength=n * width)
    lines = np.cumsum(intercept.reshape(n, width), axis=1)[:, :-1]
    return lines + np.cumsum(slope.reshape(n, width), axis=1)[:, :-1] * np.arange(width - 1, dtype=np.float64)


def _along_x(judgments: Judgments, fewest: Floats, sums: Floats) -> Floats:
    """The values for x = 0 to w with R = `fewest` + x; NaN where x is above u or R is 0."""
    x = np.arange(sums.shape[1], dtype=np.float64)
    r = fewest[:, None] + x
    values = _values(judgments, count(judgments.relevant)[:, None] + x, sums, r)
    return np.where((x <= judgments.u[:, None]) & (r > 0), values, np.nan)


def _along_y(judgments: Judgments, fewest: Floats, row: Whole, above: Whole) -> Floats:
    """The values for R = 1 to 2w with the same items found, those of `row`; NaN where R - `fewest` is not in 0..v.

    Past 2w every term only falls as R grows.
    """
    n, width = judgments.relevant.shape
    items = np.bincount(row, minlength=n).astype(np.float64)
    histogram = np.bincount(row * (width + 1) + above, minlength=n * (width + 1)).reshape(n, width + 1)
    sums = np.empty((n, 2 * width))
    np.cumsum(items[:, None] - np.cumsum(histogram, axis=1)[:, :-1], axis=1, out=sums[:, :width])
    sums[:, width:] = sums[:, width - 1 : width]
    r = np.arange(1.0, 2 * width + 1)
    y = r - fewest[:, None]
    values = _values(judgments, items[:, None], sums, r)
    return np.where((y >= 0) & (y <= judgments.v[:, None]), values, np.nan)


def _values(judgments: Judgments, found: Floats, sums: Floats, r: Floats) -> Floats:
    return (found - sums / np.maximum(np.minimum(r, judgments.total[:, None] - r), 1)) / np.maximum(r, 1)
