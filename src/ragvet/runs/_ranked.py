from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import polars as pl

from ragvet.errors import BundleError
from ragvet.records import Case, Trace
from ragvet.runs._anchoring import Anchoring, RankedRow
from ragvet.runs._frames import RANKINGS
from ragvet.runs._storage import replace_frame

__all__ = ["AnchoredRankings", "Ranked", "StoredRankings"]

_ROWS_PER_FRAME = 20_000


class Ranked(Protocol):
    """Where the graded rankings of a run come from, asked trace by trace in the order of the run."""

    def rows(self, case: Case, trace: Trace) -> Sequence[RankedRow]:
        """The rankings of one trace."""
        ...

    def frame(self) -> pl.DataFrame:
        """Those of all traces, once each has been asked for."""
        ...


class AnchoredRankings:
    """Rankings made from the traces, and written to the run when all are made."""

    def __init__(self, anchoring: Anchoring, path: Path) -> None:
        self._anchoring = anchoring
        self._path = path
        self._frames: list[pl.DataFrame] = [RANKINGS.to_frame()]
        self._pending: list[RankedRow] = []

    def rows(self, case: Case, trace: Trace) -> Sequence[RankedRow]:
        """The rankings of one trace."""
        made = list(self._anchoring.rows(case, trace))
        self._pending += made
        if len(self._pending) >= _ROWS_PER_FRAME:
            self._pack()
        return made

    def frame(self) -> pl.DataFrame:
        """Those of all traces, now on disk as well."""
        self._pack()
        frame = pl.concat(self._frames)
        replace_frame(self._path, frame)
        return frame

    def _pack(self) -> None:
        self._frames.append(pl.DataFrame(self._pending, schema=RANKINGS, orient="row"))
        self._pending = []


class StoredRankings:
    """Rankings as an earlier sitting made them."""

    def __init__(self, frame: pl.DataFrame) -> None:
        missing = [name for name in RANKINGS.names() if name not in frame.columns]
        if missing:
            raise BundleError(
                f"rankings.parquet: has no column {', '.join(missing)}; another version of ragvet wrote it. "
                f"Run the golden set again, with `[target] recorded` on its traces.parquet if nobody is to be asked"
            )
        self._frame = frame
        self._rows: Iterator[RankedRow] = frame.iter_rows()
        self._next = next(self._rows, None)

    def rows(self, case: Case, trace: Trace) -> Sequence[RankedRow]:  # noqa: ARG002 - the case was used when they were made
        """The rankings of one trace; both stand in the order of the run."""
        found: list[RankedRow] = []
        while self._next is not None and self._next[:2] == trace.key:
            found.append(self._next)
            self._next = next(self._rows, None)
        return found

    def frame(self) -> pl.DataFrame:
        """Those of all traces."""
        return self._frame
