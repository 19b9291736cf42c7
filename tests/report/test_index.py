from __future__ import annotations

import polars as pl
import pytest
from tests.report.conftest import unpacked
from tests.report.fake_run import FakeRun

from ragvet.records.outcomes import per_case
from ragvet.report._index import CaseIndex


def test_every_metric_has_its_status_and_ends_for_every_case_in_the_order_of_the_list(run: FakeRun):
    index = CaseIndex(run, content=True)
    for item in run.items:
        for trace, judged in zip(item.traces, item.judged, strict=True):
            index.add(item.case, {"observed": "answered"}, trace, judged)
    columns = index.columns()
    for metric, packed in zip(columns["metrics"], index.scores, strict=True):
        found = unpacked(packed)
        scores = run.scores().filter(pl.col("metric") == metric["name"])
        outcomes = {row["case_id"]: row for row in per_case(scores, run.declarations).iter_rows(named=True)}
        told = [outcomes.get(case_id, {}) for case_id in columns["id"]]
        assert found["status"] == "".join(row.get("status", "-")[0] for row in told)
        for end in ("low", "high"):
            assert found[end] == pytest.approx([row.get(end) for row in told], abs=1e-4)
