"""Traces and verdicts in the folder of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
from pydantic_core import from_json

from ragvet.records import Case
from ragvet.runs._bundle import ROWS_PER_GROUP, Run
from ragvet.runs._frames import TRACES
from ragvet.runs._journal import Journal
from ragvet.runs._pieces import streamed
from ragvet.runs._storage import replace_frame
from ragvet.runs._verdict_files import write_verdicts

__all__ = ["restore_journal", "write_judged", "write_traces"]

Row = TypeVar("Row")


def write_traces(folder: Path, journal: Journal, items: Iterable[tuple[Case, int]]) -> None:
    """Writes the traces of these cases and repeats in their order, whatever order they came in."""
    failed = journal.failed

    def traces() -> Iterator[tuple[Any, ...]]:
        for case, repeats in groupby(items, itemgetter(0)):
            written = case.model_dump_json(exclude_defaults=True)
            for key in ((case.id, repeat) for _, repeat in repeats):
                yield (*key, failed.get(key), written, journal.trace_json(key).decode())

    rows = traces()
    pieces = iter(lambda: list(islice(rows, ROWS_PER_GROUP)), [])
    frames = (pl.DataFrame(piece, schema=TRACES, orient="row") for piece in pieces)
    replace_frame(folder / "traces.parquet", streamed(frames, TRACES), rows_per_group=ROWS_PER_GROUP)


def write_judged(run: Run, journal: Journal) -> None:
    """Writes what was judged in the order of the traces of the run, whatever order it came in."""

    def pieces() -> Iterator[list[tuple[dict[str, Any], dict[str, Any]]]]:
        for piece in run.trace_texts():
            yield [
                (judged, from_json(text))
                for case_id, repeat, text in piece.iter_rows()
                if (judged := journal.judged_fields((case_id, repeat))) is not None
            ]

    write_verdicts(run.folder, pieces())


def restore_journal(run: Run, journal: Journal) -> None:
    """Puts what a finished run holds back into an empty journal, so that part of it can be done again."""
    for trace, judged in run.judged_traces():
        journal.add_trace(trace)
        if judged is not None:
            journal.add_judged(judged)
