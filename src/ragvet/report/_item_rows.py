"""Rows of a frame in the order of the items of a run, given out as columns for a range of cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

__all__ = ["ItemRows"]

_CASES, _PASSES = 4000, 24
"""Cases read at once: so many, and more where the frame would have to be gone through more often than this."""


class ItemRows:
    """Rows by item, taken from the first case to the last: `{"rank": [1, 2], "chunk_id": ["a", "b"], …}`.

    The rows of one item stand in the order of the frame.

    Args:
        frame: with `case_id` and `repeat`.
        cases: the ids of all cases in the order of the run.
        columns: what is given out of each row.
    """

    def __init__(self, frame: pl.LazyFrame, cases: Sequence[str], columns: Sequence[str]) -> None:
        self._frame = frame.select("case_id", "repeat", *columns)
        self._places = pl.DataFrame({"case_id": cases}, schema={"case_id": pl.String}).with_row_index("case")
        self._columns = list(columns)
        self._size = max(_CASES, -(-len(cases) // _PASSES))
        self._read = self._taken = 0
        self._rows = pl.DataFrame()

    def take(self, end: int) -> dict[str, list[Any]]:
        """The rows of the cases up to the place `end` that were not taken before, column by column.

        The columns `case` (0: the first of these cases), `repeat` and `rows` say which items there are rows of, in
        their order, and how many.
        """
        while self._read < end:
            self._read_on()
        split = 0 if self._rows.is_empty() else int(self._rows["case"].search_sorted(end))
        taken, self._rows = self._rows.head(split), self._rows.slice(split)
        first, self._taken = self._taken, end
        if taken.is_empty():
            return {}
        case, repeat = taken["case"].to_numpy(), taken["repeat"].to_numpy()
        changes = np.flatnonzero((case[1:] != case[:-1]) | (repeat[1:] != repeat[:-1])) + 1
        starts = np.concatenate(([0], changes))
        return {
            "case": (case[starts] - first).tolist(),
            "repeat": repeat[starts].tolist(),
            "rows": np.diff(starts, append=len(case)).tolist(),
            **{name: taken[name].to_list() for name in self._columns},
        }

    def _read_on(self) -> None:
        places = self._places.slice(self._read, self._size)
        joined = self._frame.join(places.lazy(), on="case_id", maintain_order="left")
        found = joined.sort("case", "repeat", maintain_order=True).collect()
        self._rows = found if self._rows.is_empty() else pl.concat([self._rows, found])
        self._read += self._size
