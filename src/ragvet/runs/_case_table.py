"""The case table of a run: what counting, summaries and comparisons need to know of each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from ragvet.dataset import Standing
from ragvet.records import Case
from ragvet.runs._anchoring import unit_of
from ragvet.runs._frames import CASES
from ragvet.runs._storage import replace_frame

__all__ = ["standings", "write_cases"]

_UNWEIGHTED = 1.0
"""The weight of a case of a set that was not drawn: every question of it is asked."""


def write_cases(folder: Path, cases: Sequence[Case], known: Mapping[str, Standing]) -> None:
    """Writes the table of a run; no document text.

    Args:
        folder: of the run.
        cases: in the order of the golden set.
        known: case id → how its passages stand; of a case that is not there nothing is amiss.
    """
    rows = [_row(case, known.get(case.id, Standing())) for case in cases]
    replace_frame(folder / "cases.parquet", pl.DataFrame(rows, schema=CASES, orient="row"))


def _row(case: Case, stands: Standing) -> tuple[object, ...]:
    evidence = [index for index, passage in enumerate(case.reference_passages) if passage.grade > 0]
    first: dict[object, int] = {}
    units = [first.setdefault(unit_of(case.reference_passages, index), index) for index in evidence]
    return (
        case.id,
        case.fingerprint,
        case.ambiguous,
        case.expected_behaviour,
        [f"{label}={value}" for label, value in case.strata.items()],
        case.group,
        case.split,
        case.labels.get("risk"),
        None if case.identity is None else case.identity.id,
        case.effective_date,
        _UNWEIGHTED,
        evidence,
        units,
        sorted(stands.stale),
        sorted(stands.denied),
        sorted(stands.lapsed),
    )


def standings(cases: pl.DataFrame) -> dict[str, Standing]:
    """Case id → how its passages stand, of the cases of which something is amiss."""
    lists = ("stale", "denied", "lapsed")
    amiss = cases.filter(pl.any_horizontal(pl.col(name).list.len() > 0 for name in lists))
    return {
        case_id: Standing(*(frozenset(indexes) for indexes in found))
        for case_id, *found in amiss.select("case_id", *lists).iter_rows()
    }
