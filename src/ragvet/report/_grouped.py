from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import polars.selectors as cs

__all__ = ["Grouped"]

_AT_ONCE = 1000


class Grouped:
    """Rows of a frame by key, as columns: `{"rank": [1, 2], "chunk_id": ["a", "b"], …}`, in the order of the frame.

    The rows stay in a frame of their own, texts as categories: ids and names recur in it. Python sees a thousand groups
    at a time, so keys are best asked for in order.

    Args:
        frame: what to group.
        key: the columns that name a group.
        columns: the columns a group is made of.
    """

    def __init__(self, frame: pl.DataFrame | pl.LazyFrame, key: Sequence[str], columns: Sequence[str]) -> None:
        self._columns = columns
        texts = cs.by_dtype(pl.String)
        grouped = (
            frame.lazy()
            .select(*key, *columns)
            .with_columns(texts.cast(pl.Categorical))
            .group_by(list(key), maintain_order=True)
            .agg(*columns)
            .collect()
        )
        self._places = {names: place for place, names in enumerate(grouped.select(key).iter_rows())}
        self._groups = grouped.select(columns)
        self._shelf = -1
        self._rows: list[tuple[Any, ...]] = []

    def get(self, *key: Any) -> dict[str, list[Any]] | None:
        """The rows under a key, or None where there are none."""
        place = self._places.get(key)
        if place is None:
            return None
        shelf, row = divmod(place, _AT_ONCE)
        if shelf != self._shelf:
            self._shelf, self._rows = shelf, self._groups.slice(shelf * _AT_ONCE, _AT_ONCE).rows()
        return dict(zip(self._columns, self._rows[row], strict=True))
