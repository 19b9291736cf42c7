"""Rows by item: what comes out is what was put in, however much of it is read or taken at once."""

from __future__ import annotations

import polars as pl
import pytest

from ragvet.report import _item_rows
from ragvet.report._item_rows import ItemRows


@pytest.mark.parametrize("at_once", [1, 7, 10_000])
@pytest.mark.parametrize("block", [1, 9, 40])
def test_the_rows_of_each_item_come_back_in_their_order_with_the_item_they_belong_to(
    at_once: int, block: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(_item_rows, "_CASES", at_once)
    monkeypatch.setattr(_item_rows, "_PASSES", 100)
    cases = [f"q{number}" for number in range(40)]
    rows = [(case, repeat, name, int(case[1:])) for name in "ba" for repeat in (1, 0) for case in reversed(cases)]
    frame = pl.LazyFrame(rows, schema=["case_id", "repeat", "name", "number"], orient="row")
    by_item = ItemRows(frame.filter(pl.col("case_id") != "q5"), cases, ("name", "number"))
    found = []
    for start in range(0, 40, block):
        table = by_item.take(min(start + block, 40))
        rows_of = iter(zip(table.get("name", []), table.get("number", []), strict=True))
        for place, repeat, count in zip(*(table.get(name, []) for name in ("case", "repeat", "rows")), strict=True):
            found.append((cases[start + place], repeat, [next(rows_of) for _ in range(count)]))
        assert next(rows_of, None) is None
    expected = [
        (case, repeat, [("b", place), ("a", place)])
        for place, case in enumerate(cases)
        for repeat in (0, 1)
        if case != "q5"
    ]
    assert found == expected
