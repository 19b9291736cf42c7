"""Sums of precision over relevant ranks, shared by average precision and context precision.

For x unjudged items taken as relevant, N = Σ over relevant ranks q of (relevant up to q) / q is largest when the x
stand first among the unjudged places and smallest when they stand last. Both are followed column by column: raising
the unjudged item at rank q adds its own share and lifts every relevant rank after it by 1/q.
"""

from __future__ import annotations

import numpy as np

from ragvet.metrics.retrieval._window import Floats, Mask, divide


def precision_sum(relevant: Mask) -> Floats:
    """N with nothing unjudged taken as relevant."""
    row, column = np.nonzero(relevant)
    first = np.searchsorted(row, np.arange(len(relevant)))
    nth = np.arange(1, len(row) + 1) - first[row]
    return np.bincount(row, nth / (column + 1), minlength=len(relevant))


def extremes(relevant: Mask, unjudged: Mask, plain: Floats, known: Floats, elsewhere: Floats) -> tuple[Floats, Floats]:
    """The least and the greatest N / (known + x + y) over x unjudged items here and y elsewhere, 0/0 left out.

    The least has y = `elsewhere`, the greatest y = 0 (or, where nothing else can be relevant, any y: 0).
    """
    rank = np.arange(1, relevant.shape[1] + 1)
    above = np.cumsum(relevant, axis=1, dtype=np.float64)
    share = relevant / rank

    x = np.cumsum(unjudged, axis=1, dtype=np.float64)
    gain = ((above + x) / rank + _after(share)) * unjudged
    best = divide(plain[:, None] + np.cumsum(gain, axis=1), known[:, None] + x, otherwise=-np.inf)
    high = np.maximum(divide(plain, known, otherwise=-np.inf), best.max(axis=1))

    least = known + elsewhere
    x = np.cumsum(unjudged[:, ::-1], axis=1, dtype=np.float64)
    gain = (((above + 1) / rank + _after(share + unjudged / rank)) * unjudged)[:, ::-1]
    worst = divide(plain[:, None] + np.cumsum(gain, axis=1), least[:, None] + x, otherwise=np.inf)
    low = np.minimum(divide(plain, least, otherwise=np.inf), worst.min(axis=1))
    return low, np.where(np.isinf(high), 0.0, high)


def _after(values: Floats) -> Floats:
    """For each column the sum of all columns after it."""
    sums = np.cumsum(values[:, ::-1], axis=1)[:, ::-1]
    sums -= values
    return sums
