"""Groups of a frame: what comes out is what was put in, in as little room as the ids and names in it allow."""

from __future__ import annotations

import polars as pl

from ragvet.report._grouped import Grouped


def test_the_rows_under_each_key_come_back_in_order_and_unknown_keys_have_none():
    groups = 2500  # more than are read at once
    rows = [(f"q{number}", name, number / 7 if name == "a" else None) for name in "ab" for number in range(groups)]
    grouped = Grouped(pl.DataFrame(rows, schema=["case", "name", "low"], orient="row"), ("case",), ("name", "low"))
    for number in (0, 999, 1000, 2499, 3):
        assert grouped.get(f"q{number}") == {"name": ["a", "b"], "low": [number / 7, None]}
    assert grouped.get("q2500") is None
