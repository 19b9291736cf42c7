from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.metrics.retrieval import UNJUDGED, Metric, Rankings, Scores, compute
from ragvet.retrieval._collection import Batch, Collection
from ragvet.retrieval._index import Places

_AT_ONCE = 4096
"""Items tried at once, each with a copy of its ranking."""


def judge_next(collection: Collection, metric: Metric, limit: int | None = 100) -> pl.DataFrame:
    """The unjudged ranked items whose judgment would tell most about the metric, the most telling first.

    Each item is tried at every grade: the interval that would be left says how much the judgment shrinks it. Only
    items in the metric's window are tried; any other one just lowers the number of unknown ones.

    Args:
        collection: aligned with ``keep_items=True``.
        metric: whose interval should shrink.
        limit: how many to return; None: all.

    Returns:
        Columns query_id, item, rank, width (of the interval now), shrinks (mean over the grades), shrinks_at_least
        (at the least telling grade).
    """
    items = collection.items
    if items is None:
        raise ValueError("align with keep_items=True: without ids there is nothing to judge")
    frames = [
        pl.DataFrame(
            {
                "query_id": collection.query_ids.gather(batch.rows[rows]),
                "item": items.gather(batch.places[rows, columns]),
                "rank": columns + 1,
                "width": now,
                "shrinks": (now - left.mean(axis=0)),
                "shrinks_at_least": (now - left.max(axis=0)),
            }
        )
        for batch in collection.batches
        if batch.places is not None
        for rows, columns, now, left in _tried(batch, metric)
    ]
    if not frames:
        return _NONE
    found = pl.concat(frames).filter(pl.col("shrinks") > 0)
    by = ["shrinks", "shrinks_at_least", "rank"]
    found = found.sort(by, descending=[True, True, False], maintain_order=True)
    return found if limit is None else found.head(limit)


_NONE = pl.DataFrame(
    schema={"query_id": pl.String, "item": pl.String, "rank": pl.Int64, "width": pl.Float64, "shrinks": pl.Float64,
            "shrinks_at_least": pl.Float64}
)  # fmt: skip

_Tried = tuple[Places, Places, NDArray[np.float64], NDArray[np.float64]]


def _tried(batch: Batch, metric: Metric) -> Iterator[_Tried]:
    """For some items at a time: row, column, the width now, and (G + 1, items) the width left at each grade."""
    rankings = batch.rankings
    width = _width(compute(metric, rankings))
    window = rankings.labels[:, : metric.cutoff]
    rows, columns = np.nonzero((window == UNJUDGED) & (width > 0)[:, None])
    for start in range(0, len(rows), _AT_ONCE):
        row, column = rows[start : start + _AT_ONCE], columns[start : start + _AT_ONCE]
        left = [_width(compute(metric, _judged(rankings, row, column, g))) for g in range(rankings.top_grade + 1)]
        yield row, column, width[row], np.array(left)


def _judged(rankings: Rankings, row: Places, column: Places, grade: int) -> Rankings:
    """A copy of the ranking of each item, with that item judged."""
    tried = rankings.select(row)
    tried.labels[np.arange(len(row)), column] = grade
    tried.judged[:, grade] += 1
    return tried


def _width(scores: Scores) -> NDArray[np.float64]:
    return np.nan_to_num(scores.high - scores.low, nan=0.0)
