"""Tables too long for memory: written and read a piece at a time, in the order of the run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path

import polars as pl
from polars.io.plugins import register_io_source

from ragvet.records import Trace
from ragvet.runs._storage import replace_frame

__all__ = ["InOrder", "Packed", "streamed"]

ROWS_AT_ONCE = 20_000
_KEY = ["case_id", "repeat"]


def streamed(frames: Iterable[pl.DataFrame], schema: pl.Schema) -> pl.LazyFrame:
    """The frames as one that is never in memory as a whole. It can be collected once."""

    def source(
        columns: list[str] | None, predicate: pl.Expr | None, limit: int | None, _: int | None
    ) -> Iterator[pl.DataFrame]:
        assert columns is None and predicate is None and limit is None, "it is written whole"  # noqa: S101, PT018 - impossible state
        yield from frames

    return register_io_source(source, schema=schema)


class Packed:
    """A table that grows piece by piece, and is packed in memory until it is written."""

    def __init__(self, schema: pl.Schema) -> None:
        self._schema = schema
        self._pieces: list[bytes] = []

    def add(self, frame: pl.DataFrame) -> None:
        """Puts these rows below the others."""
        if frame.is_empty():
            return
        into = BytesIO()
        frame.write_ipc(into, compression="zstd")
        self._pieces.append(into.getvalue())

    def write(self, path: Path) -> None:
        """Writes all of it as Parquet, whole or not at all."""
        frames = (pl.read_ipc(BytesIO(piece)) for piece in self._pieces)
        replace_frame(path, streamed(frames, self._schema), rows_per_group=ROWS_AT_ONCE)


class InOrder:
    """A table whose rows stand in the order of the run, read once from its beginning to its end."""

    def __init__(self, frame: pl.LazyFrame) -> None:
        self._frame = frame
        self._rows: int = frame.select(pl.len()).collect().item()
        self._read = 0
        self._left = frame.head(0).collect()

    def of(self, traces: Sequence[Trace]) -> pl.DataFrame:
        """The rows of these items, which follow those asked for before."""
        rows = [trace.key for trace in traces]
        keys = pl.DataFrame(rows, schema={"case_id": pl.String, "repeat": pl.UInt32}, orient="row")
        taken = [self._left.head(0)]
        while True:
            if self._left.is_empty():
                if self._read >= self._rows:
                    break
                self._left = self._frame.slice(self._read, ROWS_AT_ONCE).collect()
                self._read += ROWS_AT_ONCE
            count = self._left.join(keys, on=_KEY, how="semi").height
            taken.append(self._left[:count])
            self._left = self._left[count:]
            if not self._left.is_empty():
                break
        return pl.concat(taken)
