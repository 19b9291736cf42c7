from __future__ import annotations

import polars as pl
from tests.report.conftest import unpacked
from tests.report.fake_run import FakeRun

from ragvet.report._index import CaseIndex, _by_case
from ragvet.runs._frames import SCORES

ORDER = ("scored", "bounded", "undefined", "failed")


def mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 4) if known else None


def test_of_each_metric_repeats_are_averaged_and_the_worst_status_stands():
    rows = [
        ("a", 0, "m", "scored", 1.0, 1.0),
        ("b", 0, "m", "undefined", None, None),
        ("a", 1, "m", "bounded", 0.0, 0.5),
        ("b", 1, "m", "failed", None, None),
    ]
    names = ("case_id", "repeat", "metric", "status", "low", "high")
    scores = pl.DataFrame(rows, schema={name: SCORES[name] for name in names}, orient="row")
    found = _by_case(scores.lazy()).collect().sort("case_id")
    assert found.rows() == [("a", "b", 0.5, 0.75), ("b", "f", None, None)]


def test_every_metric_has_its_status_and_ends_for_every_case_in_the_order_of_the_list(run: FakeRun):
    index = CaseIndex(run, content=True)
    for item in run.items:
        for trace, judged in zip(item.traces, item.judged, strict=True):
            index.add(item.case, "answered", trace, judged)
    columns = index.columns()
    for metric, packed in zip(columns["metrics"], index.scores, strict=True):
        found = unpacked(packed)
        of_case = {case_id: [] for case_id in columns["id"]}
        for row in run.scores().iter_rows(named=True):
            if row["metric"] == metric["name"]:
                of_case[row["case_id"]].append(row)
        worst = (max((row["status"] for row in rows), key=ORDER.index, default="-") for rows in of_case.values())
        assert found["status"] == "".join(status[0] for status in worst)
        for end in ("low", "high"):
            assert found[end] == [mean([row[end] for row in rows]) for rows in of_case.values()]
