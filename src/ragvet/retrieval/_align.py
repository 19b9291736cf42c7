"""Rankings and judgments brought together, query by query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.errors import InputError, Problem
from ragvet.metrics.rankings import UNJUDGED
from ragvet.retrieval._ids import look_alike_notice
from ragvet.retrieval._index import AT_ONCE, Hashes, Places, all_different, code_keys, hash_ids
from ragvet.retrieval._notices import Notice
from ragvet.retrieval._options import Reading
from ragvet.retrieval._order import Order, Segments, in_order, ties
from ragvet.retrieval._qrels import Qrels
from ragvet.retrieval._run import run_name, run_parts
from ragvet.retrieval._tables import Source

T = TypeVar("T", bound=np.generic)

_SHOWN = 20


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
        queries = part.frame["query"][part.starts]
        codes = qrels.codes_of(queries)
        what = "queries whose id is a judged one"
        found.append(look_alike_notice("query-look-alike", queries.filter(codes < 0), qrels.queries, what))
        known, codes, unknown = _judged_queries(part, codes)
        ordered, remarks = in_order(known, reading.order, name)
        ordered, codes, own = _without_own(ordered, codes, ignore=reading.ignore_identical_ids)
        yield _with_grades(qrels, ordered, codes, name, reading.order), found + unknown + remarks + own


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


def _without_own(segments: Segments, codes: Places, *, ignore: bool) -> tuple[Segments, Places, list[Notice]]:
    """Without items that have the id of their query, if asked; else with a remark where one stands first."""
    own = (segments.frame["query"] == segments.frame["item"]).to_numpy()
    if not own.any():
        return segments, codes, []
    if not ignore:
        names = segments.names(np.flatnonzero(own[segments.starts]))
        action = "If it is the query itself, leave it out, as BEIR does: --ignore-identical-ids."
        return (
            segments,
            codes,
            [Notice.of("query-in-own-ranking", names, "queries that rank their own id first", action)],
        )
    lengths = segments.lengths - np.add.reduceat(own, segments.starts, dtype=np.int64)
    kept, lengths = lengths > 0, lengths[lengths > 0]
    return Segments(segments.frame.filter(~own), np.cumsum(lengths) - lengths, lengths), codes[kept], []


def _with_grades(qrels: Qrels, segments: Segments, codes: Places, name: str, order: Order | None) -> Labelled:
    items = segments.frame["item"]
    which, where = qrels.pairs.find(items, _keys(segments, codes, name))
    labels = np.full(len(items), UNJUDGED, np.int8)
    labels[which] = qrels.grades[where]
    return Labelled(codes, segments.lengths, labels, ties(segments, order), items)


def _keys(segments: Segments, codes: Places, name: str) -> Iterator[Hashes]:
    """The keys of all (query, item) pairs, those of some queries at a time.

    Raises:
        InputError: an item stands twice in a ranking.
    """
    hashes = hash_ids(segments.frame["item"])
    ends = np.cumsum(segments.lengths)
    first = row = 0
    while first < len(ends):
        last = min(int(np.searchsorted(ends, row + AT_ONCE)) + 1, len(ends))
        end = int(ends[last - 1])
        keys = hashes[row:end] ^ np.repeat(code_keys(codes[first:last]), segments.lengths[first:last])
        if not all_different(keys):
            _name_twice(segments, name, row, end)
        yield keys
        first, row = last, end


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
