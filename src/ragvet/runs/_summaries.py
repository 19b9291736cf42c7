"""Scores of many cases as one line per metric and stratum, with nothing dropped in silence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import polars as pl

from ragvet.errors import BundleError
from ragvet.records import MetricDeclaration, Summary
from ragvet.records.outcomes import over_groups, per_case

__all__ = ["ALL", "AMBIGUOUS", "membership", "metric_parts", "summarise"]

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
    counted: list[dict[str, Any]] = []
    reasons: dict[tuple[str, int, str], dict[str, int]] = {}
    for part in metric_parts(scores, copies=places.height / max(1, cases.height)):
        rows = per_case(part, declarations).join(places, on="case_id", maintain_order="left")  # sums keep their order
        reasons |= _undefined_reasons(rows)
        counted += over_groups(rows, ["metric", "version", "stratum"]).to_dicts()
    order = {metric: place for place, metric in enumerate(declarations)}
    wanted = {stratum: place for place, stratum in enumerate(strata if strata is not None else _order(places))}
    found = sorted(
        counted,
        key=lambda row: (order.get(row["metric"], len(order)), row["metric"], row["version"], wanted[row["stratum"]]),
    )
    return [_summary(row, reasons) for row in found]


def metric_parts(scores: pl.LazyFrame, *, copies: float = 1.0) -> Iterator[pl.DataFrame]:
    """The scores, a few metrics at a time: all at once may not fit.

    Args:
        scores: the `scores` frame of a run.
        copies: how often each row is going to be in memory, e.g. once per stratum of its case.
    """
    counted = scores.group_by("metric", maintain_order=True).len().collect()
    metrics: list[str] = counted["metric"].to_list()
    rows_per_metric = int(counted["len"].sum()) * copies / max(1, len(metrics))
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
        may_drop=row["may_drop"],
        undefined=reasons.get((row["metric"], row["version"], row["stratum"]), {}),
        failed=row["failed"],
        mean=row["low"] if row["bounded"] == 0 else None,
        low=row["low"],
        high=row["high"],
        failed_low=row["failed_low"],
        failed_high=row["failed_high"],
    )
