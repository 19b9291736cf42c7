"""What chunks of which nobody can tell what they carry leave open about the chunks around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.metrics.rankings import UNJUDGED
from ragvet.records import Passage
from ragvet.runs._anchoring import grade_of, unit_of

__all__ = ["Unsettled", "unsettle"]


@dataclass(frozen=True, slots=True)
class Unsettled:
    """What is left to know of chunks that are open, as fields of `Rankings`.

    Attributes:
        unsure: bool, as the labels: nobody can tell whether the chunk only repeats. None: there is no such batch.
        at_least: int8, as the labels: the grade the chunk has in any case. None: likewise.
    """

    unsure: NDArray[np.bool_] | None = None
    at_least: NDArray[np.int8] | None = None


def unsettle(
    labels: NDArray[np.int8], redundant: NDArray[np.bool_], rows: pl.DataFrame, passages: Sequence[Sequence[Passage]]
) -> Unsettled:
    """Makes unjudged whatever unplaced chunks leave open, and says what is known of it all the same.

    An unplaced chunk may only repeat what stands above it, a chunk below it may only repeat what the unplaced one
    carries, and one that carries a passage for sure may carry a better one: what it is the first to bring is open.
    That a chunk which carries a passage is relevant is not.

    Args:
        labels: of the batch; changed in place.
        redundant: of the batch; changed in place.
        rows: its chunks: `row, rank, passages, unplaced`.
        passages: the reference passages of each row.
    """
    row: int
    rank: int
    carried: list[int]
    unplaced: list[int]
    concerned = rows.filter(pl.col("unplaced").list.len() > 0).select("row").unique()
    if concerned.is_empty():
        return Unsettled()
    unsure, at_least = np.zeros(labels.shape, np.bool_), np.zeros(labels.shape, np.int8)
    chunks = rows.join(concerned, on="row", how="semi").sort("row", "rank")
    sure: set[object] = set()
    possible: set[object] = set()
    last = None
    for row, rank, carried, unplaced in chunks.select("row", "rank", "passages", "unplaced").iter_rows():
        if row != last:
            sure.clear()
            possible.clear()
            last = row
        own, maybe = _grades(passages[row], carried), _grades(passages[row], unplaced)
        least = max((grade for unit, grade in own.items() if unit not in sure | possible), default=0)
        most = max((grade for unit, grade in [*own.items(), *maybe.items()] if unit not in sure), default=0)
        better_repeat = most == 0 and max(maybe.values(), default=0) > max(own.values(), default=0)
        place = row, rank - 1
        if not own:
            labels[place] = UNJUDGED if maybe else labels[place]
            unsure[place] = not (sure | possible).isdisjoint(maybe)
        elif least != most or better_repeat:
            labels[place], redundant[place], unsure[place] = UNJUDGED, False, least == 0
            first = [grade for unit, grade in [*own.items(), *maybe.items()] if unit not in sure]
            at_least[place] = least or min([*first, max(own.values())])
        sure.update(own)
        possible.update(maybe)
    return Unsettled(unsure, at_least)


def _grades(passages: Sequence[Passage], numbers: Sequence[int]) -> dict[object, int]:
    """Unit → its grade, of the relevant ones of these passages."""
    return {unit_of(passages, number): grade_of(passages, number) for number in numbers if passages[number].grade > 0}
