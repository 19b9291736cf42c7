from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.metrics.retrieval import Reason

Floats = NDArray[np.float64]


def summarise(scores: pl.DataFrame, strata: pl.DataFrame | None = None) -> pl.DataFrame:
    """Means over queries with everything unknown at its worst and best, one row for each metric and stratum.

    Args:
        scores: what `evaluate` returns.
        strata: columns query_id and stratum. Each stratum gets its rows beside those of all queries.

    Returns:
        Columns metric, stratum, queries, published, bounded, undefined, mean, mean_low, mean_high, and the means of
        assumed, tie_low and tie_high where they are there. `mean` is set only where every defined query is published.
    """
    groups = [("all", scores)]
    if strata is not None:
        joined = scores.join(strata, on="query_id", how="left", maintain_order="left")
        joined = joined.with_columns(pl.col("stratum").fill_null("(none)"))
        names = joined["stratum"].unique().sort().to_list()
        groups += [(name, joined.filter(pl.col("stratum") == name)) for name in names]
    metrics = scores["metric"].unique(maintain_order=True).to_list()
    rows = [
        _row(metric, name, group.filter(pl.col("metric") == metric)) for metric in metrics for name, group in groups
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def mean_extent(low: Floats, high: Floats, maybe: NDArray[np.bool_]) -> tuple[float, float]:
    """The least and the greatest mean, NaN where there is none.

    A query that is defined only under some assignments (`maybe`) counts or drops out, whichever is worse or better.
    """
    return _least_mean(low[~maybe], low[maybe]), -_least_mean(-high[~maybe], -high[maybe])


def _least_mean(sure: Floats, maybe: Floats) -> float:
    """The least mean of all sure values and any of the others: the smallest ones, each below the mean so far."""
    if not len(sure) and not len(maybe):
        return float("nan")
    values = np.concatenate((sure, np.sort(maybe)))
    means = np.cumsum(values) / np.arange(1, len(values) + 1)
    return float(means[max(len(sure), 1) - 1 :].min())


def _row(metric: str, stratum: str, scores: pl.DataFrame) -> dict[str, str | int | float | None]:
    status = scores["status"].cast(pl.String)
    defined = scores.filter(status != "undefined")
    maybe = (defined["reason"].cast(pl.String) == Reason.ONLY_IF_RELEVANT.words).fill_null(value=False).to_numpy()
    low, high = mean_extent(defined["low"].to_numpy(), defined["high"].to_numpy(), maybe)
    counts = [int((status == name).sum()) for name in ("scored", "bounded", "undefined")]
    exact = counts[0] > 0 and counts[1] == 0
    row: dict[str, str | int | float | None] = {
        "metric": metric,
        "stratum": stratum,
        "queries": scores.height,
        "published": counts[0],
        "bounded": counts[1],
        "undefined": counts[2],
        "mean": _mean(defined["value"]) if exact else None,
        "mean_low": None if np.isnan(low) else low,
        "mean_high": None if np.isnan(high) else high,
    }
    for column in _extra(scores.columns):
        row[column] = _mean(scores[column])
    return row


def _mean(values: pl.Series) -> float | None:
    known = values.drop_nulls().to_numpy()
    return float(known.mean()) if len(known) else None


def _extra(columns: Iterable[str]) -> list[str]:
    return [name for name in columns if name in {"assumed", "tie_low", "tie_high"}]
