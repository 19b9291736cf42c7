"""Sums of precision over relevant ranks, shared by average precision and context precision.

For x unjudged items taken as relevant, N = Σ over relevant ranks q of (relevant up to q) / q is largest when the x
stand first among the unjudged places and smallest when they stand last. Both are followed column by column: raising
the unjudged item at rank q adds its own share and lifts every relevant rank after it by 1/q.
"""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._window import Floats, Mask, count, divide, gapped, running, true_places


def precision_sum(relevant: Mask) -> Floats:
    """N with nothing unjudged taken as relevant."""
    row, column = true_places(relevant)
    first = np.searchsorted(row, np.arange(len(relevant)))
    nth = np.arange(1, len(row) + 1) - first[row]
    return np.bincount(row, nth / (column + 1), minlength=len(relevant)).astype(np.float64, copy=False)


def extremes(relevant: Mask, unjudged: Mask, plain: Floats, known: Floats, elsewhere: Floats) -> tuple[Floats, Floats]:
    """The least and the greatest N / (known + x + y) over x unjudged items here and y elsewhere, 0/0 left out.

    The least has y = `elsewhere`, the greatest y = 0 (or, where nothing else can be relevant, any y: 0).
    """
    unbounded = bool(np.isinf(elsewhere).all())
    low = np.zeros(len(known)) if unbounded else _least(relevant, unjudged, plain, known + elsewhere)
    return low, _greatest(relevant, unjudged, plain, known)


def _greatest(relevant: Mask, unjudged: Mask, plain: Floats, known: Floats) -> Floats:
    """Where no item known to be non-relevant stands above, each one raised adds 1 or more: all of them is best."""
    u = count(unjudged)
    high = divide(count(relevant) + u, known + u, otherwise=0.0)
    rows = np.flatnonzero(gapped(relevant | unjudged))
    if len(rows):
        high[rows] = _greatest_of_all(relevant[rows], unjudged[rows], plain[rows], known[rows])
    return high


def _greatest_of_all(relevant: Mask, unjudged: Mask, plain: Floats, known: Floats) -> Floats:
    reciprocal = 1 / np.arange(1.0, relevant.shape[1] + 1)
    x = running(unjudged)
    gain = ((running(relevant)[:, 1:] + x[:, 1:]) * reciprocal + _after(relevant * reciprocal)) * unjudged
    return np.fmax.reduce(_ratios(running(gain, plain), x + known[:, None]), axis=1, initial=0.0)


def _least(relevant: Mask, unjudged: Mask, plain: Floats, known: Floats) -> Floats:
    reciprocal = 1 / np.arange(1.0, relevant.shape[1] + 1)
    share = (relevant | unjudged) * reciprocal
    gain = ((running(relevant)[:, 1:] + 1) * reciprocal + _after(share)) * unjudged
    x = running(unjudged[:, ::-1], known)
    return np.fmin.reduce(_ratios(running(gain[:, ::-1], plain), x), axis=1)


def _ratios(sums: Floats, relevant: Floats) -> Floats:
    """Their quotients; NaN for 0/0."""
    with np.errstate(invalid="ignore"):
        return np.divide(sums, relevant, out=sums)


def _after(values: Floats) -> Floats:
    """For each column the sum of all columns after it."""
    return running(values[:, ::-1])[:, -2::-1]
