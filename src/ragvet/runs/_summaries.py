"""Scores of many cases as one line per metric and stratum, with nothing dropped in silence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import polars as pl

from ragvet.errors import BundleError
from ragvet.records import MetricDeclaration, Summary

__all__ = ["ALL", "AMBIGUOUS", "case_outcomes", "membership", "summarise"]

ALL = "all"
AMBIGUOUS = "ambiguous"
"""Cases whose reviewers did not agree: outside `all` and every other stratum."""
_ROWS_AT_ONCE = 500_000
"""Rows summarised together: some ten megabytes."""


def summarise(
    scores: pl.DataFrame | pl.LazyFrame,
    cases: pl.DataFrame,
    declarations: Mapping[str, MetricDeclaration],
    strata: Collection[str] | None = None,
) -> list[Summary]:
    """One summary per metric and stratum that has an eligible case, metrics in the order of the declarations.

    Args:
        scores: the `scores` frame of a run; a lazy one is read in parts.
        cases: its `cases` frame.
        declarations: printed metric name → declaration; its range bounds what failed items could have been.
        strata: the strata wanted, and their order; None: `all`, every label=value by name, then `ambiguous`.

    Raises:
        BundleError: the frames do not belong together.
    """
    places = membership(cases)
    if strata is not None:
        places = places.filter(pl.col("stratum").is_in(list(strata)))
    scores = scores.lazy()
    strangers = scores.select("case_id").unique().join(cases.lazy(), on="case_id", how="anti").collect()
    if not strangers.is_empty():
        raise BundleError(f"the scores hold case {strangers['case_id'][0]!r}, which the cases do not")
    ranges = _ranges(declarations)
    counted: list[dict[str, Any]] = []
    reasons: dict[tuple[str, int, str], dict[str, int]] = {}
    for part in _parts(scores, places.height / max(1, cases.height)):
        rows = case_outcomes(part).join(places, on="case_id")
        reasons |= _undefined_reasons(rows)
        counted += _totals(rows, ranges).to_dicts()
    order = {metric: place for place, metric in enumerate(declarations)}
    wanted = {stratum: place for place, stratum in enumerate(strata if strata is not None else _order(places))}
    found = sorted(
        counted,
        key=lambda row: (order.get(row["metric"], len(order)), row["metric"], row["version"], wanted[row["stratum"]]),
    )
    return [_summary(row, reasons) for row in found]


def _parts(scores: pl.LazyFrame, strata_per_case: float) -> Iterator[pl.DataFrame]:
    """The scores, a few metrics at a time: each score is needed once per stratum, and all at once may not fit."""
    counted = scores.group_by("metric", maintain_order=True).len().collect()
    metrics: list[str] = counted["metric"].to_list()
    rows_per_metric = int(counted["len"].sum()) * strata_per_case / max(1, len(metrics))
    together = max(1, int(_ROWS_AT_ONCE / max(1.0, rows_per_metric)))
    for first in range(0, len(metrics), together):
        yield scores.filter(pl.col("metric").is_in(metrics[first : first + together])).collect()


def membership(cases: pl.DataFrame) -> pl.DataFrame:
    """`case_id, stratum`: one row for each stratum a case counts in."""
    agreed = cases.filter(~pl.col("ambiguous"))
    return pl.concat(
        [
            agreed.select("case_id", stratum=pl.lit(ALL)),
            agreed.select("case_id", stratum="strata").explode("stratum").drop_nulls().unique(maintain_order=True),
            cases.filter("ambiguous").select("case_id", stratum=pl.lit(AMBIGUOUS)),
        ]
    )


def case_outcomes(scores: pl.DataFrame) -> pl.DataFrame:
    """The outcome of each case on each metric: `metric, version, case_id, status, low, high, reason, lost, …`.

    Repeats are averaged: over those that have a value, so that a refusal among three answers leaves two to measure.
    A case with a failed repeat is a failed case; `low`/`high` are then the part of the mean its other repeats give and
    `lost` the share of repeats that failed.
    """
    measured = pl.col("status").is_in(["scored", "bounded"])
    failed = pl.col("status") == "failed"
    keys = ["metric", "version", "case_id"]
    if scores["repeat"].max() in (None, 0):  # one row is one case
        return scores.select(
            *keys,
            "status",
            low=pl.when(failed).then(0.0).otherwise("low"),
            high=pl.when(failed).then(0.0).otherwise("high"),
            reason="reason",
            lost=failed.cast(pl.Float64),
        )
    grouped = scores.group_by(keys, maintain_order=True).agg(
        measured=measured.sum(),
        failed=failed.sum(),
        bounded=(pl.col("status") == "bounded").any(),
        low=pl.col("low").filter(measured).sum(),
        high=pl.col("high").filter(measured).sum(),
        failure=pl.col("reason").filter(failed).first(),
        reason=pl.col("reason").filter(~failed).drop_nulls().first(),
    )
    counted = pl.col("measured") + pl.col("failed")
    return grouped.select(
        *keys,
        status=pl.when(pl.col("failed") > 0)
        .then(pl.lit("failed"))
        .when(pl.col("measured") == 0)
        .then(pl.lit("undefined"))
        .when("bounded")
        .then(pl.lit("bounded"))
        .otherwise(pl.lit("scored")),
        low=pl.when(counted > 0).then(pl.col("low") / counted),
        high=pl.when(counted > 0).then(pl.col("high") / counted),
        reason=pl.when(pl.col("failed") > 0).then("failure").otherwise("reason"),
        lost=pl.when(counted > 0).then(pl.col("failed") / counted).otherwise(0.0),
    )


def _ranges(declarations: Mapping[str, MetricDeclaration]) -> pl.DataFrame:
    return pl.DataFrame(
        [(metric, declared.low, declared.high) for metric, declared in declarations.items()],
        schema={"metric": pl.String, "least": pl.Float64, "most": pl.Float64},
        orient="row",
    )


def _totals(rows: pl.DataFrame, ranges: pl.DataFrame) -> pl.DataFrame:
    """Counts and means of each metric and stratum; `failed_low`/`failed_high` are null where a range has no end."""
    failed = pl.col("status") == "failed"
    has_value = pl.col("status").is_in(["scored", "bounded"])
    totals = rows.group_by("metric", "version", "stratum").agg(
        eligible=pl.len(),
        scored=(pl.col("status") == "scored").sum(),
        bounded=(pl.col("status") == "bounded").sum(),
        failed=failed.sum(),
        low=pl.col("low").filter(has_value).sum(),
        high=pl.col("high").filter(has_value).sum(),
        rest_low=pl.col("low").filter(failed).sum(),
        rest_high=pl.col("high").filter(failed).sum(),
        lost=pl.col("lost").filter(failed).sum(),
    )
    number = pl.col("scored") + pl.col("bounded")
    all_of_them = number + pl.col("failed")

    def widened(mean: str, rest: str, end: str) -> pl.Expr:
        worst = pl.when(pl.col("failed") > 0).then(pl.col("lost") * pl.col(end)).otherwise(0.0)
        return pl.when(all_of_them > 0).then((pl.col(mean) + pl.col(rest) + worst) / all_of_them)

    return totals.join(ranges, on="metric", how="left").with_columns(
        failed_low=widened("low", "rest_low", "least"),
        failed_high=widened("high", "rest_high", "most"),
        low=pl.when(number > 0).then(pl.col("low") / number),
        high=pl.when(number > 0).then(pl.col("high") / number),
    )


def _undefined_reasons(rows: pl.DataFrame) -> dict[tuple[str, int, str], dict[str, int]]:
    counted = (
        rows.filter(pl.col("status") == "undefined")
        .group_by("metric", "version", "stratum", "reason")
        .len()
        .sort("len", "reason", descending=[True, False])
    )
    reasons: dict[tuple[str, int, str], dict[str, int]] = {}
    for metric, version, stratum, reason, count in counted.iter_rows():
        reasons.setdefault((metric, version, stratum), {})[reason or "no reason given"] = count
    return reasons


def _order(places: pl.DataFrame) -> list[str]:
    labels: list[str] = places["stratum"].unique().sort().to_list()
    return [ALL, *(stratum for stratum in labels if stratum not in {ALL, AMBIGUOUS}), AMBIGUOUS]


def _summary(row: Mapping[str, Any], reasons: Mapping[tuple[str, int, str], Mapping[str, int]]) -> Summary:
    return Summary(
        metric=row["metric"],
        version=row["version"],
        stratum=row["stratum"],
        eligible=row["eligible"],
        scored=row["scored"],
        bounded=row["bounded"],
        undefined=reasons.get((row["metric"], row["version"], row["stratum"]), {}),
        failed=row["failed"],
        mean=row["low"] if row["bounded"] == 0 else None,
        low=row["low"],
        high=row["high"],
        failed_low=row["failed_low"],
        failed_high=row["failed_high"],
    )
