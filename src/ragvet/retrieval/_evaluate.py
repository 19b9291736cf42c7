from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Unpack

import polars as pl

from ragvet.metrics.retrieval import Assumption, Metric, Reason, Scores, Status, parse
from ragvet.retrieval._assemble import align
from ragvet.retrieval._collection import Collection
from ragvet.retrieval._notices import InputWarning
from ragvet.retrieval._options import ReadingOptions
from ragvet.retrieval._tables import Source

_STATUS = pl.Series("status", [status.name for status in Status], pl.Enum([status.name for status in Status]))
_WORDS = [reason.words for reason in Reason if reason is not Reason.NONE]
_REASON = pl.Series("reason", [None, *_WORDS], pl.Enum(_WORDS))


def evaluate(
    qrels: Source,
    run: Source,
    metrics: Sequence[str | Metric],
    *,
    assume: Assumption | None = None,
    tie_range: bool = False,
    **options: Unpack[ReadingOptions],
) -> pl.DataFrame:
    """One row for each query and metric: value, exact bounds, and why there is no value where there is none.

    Args:
        qrels: a path (TREC, BEIR folder, TSV, JSON lines, Parquet; .gz, .zst; ``-``), a frame, or a dict.
        run: likewise.
        metrics: names such as ``nDCG@10``.
        assume: adds the column `assumed`: what another tool prints that makes this assumption about unjudged items.
        tie_range: adds `tie_low` and `tie_high`: the bounds over every order of items with equal scores.
        **options: the fields of `Reading`, e.g. ``judgments="exhaustive"``.

    Returns:
        Columns query_id, metric, version, status, value, low, high, reason, numerator, denominator, as in the
        `scores` of a run.

    Raises:
        InputError: a file or name cannot be read.

    Warns:
        InputWarning: for each remark about the input.

    >>> scores = evaluate({"q": {"a": 1, "b": 0}}, {"q": ["a", "c"]}, ["RR", "precision@2"])
    >>> scores.select("metric", "low", "high").rows()
    [('RR', 1.0, 1.0), ('precision@2', 0.5, 1.0)]
    """
    parsed = [parse(metric) if isinstance(metric, str) else metric for metric in metrics]
    collection = align(qrels, run, **options)
    for notice in collection.notices:
        warnings.warn(str(notice), InputWarning, stacklevel=2)
    return score(collection, parsed, assume=assume, tie_range=tie_range)


def score(
    collection: Collection, metrics: Sequence[Metric], *, assume: Assumption | None = None, tie_range: bool = False
) -> pl.DataFrame:
    """As `evaluate`, for a collection at hand."""
    frames: list[pl.DataFrame] = []
    for metric in metrics:
        frame = as_frame(collection.query_ids, metric, collection.score(metric))
        if assume is not None:
            assumed = collection.score(metric, assume).value
            frame = frame.with_columns(pl.Series("assumed", assumed, nan_to_null=True))
        if tie_range:
            low, high = collection.tie_extent(metric)
            frame = frame.with_columns(
                pl.Series("tie_low", low, nan_to_null=True), pl.Series("tie_high", high, nan_to_null=True)
            )
        frames.append(frame)
    return pl.concat(frames)


def as_frame(query_ids: pl.Series, metric: Metric, scores: Scores) -> pl.DataFrame:
    """Scores as rows."""
    return pl.DataFrame(
        [
            query_ids.alias("query_id"),
            pl.repeat(metric.name, len(scores), dtype=pl.String, eager=True).alias("metric"),
            pl.repeat(metric.declaration.version, len(scores), dtype=pl.Int32, eager=True).alias("version"),
            _STATUS.gather(scores.status),
            *(pl.Series(name, getattr(scores, name), nan_to_null=True) for name in ("value", "low", "high")),
            _REASON.gather(scores.reason),
            *(pl.Series(name, getattr(scores, name), nan_to_null=True) for name in ("numerator", "denominator")),
        ]
    )
