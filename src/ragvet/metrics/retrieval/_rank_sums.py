"""Sums of precision over relevant ranks, shared by average precision and context precision.

For x unjudged items taken as relevant, N = Σ over relevant ranks q of (relevant up to q) / q is largest when the x
stand first among the unjudged places and smallest when they stand last. Both are followed column by column: raising
the unjudged item at rank q adds its own share and lifts every relevant rank after it by 1/q.
"""

from __future__ import annotations

import numpy as np

from ragvet.metrics.retrieval._window import Floats, Mask


def precision_sum(relevant: Mask) -> Floats:
    """N with nothing unjudged taken as relevant."""
    row, column = np.nonzero(relevant)
    first = np.searchsorted(row, np.arange(len(relevant)))
    nth = np.arange(1, len(row) + 1) - first[row]
    return np.bincount(row, nth / (column + 1), minlength=len(relevant)).astype(np.float64, copy=False)


def extremes(relevant: Mask, unjudged: Mask, plain: Floats, known: Floats, elsewhere: Floats) -> tuple[Floats, Floats]:
    """The least and the greatest N / (known + x + y) over x unjudged items here and y elsewhere, 0/0 left out.

    The least has y = `elsewhere`, the greatest y = 0 (or, where nothing else can be relevant, any y: 0).
    """
    reciprocal = 1 / np.arange(1.0, relevant.shape[1] + 1)
    above = np.cumsum(relevant, axis=1, dtype=np.float64)
    share = relevant * reciprocal
    x = np.cumsum(unjudged, axis=1, dtype=np.float64)
    gain = ((above + x) * reciprocal + _after(share)) * unjudged
    best = _ratios(gain, x, plain, known)
    high = np.fmax.reduce(best, axis=1, initial=0.0)
    if np.isinf(elsewhere).all():
        return np.zeros(len(known)), high
    share += unjudged * reciprocal
    gain = (((above + 1) * reciprocal + _after(share)) * unjudged)[:, ::-1]
    x = np.cumsum(unjudged[:, ::-1], axis=1, dtype=np.float64)
    worst = _ratios(gain, x, plain, known + elsewhere)
    return np.fmin.reduce(worst, axis=1), high


def _ratios(gain: Floats, x: Floats, plain: Floats, known: Floats) -> Floats:
    """N / (known + x), float64 (n, w + 1), with no, one, two … columns raised; NaN for 0/0."""
    total = np.zeros((len(plain), gain.shape[1] + 1))
    np.cumsum(gain, axis=1, out=total[:, 1:])
    total += plain[:, None]
    with np.errstate(invalid="ignore"):
        total[:, 1:] /= x + known[:, None]
        total[:, 0] /= known
    return total


def _after(values: Floats) -> Floats:
    """For each column the sum of all columns after it."""
    sums = np.zeros_like(values)
    np.cumsum(values[:, :0:-1], axis=1, out=sums[:, -2::-1])
    return sums
