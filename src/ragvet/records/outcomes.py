"""The one outcome algebra: how scores of repeats and cases become one number, with nothing dropped in silence.

A score is *scored* (one value), *bounded* (a range, because something is unknown), *undefined* (nothing to measure) or
*failed* (it could not be measured). How they combine stands here, once:

- **A mean** is over what has a value. Its range takes every unknown at its worst and at its best.
- **Undefined** drops out of the mean and is counted with its reason; it is never 0.
- **May drop out**: a bounded score that is undefined under some assignment of what is unknown. It is in the mean or out
  of it, whichever is worse or better: the least mean takes those that lower it and leaves the others out.
- **Repeats** of a case are averaged first, so that a case asked three times counts once. Undefined repeats drop out. A
  case is bounded if one of its repeats is, and may drop out if every one that has a value may.
- **Failed**: a case with a failed repeat is a failed case and outside the mean. `worst` and `best` say where it could
  be, had what failed been anything the metric can be; the mean with the failed cases takes these.

Every function takes frames of scores (see `SCORES`) and gives frames; nothing loops over cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from ragvet.records._score import MetricDeclaration

__all__ = ["SCORES", "extremes", "over_groups", "per_case"]

SCORES = pl.Schema(
    {
        "case_id": pl.String(),
        "repeat": pl.UInt32(),
        "metric": pl.String(),
        "version": pl.UInt32(),
        "status": pl.String(),
        "value": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
        "may_drop": pl.Boolean(),
        "reason": pl.String(),
        "numerator": pl.Float64(),
        "denominator": pl.Float64(),
    }
)
"""One metric on one case and repeat. No document text.

`value` is null unless scored; `low` and `high` equal it when scored, are the bounds when bounded, else null.
`may_drop`: of a bounded score, whether it is undefined under some assignment of what is unknown. `reason` is null when
scored; when failed it is the kind of failure alone.
"""

_FAILED, _UNDEFINED = pl.col("status") == "failed", pl.col("status") == "undefined"
_MEASURED = pl.col("status").is_in(["scored", "bounded"])


def per_case(scores: pl.DataFrame, declarations: Mapping[str, MetricDeclaration], key: str = "case_id") -> pl.DataFrame:
    """The outcome of each case on each metric, its repeats averaged.

    Args:
        scores: columns as in `SCORES`; without `repeat` each row is a case.
        declarations: printed metric name → declaration; its range bounds what failed repeats could have been.
        key: the column that names a case.

    Returns:
        Columns metric, version, `key`, status, low, high (of what has a value, null where nothing has), may_drop,
        reason, worst, best (with failed repeats at the ends of the range, null where there is no end or nothing
        failed or has a value), repeats, measured, failed (how many, of how many).
    """
    ends = _ends(declarations)
    joined = scores.lazy().join(ends, on="metric", how="left", maintain_order="left")
    if "repeat" not in scores.columns or scores["repeat"].max() in (None, 0):
        return _single(joined, key).collect()
    return _averaged(joined, key, droppable=bool(scores["may_drop"].any())).collect()


def _ends(declarations: Mapping[str, MetricDeclaration]) -> pl.LazyFrame:
    rows = [(metric, declared.low, declared.high) for metric, declared in declarations.items()]
    return pl.LazyFrame(rows, {"metric": pl.String, "least": pl.Float64, "most": pl.Float64}, orient="row")


def _single(scores: pl.LazyFrame, key: str) -> pl.LazyFrame:
    """One row is one case."""
    return scores.select(
        "metric",
        "version",
        key,
        "status",
        "low",
        "high",
        may_drop=pl.col("may_drop").fill_null(value=False),
        reason="reason",
        worst=pl.when(_FAILED).then("least").otherwise("low"),
        best=pl.when(_FAILED).then("most").otherwise("high"),
        repeats=pl.lit(1, pl.UInt32),
        measured=_MEASURED.cast(pl.UInt32),
        failed=_FAILED.cast(pl.UInt32),
    )


def _averaged(scores: pl.LazyFrame, key: str, *, droppable: bool) -> pl.LazyFrame:
    sure = ~pl.col("may_drop").fill_null(value=False)
    ended = _MEASURED | _FAILED
    worst = pl.when(_FAILED).then("least").otherwise("low")
    best = pl.when(_FAILED).then("most").otherwise("high")
    missing = pl.col("failed") > 0
    grouped = scores.group_by("metric", "version", key, maintain_order=True).agg(
        repeats=pl.len(),
        measured=_MEASURED.sum(),
        failed=_FAILED.sum(),
        bounded=(pl.col("status") == "bounded").any(),
        may_drop=(_MEASURED & ~sure).any() & ~(ended & sure).any(),
        low=_least_mean(pl.col("low"), _MEASURED, sure, droppable=droppable),
        high=_greatest_mean(pl.col("high"), _MEASURED, sure, droppable=droppable),
        worst=_unless_endless(_least_mean(worst, ended, sure, droppable=droppable), pl.col("least")),
        best=_unless_endless(_greatest_mean(best, ended, sure, droppable=droppable), pl.col("most")),
        failure=pl.col("reason").filter(_FAILED).first(),
        reason=pl.col("reason").filter(~_FAILED).drop_nulls().first(),
    )
    status = (
        pl.when(missing)
        .then(pl.lit("failed"))
        .when(pl.col("measured") == 0)
        .then(pl.lit("undefined"))
        .when("bounded")
        .then(pl.lit("bounded"))
        .otherwise(pl.lit("scored"))
    )
    return grouped.select(
        "metric",
        "version",
        key,
        "low",
        "high",
        "may_drop",
        "worst",
        "best",
        "repeats",
        "measured",
        "failed",
        status=status,
        reason=pl.when(missing).then("failure").otherwise("reason"),
    )


def _unless_endless(mean: pl.Expr, end: pl.Expr) -> pl.Expr:
    """Of repeats some of which failed there is no mean where the metric's range has no end on that side."""
    return pl.when(_FAILED.any() & end.is_null().all()).then(None).otherwise(mean)


