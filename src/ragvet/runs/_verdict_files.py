"""The verdict tables of a run: written in the order of its items, read piece by piece in the same order."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from ragvet.errors import BundleError
from ragvet.records import Trace
from ragvet.records.verdict_rows import to_tables
from ragvet.records.verdict_tables import TABLES
from ragvet.runs._pieces import InOrder, Packed

__all__ = ["VerdictReader", "scan_verdicts", "write_verdicts"]

_Fields = Mapping[str, Any]


def write_verdicts(folder: Path, pieces: Iterable[Sequence[tuple[_Fields, _Fields]]]) -> None:
    """Writes the tables of a run.

    Args:
        folder: of the run.
        pieces: what was judged with its traces, as their JSON and in the order of the run; only one piece is in
            memory as objects, the others as packed columns.
    """
    packed = {name: Packed(schema) for name, schema in TABLES.items()}
    for piece in pieces:
        for name, frame in to_tables(piece).items():
            packed[name].add(frame)
    (folder / "verdicts").mkdir(mode=0o700, exist_ok=True)
    for name, table in packed.items():
        table.write(_path(folder, name))


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
        self._tables = {name: InOrder(scan_verdicts(folder, name)) for name in TABLES}

    def of(self, traces: Sequence[Trace]) -> dict[str, pl.DataFrame]:
        """The rows of these items, which follow those asked for before."""
        return {name: table.of(traces) for name, table in self._tables.items()}


def _path(folder: Path, table: str) -> Path:
    return folder / "verdicts" / f"{table}.parquet"
