"""Rankings, read from whatever form they come in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.retrieval._index import Hashes, all_different, distinct, hash_ids, heads
from ragvet.retrieval._notices import Notice
from ragvet.retrieval._order import Segments
from ragvet.retrieval._tables import Source, tables

PART = 1 << 23
"""Rows held at once. Within them the lines of a query may stand anywhere."""
_AT_ONCE = 1 << 20
"""Rows handed on at once."""


def run_parts(source: Source, columns: str | None = None) -> Iterator[tuple[Segments, list[Notice]]]:
    """The run in parts of whole queries, the rows of each query together in file order.

    Raises:
        InputError: the run cannot be read, is empty, or is longer than `PART` rows and scatters a query's lines.
    """
    name = run_name(source)
    held: list[pl.DataFrame] = []
    rows, any_row = 0, False
    notes: list[Notice] = []
    finished: Hashes | None = None
    for frame, found in tables(source, "run", columns):
        notes = [*notes, *found]
        held.append(frame)
        rows += frame.height
        if rows >= PART:
            whole, rest = _split(pl.concat(held))
            if whole.height:
                finished = _whole_queries(whole, finished, name)
                for piece in _pieces(_segments(whole)):
                    yield piece, notes
                    notes = []
                any_row = True
            held, rows = [rest], rest.height
    if rows:
        last = pl.concat(held)
        if finished is not None:
            _whole_queries(last, finished, name)
        for piece in _pieces(_segments(last)):
            yield piece, notes
            notes = []
    elif not any_row:
        raise InputError(Problem(name, "no ranked items", "at least one", "Check that it is the right file."))


def run_name(source: Source) -> str:
    """What messages call the run."""
    return str(source) if isinstance(source, str) or hasattr(source, "__fspath__") else "run"


def _pieces(segments: Segments) -> Iterator[Segments]:
    """Some queries at a time: what is computed of so few rows fits into memory that is at hand already."""
    ends = segments.starts + segments.lengths
    first = 0
    while first < len(ends):
        start = int(segments.starts[first])
        last = max(first + 1, int(np.searchsorted(ends, start + _AT_ONCE, side="right")))
        rows, queries = slice(start, int(ends[last - 1])), slice(first, last)
        yield Segments(segments.frame[rows], segments.starts[queries] - start, segments.lengths[queries])
        first = last


def _split(frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """All but the last query, whose lines may go on, and the last."""
    last = frame["query"][-1]
    others = (frame["query"] != last).arg_true()
    end = int(others[-1]) + 1 if len(others) else 0
    return frame[:end], frame[end:]


def _whole_queries(frame: pl.DataFrame, finished: Hashes | None, name: str) -> Hashes:
    """The queries finished so far; none of them may go on."""
    hashes = hash_ids(frame["query"])
    starts = heads(hashes)
    here = distinct(hashes[starts])
    if finished is None:
        return here
    so_far = np.concatenate((finished, here))
    if not all_different(so_far):
        again = frame["query"][starts].filter(np.isin(hashes[starts], finished))
        raise InputError(
            Problem(
                name,
                f"lines of {len(again):,} queries far apart",
                f"all lines of a query together, in files of over {PART:,} lines",
                "Sort the file by query.",
                record=f"query {again[0]}",
            )
        )
    return so_far


def _segments(frame: pl.DataFrame) -> Segments:
    """Rows of a query brought together, queries in the order of their first rows."""
    hashes = hash_ids(frame["query"])
    starts = heads(hashes)
    if all_different(hashes[starts]):
        return Segments(frame, starts, np.diff(starts, append=len(hashes)))
    _, first, of_head = np.unique(hashes[starts], return_index=True, return_inverse=True)
    place = np.empty(len(first), np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    frame = frame[np.argsort(np.repeat(place[of_head], np.diff(starts, append=len(hashes))), kind="stable")]
    starts = heads(hash_ids(frame["query"]))
    return Segments(frame, starts, np.diff(starts, append=len(frame)))
