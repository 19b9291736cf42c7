"""Ids that are known in another spelling."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.metrics.rankings import UNJUDGED
from ragvet.retrieval._align import Labelled
from ragvet.retrieval._ids import Spellings, alike_notice, look_alike_notice
from ragvet.retrieval._notices import Notice
from ragvet.retrieval._qrels import Qrels

_LOOKED_AT = 2_000
"""Ranked rows that are compared among themselves: a system that writes ids in two ways does so soon."""


@dataclass
class Spelling:
    """Item ids that are the same but for how they are written: of qrels and run, and within each.

    An unjudged item matters where it may be a judged one, which can only be in a ranking that lacks judged items: those
    rankings are looked through whole, which takes about a tenth of the time of reading. With `everything` also
    ranked ids are compared among themselves to the last one.
    """

    qrels: Qrels
    everything: bool
    _alike: dict[str, str] = field(default_factory=dict[str, str])
    _unjudged: list[pl.Series] = field(default_factory=list)
    _more: bool = False

    @cached_property
    def _judged(self) -> Spellings:
        return Spellings(self.qrels.items)

    @cached_property
    def _each(self) -> NDArray[np.int64]:
        return np.bincount(self.qrels.codes, minlength=len(self.qrels))

    def see(self, part: Labelled) -> None:
        """Note the ids of a part of the run."""
        assert part.items is not None  # noqa: S101 - labelled gives them
        if not len(part.labels):
            return
        unjudged = part.labels == UNJUDGED
        starts = np.cumsum(part.lengths) - part.lengths
        found = part.lengths - np.add.reduceat(unjudged, starts, dtype=np.int64)
        lacking = np.repeat(found < self._each[part.queries], part.lengths)
        self._alike |= self._judged.alike(part.items.filter(unjudged & lacking))
        if self.everything:
            self._unjudged.append(part.items.filter(unjudged).unique(maintain_order=True))
        elif not self._unjudged:
            self._unjudged.append(part.items[:_LOOKED_AT].filter(unjudged[:_LOOKED_AT]))
            self._more = len(part.items) > _LOOKED_AT
        else:
            self._more = True

    def notices(self) -> list[Notice]:
        """What there is to remark about the ids seen."""
        ranked = pl.concat([self.qrels.items[:0], *self._unjudged]).unique(maintain_order=True)
        first = f" of the first {_LOOKED_AT:,} ranked" if self._more else ""
        judged, queries = self.qrels.items, self.qrels.queries
        return [
            alike_notice("item-look-alike", self._alike, "unjudged items whose id is a judged one"),
            alike_notice("judged-alike", self._judged.alike(judged), "judged items whose id is that of another"),
            look_alike_notice("ranked-alike", ranked, ranked, f"unjudged items{first} whose id is that of another"),
            look_alike_notice("query-alike", queries, queries, "judged queries whose id is that of another"),
        ]
