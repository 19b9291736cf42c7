"""A metric on many rankings, block by block."""

from __future__ import annotations

from ragvet.metrics.rankings._metric import Metric
from ragvet.metrics.rankings._rankings import Rankings
from ragvet.metrics.rankings._scores import Reason, Scores, publish
from ragvet.metrics.rankings._window import Window

_CELLS = 1 << 18
"""Places of a block of queries: what a metric makes of them stays in the processor's cache."""


def compute(metric: Metric, rankings: Rankings) -> Scores:
    """The metric on every query: a value where it is known, exact bounds where it is not, or why it is undefined.

    >>> from ragvet.metrics.rankings import parse
    >>> batch = Rankings.from_items([[1, None, 0]], [[1, 1]], unjudged_elsewhere=0)
    >>> scores = compute(parse("precision@2"), batch)
    >>> float(scores.low[0]), float(scores.high[0])
    (0.5, 1.0)
    """
    blocks = in_blocks(len(rankings), min(rankings.depth, metric.cutoff or rankings.depth))
    return Scores.joined([_block(metric, rankings.rows(rows.start, rows.stop)) for rows in blocks])


def in_blocks(queries: int, width: int) -> list[slice]:
    """The queries some at a time, at least one block of them."""
    rows = max(1, _CELLS // max(width, 1))
    return [slice(start, start + rows) for start in range(0, max(queries, 1), rows)]


def _block(metric: Metric, rankings: Rankings) -> Scores:
    window = Window(rankings, metric.cutoff)
    definition = metric.definition
    undefined = definition.undefined
    if definition.needs_repeats and rankings.redundant is None:
        undefined = Reason.REPEATS_UNKNOWN
    return publish(
        metric.measure(window),
        window,
        undefined=undefined,
        bounded_by=definition.bounded,
        looks_elsewhere=definition.looks_elsewhere,
    )
