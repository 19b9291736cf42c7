from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ragvet.metrics.retrieval import EMPTY, UNJUDGED, Rankings

Tied = NDArray[np.bool_]


def best_order(rankings: Rankings, tied: Tied, *, unjudged_first: bool) -> Rankings:
    """Items with equal scores by falling grade, unjudged ones before all others or just before grade 0."""
    worth = rankings.labels.astype(np.float64)
    worth[rankings.labels == UNJUDGED] = rankings.top_grade + 0.5 if unjudged_first else 0.5
    return _within_ties(rankings, tied, -worth)


def worst_order(rankings: Rankings, tied: Tied, *, unjudged_first: bool) -> Rankings:
    """Items with equal scores by rising grade, unjudged ones just after grade 0 or after all others."""
    worth = rankings.labels.astype(np.float64)
    worth[rankings.labels == UNJUDGED] = 0.5 if unjudged_first else rankings.top_grade + 0.5
    return _within_ties(rankings, tied, worth)


def _within_ties(rankings: Rankings, tied: Tied, key: NDArray[np.float64]) -> Rankings:
    group = np.cumsum(~tied, axis=1)
    key = np.where(rankings.labels == EMPTY, 0.0, key)
    order = np.lexsort((key, group), axis=1)
    repeats = None if rankings.repeats is None else np.take_along_axis(rankings.repeats, order, axis=1)
    return replace(rankings, labels=np.take_along_axis(rankings.labels, order, axis=1), repeats=repeats)
