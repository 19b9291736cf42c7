from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.errors import InputError, Problem
from ragvet.metrics.retrieval import UNJUDGED
from ragvet.retrieval._ids import look_alike_notice
from ragvet.retrieval._index import Places, code_keys, hash_ids
from ragvet.retrieval._notices import Notice
from ragvet.retrieval._options import Reading
from ragvet.retrieval._order import Segments, in_order, ties
from ragvet.retrieval._qrels import Qrels
from ragvet.retrieval._run import run_name, run_parts
from ragvet.retrieval._tables import Source

T = TypeVar("T", bound=np.generic)

_SHOWN = 20
_SORTED_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True)
class Labelled:
    """Ranked items with their grades, query after query, best first.

    Attributes:
        queries: int64, the code of each query.
        lengths: int64, its ranked items.
        labels: int8, one each ranked item: grade or `UNJUDGED`.
        tied: bool, whether the score equals that of the item before; None: no scores.
        items: the ranked items' ids; None: no longer needed.
    """

    queries: Places
    lengths: Places
    labels: NDArray[np.int8]
    tied: NDArray[np.bool_] | None
    items: pl.Series | None


def labelled(qrels: Qrels, run: Source, reading: Reading) -> Iterator[tuple[Labelled, list[Notice]]]:
    """The run's items with their grades, part by part, and what was remarked.

    Raises:
        InputError: an item stands twice in a ranking, or the run cannot be read or ordered.
    """
    name = run_name(run)
    for part, notices in run_parts(run, reading.run_columns):
        found = notices.copy()
        queries = part.frame["query"].gather(part.starts)
        codes = qrels.codes_of(queries)
        what = "queries whose id is a judged one but for zero padding or Unicode form"
        found.append(look_alike_notice("query-look-alike", queries.filter(codes < 0), qrels.queries, what))
        known, codes, unknown = _judged_queries(part, codes)
        ordered, remarks = in_order(known, reading.order, name)
        yield _with_grades(qrels, ordered, codes, name), found + unknown + remarks


def _judged_queries(segments: Segments, codes: Places) -> tuple[Segments, Places, list[Notice]]:
    """The queries that something is judged for; the others are left out and counted."""
    known = codes >= 0
    if known.all():
        return segments, codes, []
    names = segments.names(np.flatnonzero(~known))
    notice = Notice.of("query-not-in-qrels", names, "queries of the run without judgments", "They are not scored.")
    rows = np.repeat(known, segments.lengths)
    lengths = segments.lengths[known]
    starts = np.cumsum(lengths) - lengths
    return Segments(segments.frame.filter(rows), starts, lengths), codes[known], [notice]


def _with_grades(qrels: Qrels, segments: Segments, codes: Places, name: str) -> Labelled:
    items = segments.frame["item"]
    keys = hash_ids(items) ^ np.repeat(code_keys(codes), segments.lengths)
    _no_item_twice(segments, keys, name)
    place = qrels.pairs.find(items, keys)
    hit = np.flatnonzero(place >= 0)
    labels = np.full(len(items), UNJUDGED, np.int8)
    labels[hit] = qrels.grades[place[hit]]
    return Labelled(codes, segments.lengths, labels, ties(segments), items)


def _no_item_twice(segments: Segments, keys: NDArray[np.uint64], name: str) -> None:
    """Some thousand rows at a time: sorting them costs less than hashing them would."""
    ends = np.cumsum(segments.lengths)
    start = 0
    while start < len(keys):
        query = min(int(np.searchsorted(ends, start + _SORTED_AT_ONCE)), len(ends) - 1)
        end = int(ends[query])
        part = np.sort(keys[start:end])
        if (part[1:] == part[:-1]).any():
            _name_twice(segments, name, start, end)
        start = end


def _name_twice(segments: Segments, name: str, start: int, end: int) -> None:
    part = segments.frame[start:end].select("query", "item")
    twice = part.filter(part.is_duplicated()).unique(maintain_order=True)
    if twice.height:
        raise InputError(
            Problem(
                name,
                f"item {item} more than once",
                "each item once in a ranking",
                "Remove the repetition.",
                record=f"query {query}",
            )
            for query, item in twice.head(_SHOWN).rows()
        )


def matrix(lengths: Places, flat: NDArray[T], fill: int, depth: int) -> NDArray[T]:
    """Consecutive values as rows of a matrix, filled up at the end."""
    if len(lengths) and bool((lengths == depth).all()):
        return flat.reshape(len(lengths), depth)
    result = np.full((len(lengths), depth), fill, flat.dtype)
    result[np.arange(depth) < lengths[:, None]] = flat
    return result
