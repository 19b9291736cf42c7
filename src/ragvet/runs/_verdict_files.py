"""The verdict tables of a run: written in the order of its items, read piece by piece in the same order."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from ragvet.errors import BundleError
from ragvet.records import Trace
from ragvet.records.verdict_rows import to_tables
from ragvet.records.verdict_tables import TABLES
from ragvet.runs._storage import replace_frame

__all__ = ["VerdictReader", "scan_verdicts", "write_verdicts"]

_KEY = ["case_id", "repeat"]
_ROWS_AT_ONCE = 20_000

_Fields = Mapping[str, Any]


def write_verdicts(folder: Path, pieces: Iterable[Sequence[tuple[_Fields, _Fields]]]) -> None:
    """Writes the tables of a run.

    Args:
        folder: of the run.
        pieces: what was judged with its traces, as their JSON and in the order of the run; only one piece is in
            memory as objects, the others as packed columns.
    """
    packed: dict[str, list[bytes]] = {name: [] for name in TABLES}
    for piece in pieces:
        for name, frame in to_tables(piece).items():
            if frame.height:
                packed[name].append(_packed(frame))
    (folder / "verdicts").mkdir(mode=0o700, exist_ok=True)
    for name, schema in TABLES.items():
        frame = register_io_source(_unpacking(packed[name]), schema=schema)
        replace_frame(_path(folder, name), frame, rows_per_group=_ROWS_AT_ONCE)


def scan_verdicts(folder: Path, table: str) -> pl.LazyFrame:
    """One table of a run, to be read in part.

    Raises:
        BundleError: it is not there, or another version of ragvet wrote it.
    """
    path = _path(folder, table)
    again = "Run the golden set again, with `[target] recorded` on its traces.parquet if nobody is to be asked"
    if not path.is_file():
        if (folder / "verdicts.parquet").is_file():
            raise BundleError(f"{folder}: its verdicts are those of an older ragvet (verdicts.parquet). {again}")
        remade = f"ragvet run --resume {shlex.quote(str(folder))}"
        raise BundleError(f"{path}: is missing. Make it again with: {remade}")
    frame = pl.scan_parquet(path)
    if frame.collect_schema() != TABLES[table]:
        raise BundleError(f"{path}: has other columns; another version of ragvet wrote it. {again}")
    return frame


class VerdictReader:
    """The tables of a run, asked for items in the order of the run: each row is read once."""

    def __init__(self, folder: Path) -> None:
        self._cursors = {name: _Cursor(scan_verdicts(folder, name)) for name in TABLES}

    def of(self, traces: Iterable[Trace]) -> dict[str, pl.DataFrame]:
        """The rows of these items; they follow those asked for before."""
        rows = [trace.key for trace in traces]
        keys = pl.DataFrame(rows, schema={"case_id": pl.String, "repeat": pl.UInt32}, orient="row")
        return {name: cursor.take(keys) for name, cursor in self._cursors.items()}


class _Cursor:
    """One table that is read from its beginning to its end."""

    def __init__(self, frame: pl.LazyFrame) -> None:
        self._frame = frame
        self._rows: int = frame.select(pl.len()).collect().item()
        self._read = 0
        self._left = frame.head(0).collect()

    def take(self, keys: pl.DataFrame) -> pl.DataFrame:
        """The rows of these items, with which what is left begins."""
        taken = [self._left.head(0)]
        while True:
            if self._left.is_empty():
                if self._read >= self._rows:
                    break
                self._left = self._frame.slice(self._read, _ROWS_AT_ONCE).collect()
                self._read += _ROWS_AT_ONCE
            count = self._left.join(keys, on=_KEY, how="semi").height
            taken.append(self._left[:count])
            self._left = self._left[count:]
            if not self._left.is_empty():
                break
        return pl.concat(taken)


def _path(folder: Path, table: str) -> Path:
    return folder / "verdicts" / f"{table}.parquet"


def _packed(frame: pl.DataFrame) -> bytes:
    into = BytesIO()
    frame.write_ipc(into, compression="zstd")
    return into.getvalue()


def _unpacking(pieces: list[bytes]) -> Any:
    """The source of a frame that is unpacked piece by piece while it is written."""

    def source(
        columns: list[str] | None, predicate: pl.Expr | None, limit: int | None, _: int | None
    ) -> Iterator[pl.DataFrame]:
        assert columns is None and predicate is None and limit is None, "it is written whole"  # noqa: S101, PT018 - impossible state
        for piece in pieces:
            yield pl.read_ipc(BytesIO(piece))

    return source
