"""From qrels and a run to scores."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Unpack, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.errors import InputError, Problem
from ragvet.metrics.rankings import Assumption, Metric, Reason, Scores, Status, parse_all
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
        assume: adds the column `assumed`: what another tool prints that makes this assumption about unjudged items;
            null for metrics that count judgments, which no assumption makes.
        tie_range: adds `tie_low` and `tie_high`: the bounds over every order of items with equal scores.
        **options: the fields of `Reading`, e.g. ``judgments="exhaustive"``.

    Returns:
        Columns query_id, metric, version, status, value, low, high, may_drop, reason, numerator, denominator, as in
        the `scores` of a run.

    Raises:
        InputError: a file or name cannot be read.

    Warns:
        InputWarning: for each remark about the input.

    >>> scores = evaluate({"q": {"a": 1, "b": 0}}, {"q": ["a", "c"]}, ["RR", "precision@2"])
    >>> scores.select("metric", "low", "high").rows()
    [('RR', 1.0, 1.0), ('precision@2', 0.5, 1.0)]
    """
    if isinstance(metrics, str):
        metrics = [metrics]  # a text is a sequence of letters, which nobody means
    named = iter(parse_all(metric for metric in metrics if isinstance(metric, str)))
    parsed = [next(named) if isinstance(metric, str) else metric for metric in metrics]
    collection = align(qrels, run, **options)
    for notice in collection.notices:
        warnings.warn(str(notice), InputWarning, stacklevel=2)
    return score(collection, parsed, assume=assume, tie_range=tie_range)


def score(
    collection: Collection, metrics: Sequence[Metric], *, assume: Assumption | None = None, tie_range: bool = False
) -> pl.DataFrame:
    """As `evaluate`, for a collection at hand."""
    known = get_args(Assumption)
    if assume is not None and assume not in known:
        raise InputError(Problem("assume", repr(assume), " or ".join(known), "Choose one of them."))
    found = [collection.score(metric) for metric in metrics]
    frame = as_frame(collection.query_ids, metrics, found)
    if assume is not None:
        nothing = np.full(len(collection), np.nan)
        assumed = [
            nothing if metric.definition.about_judgments else collection.score(metric, assume).value
            for metric in metrics
        ]
        frame = frame.with_columns(_numbers("assumed", assumed))
    if tie_range:
        extents = [collection.tie_extent(metric) for metric in metrics]
        lows, highs = ([extent[end] for extent in extents] for end in (0, 1))
        frame = frame.with_columns(_numbers("tie_low", lows), _numbers("tie_high", highs))
    return frame


def as_frame(query_ids: pl.Series, metrics: Sequence[Metric], found: Sequence[Scores]) -> pl.DataFrame:
    """The scores of each metric as rows, one metric after the other."""
    versions = np.array([metric.declaration.version for metric in metrics], np.int32)
    each = len(query_ids)
    numbers = {
        name: _numbers(name, [getattr(scores, name) for scores in found])
        for name in ("value", "low", "high", "numerator", "denominator")
    }
    return pl.DataFrame(
        [
            pl.concat([query_ids[:0], *([query_ids] * len(metrics))]).alias("query_id"),
            pl.concat([_name("")[:0], *(_name(metric.name).new_from_index(0, each) for metric in metrics)]),
            pl.Series("version", np.repeat(versions, each)),
            _STATUS[_joined([scores.status for scores in found])],
            numbers["value"],
            numbers["low"],
            numbers["high"],
            pl.Series(
                "may_drop", np.concatenate([scores.may_drop for scores in found]) if found else np.zeros(0, np.bool_)
            ),
            _REASON[_joined([scores.reason for scores in found])],
            numbers["numerator"],
            numbers["denominator"],
        ]
    )


def _name(metric: str) -> pl.Series:
    return pl.Series("metric", [metric], pl.String)


def _numbers(name: str, parts: list[NDArray[np.float64]]) -> pl.Series:
    return pl.Series(name, np.concatenate(parts) if parts else np.zeros(0), nan_to_null=True)


def _joined(parts: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    return np.concatenate(parts) if parts else np.zeros(0, np.uint8)
