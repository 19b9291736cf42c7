"""Qrels and a run brought together, in the arrays that metrics take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.metrics.rankings import Assumption, Metric, Rankings, Scores, compute, tie_extent
from ragvet.retrieval._index import Places
from ragvet.retrieval._notices import Notice


@dataclass(frozen=True, slots=True)
class Batch:
    """Queries whose rankings are of similar length.

    Attributes:
        rows: int64, the place of each in the collection's `query_ids`.
        rankings: what is known about them.
        tied: bool (n, depth): the item's score equals that of the one before. None: no scores, or no equal ones.
        places: int64 (n, depth): where each ranked item stands in the collection's `items`. None: items are not kept.
    """

    rows: Places
    rankings: Rankings
    tied: NDArray[np.bool_] | None
    places: Places | None = None


@dataclass(frozen=True, slots=True)
class Collection:
    """Qrels and a run brought together: rankings of grades, and everything that was remarked on the way.

    Attributes:
        query_ids: in the order of the qrels.
        batches: every query in one of them.
        notices: counted remarks about the input.
        items: the ids of ranked items. None: they were not kept.
    """

    query_ids: pl.Series
    batches: tuple[Batch, ...]
    notices: tuple[Notice, ...] = ()
    items: pl.Series | None = None

    def __len__(self) -> int:
        return len(self.query_ids)

    def score(self, metric: Metric, assumption: Assumption | None = None) -> Scores:
        """The metric on every query, in the order of `query_ids`; with an assumption nothing is unknown."""

        def of(batch: Batch) -> Scores:
            return compute(metric, batch.rankings.assuming(assumption) if assumption else batch.rankings)

        return self._gathered(of(batch) for batch in self.batches)

    def tie_extent(self, metric: Metric) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The least and the greatest value over every order of items with equal scores, float64 (n,) each.

        Unknown judgments are at their worst in the one and at their best in the other.
        """
        scores = self.score(metric)
        low, high = scores.low.copy(), scores.high.copy()
        for batch in self.batches:
            if batch.tied is not None:
                among = np.flatnonzero(batch.tied.any(axis=1))
                rows = batch.rows[among]
                low[rows], high[rows] = tie_extent(metric, batch.rankings.select(among), batch.tied[among])
        return low, high

    def _gathered(self, parts: Iterator[Scores]) -> Scores:
        joined = Scores.joined(list(parts))
        if len(self.batches) == 1:
            return joined
        back = np.argsort(np.concatenate([batch.rows for batch in self.batches]))
        return Scores(*(getattr(joined, name)[back] for name in Scores.__slots__))
