"""How far a metric moves if items with equal scores were ordered otherwise, unknown judgments at their worst and best.

For a fixed assignment of grades each metric is best with equal scores by falling relevance and worst by rising one.
Only what a metric sees of an item counts: whether it reaches the level, its grade, or whether it is judged. nDCG sees
layers (`_ndcg_ties`). Context precision may be better off without some of the relevant items that share their score
with the last place, so that every number of them is tried.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ragvet.metrics.rankings._compute import compute, in_blocks
from ragvet.metrics.rankings._equal_scores import by_relevance, first_among_equals
from ragvet.metrics.rankings._metric import Metric
from ragvet.metrics.rankings._ndcg_ties import tied_bounds
from ragvet.metrics.rankings._rankings import MAX_GRADE, UNJUDGED, Rankings
from ragvet.metrics.rankings._window import Floats, Mask

Worth = NDArray[np.int8]


def tie_extent(metric: Metric, rankings: Rankings, tied: Mask) -> tuple[Floats, Floats]:
    """The least and the greatest value over every order of equal scores and every assignment of grades.

    Args:
        metric: whose value is asked for.
        rankings: without `redundant`, which depend on the order.
        tied: bool (n, depth): the score equals that of the item before.

    Returns:
        float64 (n,) each, NaN where the metric is undefined under all of them.
    """
    blocks = in_blocks(len(rankings), rankings.depth)
    found = [_extent(metric, rankings.rows(rows.start, rows.stop), tied[rows]) for rows in blocks]
    return np.concatenate([low for low, _ in found]), np.concatenate([high for _, high in found])


def _extent(metric: Metric, rankings: Rankings, tied: Mask) -> tuple[Floats, Floats]:
    if metric.definition.ties == "layers":
        return tied_bounds(rankings, tied, metric.cutoff, str(metric.arguments["gain"]))
    if metric.definition.ties == "cut" and metric.cutoff is not None:
        return _at_the_cut(metric, rankings, tied, metric.cutoff)
    best, worst = _worth(metric, rankings)
    return _low(metric, rankings, tied, worst), _high(metric, rankings, tied, best)


def _worth(metric: Metric, rankings: Rankings) -> tuple[Worth, Worth]:
    """What an item counts where the metric is greatest, and where it is least."""
    labels = rankings.labels
    match metric.definition.ties:
        case "grade":  # never falls when a grade rises
            top = np.where(labels == UNJUDGED, np.int8(rankings.top_grade), labels)
            return np.maximum(top, 0), np.maximum(labels, 0)
        case "judged":
            worth = (labels >= 0).astype(np.int8)
        case "unjudged":
            worth = (labels == UNJUDGED).astype(np.int8)
        case _:
            worth = by_relevance(labels, _level(metric))
    return worth, worth


def _level(metric: Metric) -> int:
    return int(metric.arguments.get("rel", 1))


def _high(metric: Metric, rankings: Rankings, tied: Mask, worth: Worth) -> Floats:
    return compute(metric, replace(rankings, labels=first_among_equals(rankings.labels, tied, worth))).high


def _low(metric: Metric, rankings: Rankings, tied: Mask, worth: Worth) -> Floats:
    worst = MAX_GRADE - worth
    return compute(metric, replace(rankings, labels=first_among_equals(rankings.labels, tied, worst))).low


def _at_the_cut(metric: Metric, rankings: Rankings, tied: Mask, k: int) -> tuple[Floats, Floats]:
    labels, level = rankings.labels, _level(metric)
    score = np.cumsum(~tied, axis=1)
    cut = score == score[:, min(k, labels.shape[1]) - 1, None]
    relevant = cut & (labels >= level)
    nth = np.cumsum(relevant, axis=1)
    places = np.count_nonzero(cut[:, :k], axis=1)
    low, high = np.full(len(rankings), np.nan), np.full(len(rankings), np.nan)
    for admitted in range(int(np.minimum(nth[:, -1], places).max(initial=0)) + 1):
        worth = np.where(relevant & (nth > admitted), np.int8(0), by_relevance(labels, level) + np.int8(1))
        window = replace(rankings, labels=first_among_equals(labels, tied, worth)[:, :k])
        among = by_relevance(window.labels, level)
        low = np.fmin(low, _low(metric, window, tied[:, :k], among))
        high = np.fmax(high, _high(metric, window, tied[:, :k], among))
    return low, high
