"""The cases of two runs side by side: the same question with the same expectations, answered by two systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from ragvet.records.outcomes import per_case
from ragvet.runs._bundle import Run

__all__ = ["Pairs", "pairs"]


@dataclass(frozen=True)
class Pairs:
    """One metric on the cases of two runs.

    Attributes:
        frame: a row for each case with a value in both: `case_id, group, weight, low, high, other_low, other_high`;
            repeats of a case are averaged.
        left: cases with a value in the first run alone: undefined or failed in the other one.
        entered: cases with a value in the other run alone.
        changed: cases of both runs whose question or expectations are not the same; they are no pair.
        absent: cases of the first run that the other one has not.
    """

    frame: pl.DataFrame
    left: Sequence[str]
    entered: Sequence[str]
    changed: Sequence[str]
    absent: Sequence[str]


def pairs(run: Run, other: Run, metric: str, stratum: str = "all") -> Pairs:
    """One metric on the cases of two runs, paired by id and by what is asked and expected.

    Args:
        run: the first run, whose order, groups and weights hold.
        other: what it is held against.
        metric: as it is printed, e.g. `coverage@5`.
        stratum: `all`, `ambiguous` or `label=value`, as the first run has it.

    Raises:
        InputError: a run holds no such metric, or the first one no such stratum.
    """
    here, there = run.cases_in(stratum, metric=metric), other.cases_in("all", metric=metric)
    there = pl.concat([there, other.cases_in("ambiguous", metric=metric)])
    both = here.join(there.select("case_id", now="fingerprint"), on="case_id", maintain_order="left")
    same = pl.col("fingerprint") == pl.col("now")
    found = (
        both.filter(same)
        .select("case_id", "group", "weight")
        .join(_averaged(run, metric), on="case_id", how="left", maintain_order="left")
        .join(_averaged(other, metric), on="case_id", how="left", maintain_order="left", suffix="_other")
        .rename({"low_other": "other_low", "high_other": "other_high"})
    )
    has, other_has = pl.col("low").is_not_null(), pl.col("other_low").is_not_null()

    def ids(frame: pl.DataFrame) -> tuple[str, ...]:
        return tuple(frame["case_id"])

    return Pairs(
        frame=found.filter(has & other_has),
        left=ids(found.filter(has & ~other_has)),
        entered=ids(found.filter(~has & other_has)),
        changed=ids(both.filter(~same)),
        absent=ids(here.join(there, on="case_id", how="anti", maintain_order="left")),
    )


def _averaged(run: Run, metric: str) -> pl.DataFrame:
    """`case_id, low, high` of each case that has a value, its repeats averaged; one with a failed repeat has none."""
    scores = run.scan_scores().filter(pl.col("metric") == metric).collect()
    found = per_case(scores, run.declarations)
    return found.filter(pl.col("status").is_in(["scored", "bounded"])).select("case_id", "low", "high")
