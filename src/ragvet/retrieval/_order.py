"""The order of a ranking: by score, by rank, as given, with ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.errors import InputError, Problem
from ragvet.retrieval._index import Places
from ragvet.retrieval._notices import Notice

Order = Literal["rank", "score", "trec"]
"""`rank`: as declared. `score`: descending, equal scores as they stand. `trec`: as trec_eval sorts, ranks ignored."""

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Segments:
    """Rows of a run, all rows of a query together.

    Attributes:
        frame: columns query, item, rank and/or score.
        starts: int64, the first row of each query.
        lengths: int64, its rows.
    """

    frame: pl.DataFrame
    starts: Places
    lengths: Places

    @property
    def inner(self) -> NDArray[np.bool_]:
        """For each row but the first: whether it belongs to the same query as the one before."""
        inner = np.ones(max(len(self.frame) - 1, 0), np.bool_)
        inner[self.starts[1:] - 1] = False
        return inner

    def query_of(self, rows: Places) -> Places:
        """The query each row belongs to, by its place in `starts`."""
        return np.searchsorted(self.starts, rows, side="right") - 1

    def names(self, queries: Places) -> list[str]:
        """Their ids."""
        return self.frame["query"].gather(self.starts[queries]).to_list()

    def sorted(self, *keys: NDArray[np.generic]) -> Segments:
        """Rows of each query by the keys, the first counting most, equal ones as they stand."""
        query = np.repeat(np.arange(len(self.starts)), self.lengths)
        order = np.lexsort((*keys[::-1], query))
        return Segments(self.frame[order], self.starts, self.lengths)


def in_order(segments: Segments, order: Order | None, source: str) -> tuple[Segments, list[Notice]]:
    """The rows of each query best first, by the declared rank, else by score.

    Raises:
        InputError: two rows of a query declare the same rank, or what the order needs is missing.
    """
    columns = segments.frame.columns
    if order in {"score", "trec"} and "score" not in columns:
        raise InputError(Problem(source, "no scores", f"scores, to order by {order}", "Leave the order to the ranks."))
    if order == "rank" and "rank" not in columns:
        raise InputError(Problem(source, "no ranks", "ranks, to order by them", "Order by score."))
    if order == "trec":
        return _as_trec_eval(segments), []
    if order == "rank" or (order is None and "rank" in columns):
        rank = segments.frame["rank"].to_numpy()
        several = len(rank) > len(segments.starts)
        says_nothing = order is None and "score" in columns and several and bool((rank == rank[0]).all())
        if not says_nothing:
            segments = _by_rank(segments, source)
            return segments, _rank_against_score(segments)
        notice = Notice("rank-constant", len(rank), f"lines, all of rank {rank[0]}", "Ordered by score instead.")
        return _by_score(segments), [notice]
    return _by_score(segments), []


def _by_rank(segments: Segments, source: str) -> Segments:
    rank = segments.frame["rank"].to_numpy()
    if bool(((rank[1:] > rank[:-1]) | ~segments.inner).all()):
        return segments
    segments = segments.sorted(rank)
    rank = segments.frame["rank"].to_numpy()
    twice = np.flatnonzero((rank[1:] == rank[:-1]) & segments.inner)
    if len(twice):
        queries = segments.query_of(twice)
        _, first = np.unique(queries, return_index=True)
        action = "Number the items from 1, or order by score."
        raise InputError(
            Problem(
                source, f"rank {rank[twice[at]]} twice", "each rank once in a query", action, record=f"query {name}"
            )
            for at, name in zip(first[:_SHOWN], segments.names(queries[first[:_SHOWN]]), strict=True)
        )
    return segments


def _by_score(segments: Segments) -> Segments:
    score = segments.frame["score"].to_numpy()
    if bool(((score[1:] <= score[:-1]) | ~segments.inner).all()):
        return segments
    return segments.sorted(-score)


def _as_trec_eval(segments: Segments) -> Segments:
    """Descending score in single precision, equal scores by descending id: the order trec_eval makes."""
    score = segments.frame["score"].to_numpy().astype(np.float32)
    ids = segments.frame["item"].rank("dense", descending=True).to_numpy()
    return segments.sorted(-score, ids)


def _rank_against_score(segments: Segments) -> list[Notice]:
    if "score" not in segments.frame.columns:
        return []
    score = segments.frame["score"].to_numpy()
    rising = np.flatnonzero((score[1:] > score[:-1]) & segments.inner)
    names = segments.names(np.unique(segments.query_of(rising)))
    what = "queries where rank and score disagree"
    return [Notice.of("rank-against-score", names, what, "The rank counts; order by score if it should not.")]


def ties(segments: Segments, order: Order | None) -> NDArray[np.bool_] | None:
    """For each row whether its score equals that of the row before in its query; None: there are no scores.

    In the precision that made the order: trec_eval's is single.
    """
    if "score" not in segments.frame.columns:
        return None
    score = segments.frame["score"].to_numpy()
    score = score.astype(np.float32) if order == "trec" else score
    tied = np.zeros(len(score), np.bool_)
    tied[1:] = (score[1:] == score[:-1]) & segments.inner
    return tied
