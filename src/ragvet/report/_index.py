"""The case list of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl
from pydantic_core import to_json

from ragvet.records import Case, JudgeFailure, Trace
from ragvet.records.outcomes import per_case
from ragvet.report._finished_run import FinishedRun
from ragvet.report._packing import pack
from ragvet.report._tally import Judged
from ragvet.runs import metric_parts

__all__ = ["CaseIndex"]

_QUESTION = 240
"""Characters of a question that the list shows and searches."""


class CaseIndex:
    """One row per case in the order of the run, kept as columns: what the case list shows, filters and sorts by.

    Attributes:
        scores: a packed block per metric, in the order of `columns()["metrics"]`.
    """

    def __init__(self, run: FinishedRun, *, content: bool) -> None:
        self._content = content
        self._supplied_k = run.manifest.supplied_k
        self._directions = {name: declaration.direction for name, declaration in run.declarations.items()}
        self._order = [case.id for case in run.cases()]
        found = dict(_packed(run, self._order))
        packed = {name: found[name] for name in run.declarations if name in found}
        self._metrics = list(packed)
        self.scores = list(packed.values())
        self._rows: dict[str, int] = {}
        self._strata: dict[str, int] = {}
        self._columns: dict[str, list[Any]] = {
            name: [] for name in ("id", "question", "strata", "expected", "observed", "verdicts", "failed", "ambiguous")
        }

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, case: Case, item: Mapping[str, Any], trace: Trace, judged: Judged) -> None:
        """Takes one item; repeats of a case share its row.

        Args:
            case: its case.
            item: what its page says of it.
            trace: what the target did.
            judged: what was judged about it.
        """
        row = self._rows.get(case.id)
        columns = self._columns
        if row is None:
            row = self._rows[case.id] = len(self._rows)
            assert self._order[row] == case.id, "a run gives its traces in the order of its cases"  # noqa: S101 - impossible state
            columns["id"].append(case.id)
            columns["question"].append(_shortened(case.question) if self._content else "")
            columns["strata"].append([self._stratum(f"{label}={value}") for label, value in case.strata.items()])
            columns["expected"].append(case.expected_behaviour)
            columns["observed"].append([])
            columns["verdicts"].append([])
            columns["failed"].append("")
            columns["ambiguous"].append(int(case.ambiguous))
        _add_new(columns["observed"][row], [item["observed"]])
        _add_new(columns["verdicts"][row], [claim["verdict"] for claim in item.get("claims", ())])
        if trace.error is not None:
            columns["failed"][row] = "target"
        elif isinstance(judged, JudgeFailure) and not columns["failed"][row]:
            columns["failed"][row] = "judge"

    def columns(self) -> dict[str, Any]:
        """The index as the page reads it, without the scores."""
        return {
            **self._columns,
            "stratum_names": list(self._strata),
            "metrics": [{"name": name, "direction": self._directions.get(name, "none")} for name in self._metrics],
            "supplied_k": self._supplied_k,
        }

    def _stratum(self, name: str) -> int:
        return self._strata.setdefault(name, len(self._strata))


def _packed(run: FinishedRun, order: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each metric and, packed, the status (one letter, `-` where not eligible) and bounds of every case, in `order`."""
    rows = pl.DataFrame({"case_id": order}, schema={"case_id": pl.String})
    for part in metric_parts(run.scan_scores()):
        for found in per_case(part, run.declarations).partition_by("metric", maintain_order=True):
            aligned = rows.join(found, on="case_id", how="left", maintain_order="left")
            status = "".join(aligned["status"].str.head(1).fill_null("-"))
            low, high = (aligned[end].round(4).to_list() for end in ("low", "high"))
            yield found["metric"][0], pack(to_json({"status": status, "low": low, "high": high}))


def _shortened(question: str) -> str:
    return question if len(question) <= _QUESTION else question[: _QUESTION - 1] + "…"


def _add_new(known: list[str], values: list[str]) -> None:
    known.extend(value for value in dict.fromkeys(values) if value not in known)
