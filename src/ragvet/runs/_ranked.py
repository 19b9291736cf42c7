"""Where the graded rankings of a run come from: made of its traces, or of an earlier sitting."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import polars as pl

from ragvet.errors import BundleError
from ragvet.records import Case, Trace
from ragvet.runs._anchoring import Anchoring
from ragvet.runs._frames import RANKINGS
from ragvet.runs._pieces import InOrder, Packed

__all__ = ["AnchoredRankings", "Ranked", "StoredRankings"]


class Ranked(Protocol):
    """Graded rankings, asked piece by piece in the order of the run."""

    def of(self, items: Sequence[tuple[Case, Trace]]) -> pl.DataFrame:
        """The rankings of these items."""
        ...

    def all(self) -> pl.LazyFrame:
        """Those of all items, once each has been asked for."""
        ...


class AnchoredRankings:
    """Rankings made from the traces, and written to the run when all are made."""

    def __init__(self, anchoring: Anchoring, path: Path) -> None:
        self._anchoring = anchoring
        self._path = path
        self._made = Packed(RANKINGS)

    def of(self, items: Sequence[tuple[Case, Trace]]) -> pl.DataFrame:
        """The rankings of these items."""
        made = self._anchoring.frame(items)
        self._made.add(made)
        return made

    def all(self) -> pl.LazyFrame:
        """Those of all items, now on disk as well."""
        self._made.write(self._path)
        return pl.scan_parquet(self._path)


class StoredRankings:
    """Rankings as an earlier sitting made them."""

    def __init__(self, frame: pl.LazyFrame) -> None:
        missing = [name for name in RANKINGS.names() if name not in frame.collect_schema()]
        if missing:
            raise BundleError(
                f"rankings.parquet: has no column {', '.join(missing)}; another version of ragvet wrote it. "
                f"Run the golden set again, with `[target] recorded` on its traces.parquet if nobody is to be asked"
            )
        self._frame = frame
        self._in_order = InOrder(frame)

    def of(self, items: Sequence[tuple[Case, Trace]]) -> pl.DataFrame:
        """The rankings of these items."""
        return self._in_order.of([trace for _, trace in items])

    def all(self) -> pl.LazyFrame:
        """Those of all items."""
        return self._frame
