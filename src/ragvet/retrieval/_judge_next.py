"""What to judge next: the items whose judgments would shrink a metric's intervals most.

The unjudged items of a ranking are judged from its top. Of each query it is estimated how wide its interval is left
once the first 1, 2, … of them are judged, over grades drawn from those of its judged items and, where these are few, of
all queries. The greatest fall per judgment comes first: of a query that is only settled by three judgments, all three,
each worth a third of what they bring together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.metrics.rankings import UNJUDGED, Metric, Rankings, Scores, compute
from ragvet.retrieval._collection import Collection
from ragvet.retrieval._index import Places

Floats = NDArray[np.float64]

_DRAWS = 16
"""Ways the grades of unjudged items are drawn; the same for all queries, so that like ones come out alike."""
_OTHERS = 4.0
"""The grades of all queries together weigh as much as so many judged items of the query itself."""
_EACH = 20
"""So many items are looked at one by one; further ones in steps that grow by a quarter."""
_CELLS = 1 << 22
"""Places of rankings that are copied at once."""
_DIGITS = 9
"""Falls that agree so far are the same."""


def judge_next(collection: Collection, metric: Metric, limit: int | None = 100) -> pl.DataFrame:
    """The unjudged ranked items whose judgment would tell most about the metric, the most telling first.

    Only items in the metric's window are offered; any other one just lowers the number of unknown ones. Items that
    settle a query together stand together.

    Args:
        collection: aligned with ``keep_items=True``.
        metric: whose interval should shrink.
        limit: how many to return; None: all.

    Returns:
        Columns query_id, item, rank, width (of the query's interval now), shrinks (how much one judgment of those that
        belong together is expected to bring).
    """
    items = collection.items
    if items is None:
        raise ValueError("align with keep_items=True: without ids there is nothing to judge")
    grades = sum((_seen(batch.rankings, metric).sum(axis=0) for batch in collection.batches), start=np.array(1.0))
    rows = [
        (shrinks, first, batch.rows[row], column, batch.places[row, column], now)
        for batch in collection.batches
        if batch.places is not None
        for row, column, first, now, shrinks in _offered(batch.rankings, metric, grades / grades.sum())
    ]
    rows.sort(key=lambda one: (-one[0], *one[1:4]))
    shrinks, _, query, column, place, now = zip(*rows[:limit], strict=True) if rows else ((),) * 6
    return pl.DataFrame(
        {
            "query_id": collection.query_ids.gather(np.array(query, np.int64)),
            "item": items.gather(np.array(place, np.int64)),
            "rank": np.array(column, np.int64) + 1,
            "width": np.array(now, np.float64),
            "shrinks": np.array(shrinks, np.float64),
        }
    )


def open_outside(collection: Collection, metric: Metric) -> int:
    """Queries whose interval is open though nothing unjudged stands in the metric's window."""
    widths = [
        (_width(compute(metric, batch.rankings)), _window(batch.rankings, metric)) for batch in collection.batches
    ]
    return sum(int(np.count_nonzero((width > 0) & ~window.any(axis=1))) for width, window in widths)


_Offered = tuple[int, int, int, float, float]


def _offered(rankings: Rankings, metric: Metric, prior: Floats) -> Iterator[_Offered]:
    """Row, column, column of the first item it belongs together with, the width now, and what a judgment brings."""
    width, window = _width(compute(metric, rankings)), _window(rankings, metric)
    rows = np.flatnonzero((width > 0) & window.any(axis=1))
    at_once = max(1, _CELLS // (_DRAWS * rankings.depth))
    for start in range(0, len(rows), at_once):
        some = rows[start : start + at_once]
        steps = _steps(int(np.count_nonzero(window[some], axis=1).max()))
        left = _left(rankings, metric, prior, some, steps)
        for row, widths in zip(some.tolist(), np.column_stack((width[some], left)), strict=True):
            columns = np.flatnonzero(window[row])
            lengths = np.unique(np.minimum((0, *steps), len(columns)))
            for first, last, fall in _falls(lengths, widths[: len(lengths)]):
                for column in columns[first:last].tolist():
                    yield row, column, int(columns[first]), float(width[row]), fall


def _steps(most: int) -> list[int]:
    """How many items are judged from the top, tried one after the other, up to `most`."""
    steps = list(range(1, min(most, _EACH) + 1))
    while steps[-1] < most:
        steps.append(min(most, steps[-1] + steps[-1] // 4))
    return steps


def _left(rankings: Rankings, metric: Metric, prior: Floats, rows: Places, steps: list[int]) -> Floats:
    """The mean width left of each row once so many of its unjudged items are judged, float64 (rows, steps)."""
    seen = _seen(rankings, metric)[rows]
    chance = np.cumsum(seen + _OTHERS * prior, axis=1) / (seen.sum(axis=1, keepdims=True) + _OTHERS)
    dice = np.random.default_rng(0)
    # each item takes every quantile once, in another order
    quantiles = (np.stack([dice.permutation(_DRAWS) for _ in range(steps[-1])], axis=1) + 0.5) / _DRAWS
    copies = np.repeat(np.arange(len(rows)), _DRAWS)
    drawn = np.tile(quantiles, (len(rows), 1))
    grades = np.zeros(drawn.shape, np.int8)
    for grade in range(chance.shape[1] - 1):
        grades += drawn > chance[copies, grade, None]
    window = _window(rankings, metric)[rows[copies]]
    nth = np.cumsum(window, axis=1)
    left = np.zeros((len(rows), len(steps)))
    for step, length in enumerate(steps):
        tried = rankings.select(rows[copies])
        row, column = np.nonzero(window & (nth <= length))
        tried.labels[row, column] = grades[row, nth[row, column] - 1]
        np.add.at(tried.judged, (row, tried.labels[row, column]), 1)
        left[:, step] = _width(compute(metric, tried)).reshape(len(rows), _DRAWS).mean(axis=1)
    return left


def _falls(lengths: Places, widths: Floats) -> Iterator[tuple[int, int, float]]:
    """The stretches of items that belong together, from and to, and the fall of the width per item: steepest first."""
    at = 0
    while at < len(lengths) - 1:
        slopes: Floats = (widths[at] - widths[at + 1 :]) / (lengths[at + 1 :] - lengths[at])
        falls = [round(slope, _DIGITS) for slope in slopes.tolist()]
        fall = max(falls)
        steepest = falls.index(fall)
        if fall <= 0:
            return
        yield int(lengths[at]), int(lengths[at + 1 + steepest]), fall
        at += 1 + steepest


def _window(rankings: Rankings, metric: Metric) -> NDArray[np.bool_]:
    """Where an unjudged item stands that the metric looks at."""
    return rankings.labels[:, : metric.cutoff] == UNJUDGED


def _seen(rankings: Rankings, metric: Metric) -> Floats:
    """How many judged items of each grade stand in the window, float64 (n, G + 1)."""
    labels = rankings.labels[:, : metric.cutoff]
    counts = [np.count_nonzero(labels == grade, axis=1) for grade in range(rankings.top_grade + 1)]
    return np.stack(counts, axis=1).astype(np.float64)


def _width(scores: Scores) -> Floats:
    return np.nan_to_num(scores.high - scores.low, nan=0.0)
