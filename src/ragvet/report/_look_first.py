"""Which cases to look at first, and what is wrong with each of them in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from ragvet.gate import Decision, RuleResult
from ragvet.report._model import CaseToSee
from ragvet.text import plural

__all__ = ["look_first"]

_SHOWN = 8
_FAILED, _CRITICAL, _RULES = "failed", "critical", "rules"
_CLAIMS = {
    "contradicted_share": "contradicted by a passage",
    "reference_contradiction": "against the reference answer",
    "unsupported_share": "not supported by any passage",
}
_SAYS = {
    "forbidden_text": "repeats forbidden text",
    "missed_refusal": "answered where it should have refused",
    "missed_routing": "answered where it should have handed over",
    "missed_clarification": "answered where it should have asked back",
    "wrong_refusal": "refused where it should have answered",
    "wrong_routing": "handed over where it should have answered",
    "wrong_clarification": "asked back where it should have answered",
}
_ORDER = (
    *(_CRITICAL, _RULES, "forbidden_text", "contradicted_share", "reference_contradiction"),
    *("missed_refusal", "missed_routing", "missed_clarification"),
    *("wrong_refusal", "wrong_routing", "wrong_clarification"),
    *(_FAILED, "unsupported_share"),
)
"""From the gravest to the lightest: the next one decides only between cases that are alike in all before it."""


def look_first(
    scores: pl.LazyFrame, cases: Sequence[str], *, supplied_k: int, gate: Decision | None = None
) -> tuple[tuple[CaseToSee, ...], int]:
    """The worst cases of a run by what is certainly wrong with them, and how many have anything wrong.

    Of repeats the worst counts; cases alike in everything stand in the order of the run.

    Args:
        scores: those of the run.
        cases: the ids to choose from, in the order of the run: not those of ambiguous cases.
        supplied_k: the depth at which evidence should have been found.
        gate: what a policy said; without it no case has broken a rule.
    """
    coverage = f"coverage@{supplied_k}"
    order = (*_ORDER, coverage)
    certain = pl.col("low") > 0
    fault = (
        pl.when((pl.col("status") == "failed") & (pl.col("reason") != "judge"))
        .then(pl.lit(_FAILED))
        .when((pl.col("metric") == coverage) & (pl.col("high") == 0))
        .then("metric")
        .when(pl.col("metric").is_in([*_CLAIMS, *_SAYS]) & certain)
        .then("metric")
    )
    # Of a share whose range begins above 0 it is not known how many they are: taken as less than one counted claim.
    amount = pl.when(pl.col("metric").is_in([*_CLAIMS])).then(pl.col("numerator").fill_null(0.5)).otherwise(1.0)
    looked_at = pl.col("metric").is_in([*_CLAIMS, *_SAYS, coverage]) | (pl.col("status") == "failed")
    faults = scores.filter(looked_at).select("case_id", "reason", fault=fault, amount=amount).drop_nulls("fault")
    places = pl.LazyFrame({"case_id": cases}, schema={"case_id": pl.String}).with_row_index("place")
    found = (
        faults.group_by("case_id")
        .agg(
            *(pl.col("amount").filter(pl.col("fault") == name).max().alias(name) for name in order[2:]),
            pl.col("reason").filter(pl.col("fault") == _FAILED).first(),
        )
        .join(_broken(gate).lazy(), on="case_id", how="full", coalesce=True)
        .join(places, on="case_id")
        .sort(*order, "place", descending=[*(True for _ in order), False], nulls_last=True)
        .collect()
    )
    worst = tuple(
        CaseToSee(case_id=row["case_id"], critical=bool(row[_CRITICAL]), wrong=tuple(_in_words(row, coverage)))
        for row in found.head(_SHOWN).iter_rows(named=True)
    )
    return worst, found.height


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


def _in_words(row: Mapping[str, Any], coverage: str) -> Iterator[str]:
    """What is wrong with a case, the gravest first; a rule is named where nothing said yet is what it is about."""
    for fault in (*_ORDER[2:], coverage):
        amount = row[fault]
        if amount is None:
            continue
        if fault in _CLAIMS:
            yield f"{plural(int(amount), 'claim') if amount >= 1 else 'some claims'} {_CLAIMS[fault]}"
        elif fault == _FAILED:
            yield f"the target failed: {row['reason']}"
        elif fault == coverage:
            yield "no evidence within the supplied depth"
        else:
            yield _SAYS[fault]
    for broken in row["broken"] or ():
        if row.get(broken["metric"]) is None:
            yield f"breaks {broken['rule']}"
