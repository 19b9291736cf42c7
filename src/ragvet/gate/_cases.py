"""Which cases stand on the wrong side of a rule, the worst first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from ragvet.gate._decision import CaseResult
from ragvet.gate._numbers import above, below
from ragvet.gate._policy import Rule
from ragvet.runs._summaries import case_outcomes

__all__ = ["Sides", "case_means", "sides", "worst_repeats"]


def case_means(scores: pl.DataFrame) -> pl.DataFrame:
    """Each case of one metric with its repeats averaged: what a mean is made of."""
    measured = pl.col("status").is_in(["scored", "bounded"])
    low, high = (pl.when(measured).then(end) for end in ("low", "high"))
    return case_outcomes(scores).select(
        "case_id", "status", "reason", min_low=low, min_high=high, max_low=low, max_high=high
    )


def worst_repeats(scores: pl.DataFrame) -> pl.DataFrame:
    """Each case of one metric with the ends of its lowest and of its highest repeat: what zero tolerance looks at."""
    extremes = scores.group_by("case_id", maintain_order=True).agg(
        min_low=pl.col("low").min(),
        min_high=pl.col("high").min(),
        max_low=pl.col("low").max(),
        max_high=pl.col("high").max(),
    )
    return (
        case_outcomes(scores).select("case_id", "status", "reason").join(extremes, on="case_id", maintain_order="left")
    )


@dataclass(frozen=True, slots=True)
class Sides:
    """The cases of one rule and stratum that are not surely on its right side.

    Attributes:
        wrong: on the wrong side, whatever is unknown.
        open: on either side, depending on what is unknown.
        failed: without a value because target or judge failed.
        undefined: with nothing to measure.
    """

    wrong: tuple[CaseResult, ...]
    open: tuple[CaseResult, ...]
    failed: tuple[CaseResult, ...]
    undefined: tuple[CaseResult, ...]


def sides(cases: pl.DataFrame, rule: Rule) -> Sides:
    """The cases of `case_means` or `worst_repeats` sorted by side, each group with the worst first."""
    wrong: list[tuple[float, CaseResult]] = []
    possible: list[tuple[float, CaseResult]] = []
    failed: list[CaseResult] = []
    undefined: list[CaseResult] = []
    for row in cases.iter_rows(named=True):
        if row["min_low"] is not None:
            distance, case = _distance(row, rule)
            if below(row["min_high"], rule.min) or above(row["max_low"], rule.max):
                wrong.append((distance, case))
                continue
            if below(row["min_low"], rule.min) or above(row["max_high"], rule.max):
                possible.append((distance, case))
                continue
        if row["status"] == "failed":
            failed.append(CaseResult(case_id=row["case_id"], status="failed", reason=row["reason"]))
        elif row["status"] == "undefined":
            undefined.append(CaseResult(case_id=row["case_id"], status="undefined", reason=row["reason"]))
    return Sides(_sorted(wrong), _sorted(possible), tuple(failed), tuple(undefined))


def _distance(row: dict[str, Any], rule: Rule) -> tuple[float, CaseResult]:
    """How far the case misses the rule at worst, with the end of its repeats that does."""
    under = rule.min - row["min_low"] if rule.min is not None else float("-inf")
    over = row["max_high"] - rule.max if rule.max is not None else float("-inf")
    low, high = (row["min_low"], row["min_high"]) if under >= over else (row["max_low"], row["max_high"])
    status = "scored" if low == high else "bounded"
    return max(under, over), CaseResult(case_id=row["case_id"], status=status, low=low, high=high, reason=row["reason"])


def _sorted(found: list[tuple[float, CaseResult]]) -> tuple[CaseResult, ...]:
    return tuple(case for _, case in sorted(found, key=lambda item: -item[0]))
