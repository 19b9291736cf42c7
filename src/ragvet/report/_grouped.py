from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

__all__ = ["Grouped"]

_CASES, _PASSES = 5000, 16
"""Cases read at once: so many, and more where the frame would have to be gone through more often than this."""
_AT_ONCE = 1000


class Grouped:
    """Rows of a frame by key, as columns: `{"rank": [1, 2], "chunk_id": ["a", "b"], …}`, in the order of the frame.

    A few thousand cases are read at a time, and Python sees a thousand groups of them: keys are best asked for in
    order.

    Args:
        frame: what to group; its column `case_id` is the first part of every key.
        cases: the ids in the order in which they will be asked for.
        key: the columns that make up the rest of a key.
        columns: the columns a group is made of.
    """

    def __init__(self, frame: pl.LazyFrame, cases: Sequence[str], key: Sequence[str], columns: Sequence[str]) -> None:
        self._frame = frame
        self._cases = cases
        self._chunk_of = {case_id: place // self._size for place, case_id in enumerate(cases)}
        self._key = ("case_id", *key)
        self._columns = columns
        self._chunk = self._shelf = -1
        self._places: dict[tuple[Any, ...], int] = {}
        self._groups = pl.DataFrame()
        self._rows: list[tuple[Any, ...]] = []

    def get(self, case_id: str, *rest: Any) -> dict[str, list[Any]] | None:
        """The rows under a key, or None where there are none."""
        chunk = self._chunk_of.get(case_id)
        if chunk is not None and chunk != self._chunk:
            self._read(chunk)
        place = self._places.get((case_id, *rest))
        if place is None:
            return None
        shelf, row = divmod(place, _AT_ONCE)
        if shelf != self._shelf:
            self._shelf, self._rows = shelf, self._groups.slice(shelf * _AT_ONCE, _AT_ONCE).rows()
        return dict(zip(self._columns, self._rows[row], strict=True))

    @property
    def _size(self) -> int:
        return max(_CASES, -(-len(self._cases) // _PASSES))

    def _read(self, chunk: int) -> None:
        cases = self._cases[chunk * self._size : (chunk + 1) * self._size]
        wanted = self._frame.filter(pl.col("case_id").is_in(cases)).select(*self._key, *self._columns)
        grouped = wanted.group_by(self._key, maintain_order=True).agg(*self._columns).collect()
        self._places = {names: place for place, names in enumerate(grouped.select(self._key).iter_rows())}
        self._groups = grouped.select(self._columns)
        self._chunk, self._shelf = chunk, -1
