"""Means over queries."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from ragvet.records.outcomes import over_groups, per_case

_ALL = "all"


def summarise(scores: pl.DataFrame, strata: pl.DataFrame | None = None) -> pl.DataFrame:
    """Means over queries with everything unknown at its worst and best, one row for each metric and stratum.

    Args:
        scores: what `evaluate` returns.
        strata: columns query_id and stratum. Each stratum gets its rows beside those of all queries.

    Returns:
        Columns metric, stratum, queries, published, bounded, undefined, mean, mean_low, mean_high, and the means of
        assumed, tie_low and tie_high where they are there. `mean` is set only where every defined query is published.
    """
    plain = scores.with_columns(pl.col("status").cast(pl.String), pl.col("reason").cast(pl.String))
    queries = per_case(plain, {}, key="query_id").with_columns(scores.select(_extra(scores.columns)))
    groups = [queries.with_columns(stratum=pl.lit(_ALL))]
    if strata is not None:
        named = queries.join(strata, on="query_id", how="left", maintain_order="left")
        groups.append(named.with_columns(pl.col("stratum").fill_null("(none)")).select(groups[0].columns))
    rows = [_of_group(group) for group in groups]
    metrics = scores["metric"].unique(maintain_order=True).to_list()
    order = pl.col("metric").replace_strict({metric: place for place, metric in enumerate(metrics)})
    return pl.concat(rows).sort(order, pl.col("stratum") != _ALL, "stratum", maintain_order=True)


def _of_group(queries: pl.DataFrame) -> pl.DataFrame:
    """The rows of all metrics in each stratum."""
    by = ["metric", "stratum"]
    extra = _extra(queries.columns)
    means = queries.group_by(by).agg(pl.col(name).mean() for name in extra)
    counted = over_groups(queries, by).join(means, on=by)
    exact = (pl.col("scored") > 0) & (pl.col("bounded") == 0)
    return counted.select(
        *by,
        queries="eligible",
        published="scored",
        bounded="bounded",
        undefined=pl.col("eligible") - pl.col("scored") - pl.col("bounded"),
        mean=pl.when(exact).then("low"),
        mean_low="low",
        mean_high="high",
        **{name: pl.col(name) for name in extra},
    )


def _extra(columns: Iterable[str]) -> list[str]:
    return [name for name in columns if name in {"assumed", "tie_low", "tie_high"}]