def _least_mean(value: pl.Expr, among: pl.Expr, sure: pl.Expr, *, droppable: bool) -> pl.Expr:
    """Within a group, the least mean of all sure values and any of the others; null where there are none.

    That is the sure ones with the smallest of the others, each taken while it lowers the mean; without a sure one at
    least one of the others counts.
    """
    if not droppable:
        return value.filter(among).sum() / among.sum().replace(0, None)
    total, count = value.filter(among & sure).sum(), (among & sure).sum()
    others = value.filter(among & ~sure).sort()
    with_others = ((total + others.cum_sum()) / (count + others.cum_count())).min()
    return pl.min_horizontal(total / count.replace(0, None), with_others)


def _greatest_mean(value: pl.Expr, among: pl.Expr, sure: pl.Expr, *, droppable: bool) -> pl.Expr:
    """Likewise the greatest."""
    if not droppable:
        return _least_mean(value, among, sure, droppable=False)
    return 0.0 - _least_mean(-value, among, sure, droppable=True)  # 0 less, since the negation of 0 reads as -0


def extremes(scores: pl.DataFrame) -> pl.DataFrame:
    """Each case of one metric with the ends of its lowest and of its highest repeat: what zero tolerance looks at.

    Returns:
        Columns case_id, min_low, min_high, max_low, max_high; null where no repeat has a value.
    """
    return scores.group_by("case_id", maintain_order=True).agg(
        min_low=pl.col("low").min(),
        min_high=pl.col("high").min(),
        max_low=pl.col("low").max(),
        max_high=pl.col("high").max(),
    )


def over_groups(cases: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Counts and means of the outcomes of cases in each group.

    Args:
        cases: as `per_case` gives them, with the columns of `by`.
        by: what makes a group, e.g. metric, version, stratum.

    Returns:
        Columns `by`, eligible, scored, bounded, may_drop, failed; low, high: the mean of what has a value with every
        unknown at its worst and best; failed_low, failed_high: the same with the failed cases as well, null where
        they could be anything.
    """
    droppable = bool(cases["may_drop"].any())
    sure, drops = ~pl.col("may_drop"), _MEASURED & pl.col("may_drop")
    ended = _MEASURED | _FAILED

    def with_failed(value: pl.Expr, end: str) -> pl.Expr:
        return pl.when((_FAILED & pl.col(end).is_null()).any()).then(None).otherwise(value)

    return cases.group_by(by).agg(
        eligible=pl.len(),
        scored=(pl.col("status") == "scored").sum(),
        bounded=(pl.col("status") == "bounded").sum(),
        may_drop=drops.sum(),
        failed=_FAILED.sum(),
        low=_least_mean(pl.col("low"), _MEASURED, sure, droppable=droppable),
        high=_greatest_mean(pl.col("high"), _MEASURED, sure, droppable=droppable),
        failed_low=with_failed(_least_mean(pl.col("worst"), ended, sure, droppable=droppable), "worst"),
        failed_high=with_failed(_greatest_mean(pl.col("best"), ended, sure, droppable=droppable), "best"),
    )
