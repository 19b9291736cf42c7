"""Judgments of retrieved items, read from whatever form they come in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.errors import InputError, Problem
from ragvet.metrics.rankings import MAX_GRADE
from ragvet.retrieval._index import PairIndex, Places, all_different, code_keys, hash_ids, heads
from ragvet.retrieval._notices import Notice, merged
from ragvet.retrieval._tables import Source, tables
from ragvet.retrieval._text import NOT_GRADED

_SHOWN = 20
_USED = ("query", "item", "grade")


@dataclass(frozen=True)
class Qrels:
    """Judgments, one row each, and the queries in the order they first appear.

    Attributes:
        source: the file, as its user named it.
        queries: the query ids.
        codes: int64, the place of each row's query in `queries`.
        items: the judged items' ids.
        grades: int8.
        pairs: finds the row of a (query, item).
        notices: what was remarked while reading.
    """

    source: str
    queries: pl.Series
    codes: Places
    items: pl.Series
    grades: NDArray[np.int8]
    pairs: PairIndex
    notices: tuple[Notice, ...]

    def __len__(self) -> int:
        return len(self.queries)

    @cached_property
    def index(self) -> PairIndex:
        """Finds the code of a query."""
        return PairIndex.of_ids(self.queries)

    def codes_of(self, queries: pl.Series) -> Places:
        """The code of each query, -1 where nothing is judged for it."""
        return self.index.find_ids(queries)

    def counts(self, top_grade: int) -> NDArray[np.int64]:
        """How many items of each grade are judged, int64 (queries, top_grade + 1)."""
        flat = np.bincount(self.codes * (top_grade + 1) + self.grades, minlength=len(self) * (top_grade + 1))
        return flat.reshape(len(self), top_grade + 1).astype(np.int64)


def read_qrels(source: Source, columns: str | None = None, *, more: Sequence[Source] = ()) -> Qrels:
    """The judgments of a source, with those of `more` sources beside them.

    Grade -1 (pooled, not judged) and an empty one in a tab separated file leave an item unjudged, lower grades (spam)
    count as 0, the same judgment twice counts once: all of it is remarked.

    Raises:
        InputError: it cannot be read, a grade is above 100, or an item has two different grades for one query.
    """
    name = " and ".join(_name(one) for one in (source, *more))
    parts = [part for one in (source, *more) for part in tables(one, "qrels", columns)]
    remarked = merged(notice for _, found in parts for notice in found)
    frame = pl.concat([part.select(_USED) for part, _ in parts]) if parts else pl.DataFrame()
    if not frame.height:
        raise InputError(Problem(name, "no judgments", "at least one", "Check that it is the right file."))
    codes, queries = _coded(frame["query"])
    grades = frame["grade"].to_numpy()
    if grades.max() > MAX_GRADE:
        row = int(grades.argmax())
        raise InputError(
            Problem(name, f"grade {grades[row]}", f"0 to {MAX_GRADE}", "Map the grades to that range.",
                    record=f"query {frame['query'][row]}, item {frame['item'][row]}")
        )  # fmt: skip
    notices = [*remarked, *(_below_zero(frame["item"], grades) if grades.min() < 0 else [])]
    keep = grades != NOT_GRADED
    items, codes, grades = frame["item"].filter(keep), codes[keep], np.maximum(grades[keep], 0).astype(np.int8)
    pairs = PairIndex(items, hash_ids(items) ^ code_keys(codes))
    doubles = pairs.doubles()
    if doubles:
        names = [f"query {queries[int(codes[row])]}, item {items[row]}" for row, _ in doubles]
        _refuse_two_grades(name, names, grades, doubles)
        notices.append(Notice.of("judged-twice", names, "judgments that stand twice", "Each counts once."))
        keep = np.ones(len(codes), np.bool_)
        keep[[later for _, later in doubles]] = False
        items, codes, grades = items.filter(keep), codes[keep], grades[keep]
        pairs = PairIndex(items, hash_ids(items) ^ code_keys(codes))
    return Qrels(name, queries, codes, items, grades, pairs, tuple(notice for notice in notices if notice.count))


def _name(source: Source) -> str:
    return str(source) if isinstance(source, str) or hasattr(source, "__fspath__") else "qrels"


def _refuse_two_grades(source: str, names: list[str], grades: NDArray[np.int8], doubles: list[tuple[int, int]]) -> None:
    problems = [
        Problem(source, f"grades {grades[a]} and {grades[b]}", "one grade for an item", "Decide on one.", record=name)
        for name, (a, b) in zip(names, doubles, strict=True)
        if grades[a] != grades[b]
    ]
    if problems:
        raise InputError(problems[:_SHOWN])


def _below_zero(items: pl.Series, grades: NDArray[np.int64]) -> list[Notice]:
    open_ = items.filter(grades == NOT_GRADED).to_list()
    junk = items.filter(grades < NOT_GRADED).to_list()
    action = "They count as grade 0: judged, not relevant."
    return [
        Notice.of(
            "listed-unjudged",
            open_,
            "rows without grade, or of grade -1: in the pool, not judged",
            "They stay unjudged.",
        ),
        Notice.of("negative-grade", junk, "rows with a grade below -1", action),
    ]


def _coded(queries: pl.Series) -> tuple[Places, pl.Series]:
    """The place of each row's query among the distinct ones, in order of first appearance."""
    hashes = hash_ids(queries)
    starts = heads(hashes)
    lengths = np.diff(starts, append=len(queries))
    firsts = queries[starts]
    if all_different(hashes[starts]):
        return np.repeat(np.arange(len(firsts)), lengths), firsts
    distinct = firsts.unique(maintain_order=True)
    return np.repeat(PairIndex.of_ids(distinct).find_ids(firsts), lengths), distinct
