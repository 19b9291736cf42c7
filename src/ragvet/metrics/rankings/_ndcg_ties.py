"""Both ends of nDCG over all orders of items with equal scores."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._discount import discounts
from ragvet.metrics.rankings._equal_scores import by_relevance, first_among_equals
from ragvet.metrics.rankings._ndcg import gain_steps, judged_at_least
from ragvet.metrics.rankings._ndcg_bounds import Layers, greatest, least
from ragvet.metrics.rankings._rankings import UNJUDGED, Rankings
from ragvet.metrics.rankings._window import Floats, Mask, count, running, true_places, weigh


def tied_bounds(rankings: Rankings, tied: Mask, k: int | None, gain: str) -> tuple[Floats, Floats]:
    """The least and the greatest nDCG over every order of equal scores and every assignment; NaN where undefined.

    In layer g the best order has, among equal scores, the items of grade g or more before the unjudged ones and these
    before all others; the worst has them the other way round. Unjudged items below the cutoff count as the others do,
    with a discount of 0.
    """
    steps = gain_steps(rankings.top_grade, gain)
    at_least = judged_at_least(rankings)
    discount = discounts(rankings.depth)
    discount[rankings.depth if k is None else k :] = 0.0
    labels = rankings.labels
    u = count(labels == UNJUDGED)
    raised = np.minimum(np.arange(u.max(initial=0.0) + 1, dtype=np.float64), u[:, None])

    def layers(*, best: bool) -> tuple[Layers, list[Floats]]:
        dcg = np.zeros(len(rankings))
        gained: list[Floats] = []
        for level, step in enumerate(steps, start=1):
            worth = by_relevance(labels, level)
            ordered = first_among_equals(labels, tied, worth if best else 2 - worth)
            dcg += step * weigh(ordered >= level, discount)
            gained.append(_gained(ordered == UNJUDGED, discount, raised.shape[1] - 1, last=not best))
        return Layers(steps, at_least, dcg, k), gained

    worst, lost = layers(best=False)
    best, won = layers(best=True)
    ever = at_least[:, 0] + u + rankings.unjudged_elsewhere > 0
    low, high = least(worst, raised, lost, rankings.unjudged_elsewhere), greatest(best, raised, won)
    return np.where(ever, low, np.nan), np.where(ever, high, np.nan)


def _gained(unjudged: Mask, discount: Floats, most: int, *, last: bool) -> Floats:
    """The discounts of each row's first, or last, 0 to `most` unjudged items, float64 (n, most + 1)."""
    row, column = true_places(unjudged[:, ::-1] if last else unjudged)
    nth = np.arange(len(row)) - np.searchsorted(row, np.arange(len(unjudged)))[row]
    each = np.zeros((len(unjudged), most))
    each[row, nth] = (discount[::-1] if last else discount)[column]
    return running(each)
