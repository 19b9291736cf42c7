"""Groups of a frame: what comes out is what was put in, however much of it is read at once."""

from __future__ import annotations

import polars as pl
import pytest

from ragvet.report import _grouped
from ragvet.report._grouped import Grouped


@pytest.mark.parametrize("at_once", [1, 7, 10_000])
def test_the_rows_under_each_key_come_back_in_order_and_unknown_keys_have_none(
    at_once: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(_grouped, "_CASES", at_once)
    monkeypatch.setattr(_grouped, "_AT_ONCE", 3)
    cases = [f"q{number}" for number in range(40)]
    rows = [(case, repeat, name, len(case) / 7) for name in "ab" for repeat in (0, 1) for case in reversed(cases)]
    frame = pl.LazyFrame(rows, schema=["case_id", "repeat", "name", "low"], orient="row")
    grouped = Grouped(frame.filter(pl.col("case_id") != "q5"), cases, ("repeat",), ("name", "low"))
    for case in (*cases, "q0", "q39", "q1"):  # in order is best, not a must
        for repeat in (0, 1):
            expected = None if case == "q5" else {"name": ["a", "b"], "low": [len(case) / 7] * 2}
            assert grouped.get(case, repeat) == expected
    assert grouped.get("q7", 2) is None
    assert grouped.get("elsewhere", 0) is None
