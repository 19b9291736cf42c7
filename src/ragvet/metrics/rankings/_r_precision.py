"""R-precision: precision at the number of relevant items."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Window, divide, running
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1) -> Extent:
    """One scan over R, the number of relevant items, which also is the depth looked at.

    With s = R - A unjudged items relevant, as many of them as fit stand in the first R places at best, and at worst
    only those that find no room below and elsewhere. Past the end of the ranking, at R > d, the best is reached with
    every unjudged item of the ranking relevant (R = A + u), the worst with all those elsewhere (R = A + v).
    """
    relevant = window.fresh(rel)
    known = window.known_relevant(rel)
    unjudged, u, v = window.could_be_fresh(rel)
    depth = relevant.shape[1]
    r = np.arange(1.0, depth + 1)
    above = running(relevant)[:, 1:]
    hits = above[:, -1]
    open_above = running(unjudged)[:, 1:]
    s = r - known[:, None]
    possible = (s >= 0) & (s <= (u + v)[:, None])
    best = np.where(possible, (above + np.minimum(s, open_above)) / r, -np.inf)
    room = (u + v)[:, None] - open_above
    worst = np.where(possible, (above + np.maximum(0.0, s - room)) / r, np.inf)
    high = np.maximum(best.max(axis=1), np.where(known + u > depth, divide(hits + u, known + u), -np.inf))
    low = np.minimum(worst.min(axis=1), np.where(known + v > depth, divide(hits, known + v), np.inf))
    settled = u + v == 0
    at_r = np.where(known > 0, above[np.arange(len(window)), np.clip(known, 1, depth).astype(np.int64) - 1], 0.0)
    return Extent(
        low,
        high,
        ever=known + u + v > 0,
        always=window.some_relevant(rel),
        numerator=np.where(settled, at_r, np.nan),
        denominator=np.where(settled, known, np.nan),
    )


R_PRECISION = Definition(
    MetricDeclaration(
        name="R-precision",
        version=1,
        family="Retrieval",
        title="Precision at the depth where a perfect ranking would end.",
        direction="higher",
        needs="judgments of the whole judged set",
        undefined_when="The judged set holds nothing relevant.",
        does_not_catch="The order inside the first R, and what stands where your system cuts.",
        formula="relevant in the first R / R, with R the number of relevant items in the whole judged set",
        reference="Buckley, Voorhees (2005); trec_eval Rprec",
    ),
    measure,
    cutoff="none",
    looks_elsewhere=True,
)
