"""Which cases to look at first, and what is wrong with each of them in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from ragvet.gate import Decision, RuleResult
from ragvet.records import Fault, MetricDeclaration
from ragvet.report._model import CaseToSee
from ragvet.runs import shown_by_scores
from ragvet.text import plural

__all__ = ["look_first"]

_SHOWN = 8
_FAILED, _CRITICAL, _RULES = "failed", "critical", "rules"
_GRAVITY_OF_A_FAILED_TARGET = 110
"""Among those of the metrics' faults."""
_UNCOUNTED = 0.5
"""Of a share whose range begins above 0 it is not known how many they are: taken as less than one that was counted."""


def look_first(
    scores: pl.LazyFrame,
    cases: Sequence[str],
    declarations: Mapping[str, MetricDeclaration],
    *,
    supplied_k: int,
    gate: Decision | None = None,
) -> tuple[tuple[CaseToSee, ...], int]:
    """The worst cases of a run by what is certainly wrong with them, and how many have anything wrong.

    From the gravest fault to the lightest: the next one decides only between cases that are alike in all before it.
    Broken rules of a policy come before all. Of repeats the worst counts; cases alike in everything stand in the order
    of the run.

    Args:
        scores: those of the run.
        cases: the ids to choose from, in the order of the run: not those of ambiguous cases.
        declarations: printed metric name → what it is, and when it shows a fault.
        supplied_k: the depth at which evidence should have been found.
        gate: what a policy said; without it no case has broken a rule.
    """
    faults = _faults(declarations, supplied_k)
    gravity = {name: fault.gravity for name, fault in faults.items()} | {_FAILED: _GRAVITY_OF_A_FAILED_TARGET}
    names = sorted(gravity, key=lambda name: gravity[name])
    order = (_CRITICAL, _RULES, *names)
    places = pl.LazyFrame({"case_id": cases}, schema={"case_id": pl.String}).with_row_index("place")
    found = (
        _amiss(scores, declarations, supplied_k, faults)
        .group_by("case_id")
        .agg(
            *(pl.col("amount").filter(pl.col("fault") == name).max().alias(name) for name in names),
            *(pl.col("repeat").filter(pl.col("fault") == name).n_unique().alias(_repeats(name)) for name in names),
            pl.col("reason").filter(pl.col("fault") == _FAILED).first(),
        )
        .join(_broken(gate).lazy(), on="case_id", how="full", coalesce=True)
        .join(places, on="case_id")
        .sort(*order, "place", descending=[*(True for _ in order), False], nulls_last=True)
        .collect()
    )
    asked = int(scores.select(pl.col("repeat").max()).collect().item() or 0) + 1
    worst = tuple(
        CaseToSee(
            case_id=row["case_id"], critical=bool(row[_CRITICAL]), wrong=tuple(_in_words(row, names, faults, asked))
        )
        for row in found.head(_SHOWN).iter_rows(named=True)
    )
    return worst, found.height


def _faults(declarations: Mapping[str, MetricDeclaration], supplied_k: int) -> dict[str, Fault]:
    """Printed metric name → its fault, at the depth at which it is one."""
    return {
        name: declared.fault
        for name, declared in declarations.items()
        if declared.fault and (declared.fault.depth is None or name == f"{declared.name}@{supplied_k}")
    }


def _amiss(
    scores: pl.LazyFrame, declarations: Mapping[str, MetricDeclaration], depth: int, faults: Mapping[str, Fault]
) -> pl.LazyFrame:
    """`case_id, repeat, reason, fault, amount`: a row for each stage broken for sure and each failed call."""
    ends = pl.LazyFrame(
        [(name, one.above, one.below, one.at_most, one.counts is not None) for name, one in faults.items()],
        schema={
            "metric": pl.String,
            "above": pl.Float64,
            "below": pl.Float64,
            "most": pl.Float64,
            "counted": pl.Boolean,
        },
        orient="row",
    )
    certain = (
        (pl.col("low") > pl.col("above")) | (pl.col("high") < pl.col("below")) | (pl.col("high") <= pl.col("most"))
    )
    path = shown_by_scores(scores, declarations, supplied_k=depth, deep_k=depth)
    broken = path.filter(~pl.col("ok")).join(ends, on="metric").filter(certain.fill_null(value=False))
    failed = scores.filter((pl.col("status") == "failed") & (pl.col("reason") != "judge"))
    return pl.concat(
        [
            broken.select(
                "case_id",
                "repeat",
                reason=pl.lit(None, pl.String),
                fault="metric",
                amount=pl.when("counted").then(pl.col("numerator").fill_null(_UNCOUNTED)).otherwise(1.0),
            ),
            failed.select("case_id", "repeat", "reason", fault=pl.lit(_FAILED), amount=pl.lit(1.0)),
        ]
    )


def _broken(gate: Decision | None) -> pl.DataFrame:
    """Per case how many broken rules, critical and others, it stands on the wrong side of, and which."""
    rows = [
        (case.case_id, rule.critical, rule.metric, f"{rule.metric} {rule.threshold}")
        for rule in (gate.rules if gate else ())
        if rule.outcome == "fail"
        for case in rule.cases
        if _misses(rule, case.low, case.high)
    ]
    schema = {"case_id": pl.String, "critical": pl.Boolean, "metric": pl.String, "rule": pl.String}
    return (
        pl.DataFrame(rows, schema=schema, orient="row")
        .group_by("case_id")
        .agg(
            pl.col("critical").sum().alias(_CRITICAL),
            (~pl.col("critical")).sum().alias(_RULES),
            pl.struct("metric", "rule").alias("broken"),
        )
    )


def _misses(rule: RuleResult, low: float | None, high: float | None) -> bool:
    """Whether a case is on the wrong side of a rule whatever is unknown."""
    if low is None or high is None:
        return False
    return (rule.min is not None and high < rule.min) or (rule.max is not None and low > rule.max)


def _repeats(fault: str) -> str:
    """The column that counts in how many repeats of a case a fault was seen."""
    return f"{fault}: repeats"


def _in_words(row: Mapping[str, Any], names: Sequence[str], faults: Mapping[str, Fault], asked: int) -> Iterator[str]:
    """What is wrong with a case, the gravest first; a rule is named where nothing said yet is what it is about."""
    for name in names:
        amount = row[name]
        if amount is None:
            continue
        often = f", {row[_repeats(name)]} of {asked} times" if asked > 1 else ""
        if name == _FAILED:
            yield f"the target failed: {row['reason']}{often}"
            continue
        fault = faults[name]
        counted = ""
        if fault.counts is not None:
            counted = f"{plural(int(amount), fault.counts) if amount >= 1 else f'some {fault.counts}s'} "
        yield f"{counted}{fault.says}{often}"
    for broken in row["broken"] or ():
        if row.get(broken["metric"]) is None:
            yield f"breaks {broken['rule']}"
