"""Which cases stand on the wrong side of a rule, the worst first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl
from pydantic import TypeAdapter

from ragvet.gate._decision import CaseResult
from ragvet.gate._rule import Rule
from ragvet.numbers import ROUNDING
from ragvet.records import MetricDeclaration
from ragvet.records.outcomes import extremes, per_case

__all__ = ["Sides", "case_means", "sides", "worst_repeats"]


def case_means(scores: pl.DataFrame, declarations: Mapping[str, MetricDeclaration]) -> pl.DataFrame:
    """Each case of one metric with its repeats averaged: what a mean is made of."""
    measured = pl.col("status").is_in(["scored", "bounded"])
    low, high = (pl.when(measured).then(end) for end in ("low", "high"))
    return per_case(scores, declarations).select(
        "case_id", "status", _reason(), min_low=low, min_high=high, max_low=low, max_high=high
    )


def worst_repeats(scores: pl.DataFrame, declarations: Mapping[str, MetricDeclaration]) -> pl.DataFrame:
    """Each case of one metric with the ends of its lowest and of its highest repeat: what zero tolerance looks at."""
    outcomes = per_case(scores, declarations).select("case_id", "status", _reason())
    return outcomes.join(extremes(scores), on="case_id", maintain_order="left")


def _reason() -> pl.Expr:
    """Why a case has no value, or a range; of a failed one whether other repeats of it succeeded."""
    in_part = (pl.col("status") == "failed") & (pl.col("failed") < pl.col("measured") + pl.col("failed"))
    return pl.when(in_part).then(pl.col("reason") + ", in some of its repeats").otherwise("reason").alias("reason")


_RESULTS = TypeAdapter(tuple[CaseResult, ...])


@dataclass(frozen=True, slots=True)
class Sides:
    """The cases of one rule and stratum that are not surely on its right side.

    Attributes:
        wrong: how many are on the wrong side, whatever is unknown.
        open: how many are on either side, depending on what is unknown.
    """

    wrong: int
    open: int
    _rows: pl.DataFrame

    def listed(self, *, undefined: bool) -> tuple[CaseResult, ...]:
        """The cases to look at: surely wrong, possibly wrong, failed, each group with the worst first.

        Args:
            undefined: whether those with nothing to measure are listed too, at the end.
        """
        groups = ["wrong", "open", "failed", *(["undefined"] if undefined else [])]
        rows = self._rows.filter(pl.col("group").is_in(groups))
        columns = rows.select("case_id", "low", "high", "reason", status="shown")
        return _RESULTS.validate_python(columns.to_dicts())  # in one go: there may be many thousands


def sides(cases: pl.DataFrame, rule: Rule) -> Sides:
    """The cases of `case_means` or `worst_repeats` grouped by side and sorted by how far they miss the rule."""
    under, over = _missed(rule, "min_low", "max_high")
    surely_under, surely_over = _missed(rule, "min_high", "max_low")
    measured = pl.col("min_low").is_not_null()
    group = (
        pl.when(measured & ((surely_under > 0) | (surely_over > 0)))
        .then(pl.lit("wrong"))
        .when(measured & ((under > 0) | (over > 0)))
        .then(pl.lit("open"))
        .otherwise("status")
    )
    # Of a case that is listed because a repeat failed, the other repeats are no part of the complaint.
    blamed = pl.col("group").is_in(["wrong", "open"])
    low, high = (
        pl.when(blamed).then(pl.when(under >= over).then(f"min_{end}").otherwise(f"max_{end}"))
        for end in ("low", "high")
    )
    rows = (
        cases.with_columns(group=group)
        .select("case_id", "status", "reason", "group", low=low, high=high, miss=pl.max_horizontal(under, over))
        .filter(~pl.col("group").is_in(["scored", "bounded"]))
        .with_columns(
            shown=pl.when(pl.col("low").is_null())
            .then("status")
            .when(pl.col("low") == pl.col("high"))
            .then(pl.lit("scored"))
            .otherwise(pl.lit("bounded")),
            place=pl.col("group").replace_strict({"wrong": 0, "open": 1, "failed": 2, "undefined": 3}),
        )
        .sort("place", "miss", descending=[False, True], nulls_last=True, maintain_order=True)
    )
    counts = dict(rows.group_by("group").len().iter_rows())
    return Sides(counts.get("wrong", 0), counts.get("open", 0), rows)


def _missed(rule: Rule, low: str, high: str) -> tuple[pl.Expr, pl.Expr]:
    """How far a value is below `min` and above `max`, 0 where only by rounding, negative where not at all."""

    def beyond(distance: pl.Expr, bound: float | None) -> pl.Expr:
        if bound is None:
            return pl.lit(float("-inf"))
        slack = ROUNDING * max(1.0, abs(bound))
        return pl.when(distance.abs() <= slack).then(0.0).otherwise(distance)

    return (
        beyond(pl.lit(rule.min) - pl.col(low), rule.min),
        beyond(pl.col(high) - pl.lit(rule.max), rule.max),
    )
