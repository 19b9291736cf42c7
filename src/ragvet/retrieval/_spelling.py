from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from ragvet.metrics.retrieval import UNJUDGED
from ragvet.retrieval._align import Labelled
from ragvet.retrieval._ids import look_alike_notice
from ragvet.retrieval._notices import Notice
from ragvet.retrieval._qrels import Qrels

_LOOKED_AT = 2_000
"""Rows of each file whose ids are compared letter by letter: a fault of form shows in the first ones."""


@dataclass
class Spelling:
    """Item ids that are the same but for how they are written: of qrels and run, and within each.

    Comparing the forms of millions of ids takes longer than all the rest, so the first rows of each file have to do,
    unless everything was asked for.

    Attributes:
        qrels: the judgments.
        everything: look at every id.
    """

    qrels: Qrels
    everything: bool
    _unjudged: list[pl.Series] = field(default_factory=list)
    _judged: pl.Series | None = None
    _more: bool = False

    def see(self, part: Labelled) -> None:
        """Note the ids of a part of the run."""
        assert part.items is not None  # noqa: S101 - labelled gives them
        if self.everything:
            self._unjudged.append(part.items.filter(part.labels == UNJUDGED).unique(maintain_order=True))
        elif self._judged is None:
            queries = int(np.searchsorted(np.cumsum(part.lengths), _LOOKED_AT)) + 1
            rows = int(part.lengths[:queries].sum())
            self._unjudged.append(part.items.gather(np.flatnonzero(part.labels[:rows] == UNJUDGED)))
            among = np.zeros(len(self.qrels), np.bool_)
            among[part.queries[:queries]] = True
            self._judged = self.qrels.items.filter(among[self.qrels.codes])
            self._more = rows < len(part.items)
        else:
            self._more = True

    def notices(self) -> list[Notice]:
        """What there is to remark about the ids seen."""
        unjudged = pl.concat(self._unjudged).unique(maintain_order=True)
        every = self.qrels.items
        judged = every if self._judged is None else self._judged
        listed = every if self.everything else every.head(_LOOKED_AT)
        asked = self.qrels.queries if self.everything else self.qrels.queries.head(_LOOKED_AT)
        first = f" of the first {_LOOKED_AT:,} or so ranked" if self._more else ""
        of_qrels = f"judged items of the first {_LOOKED_AT:,}" if len(listed) < len(every) else "judged items"
        return [
            look_alike_notice("item-look-alike", unjudged, judged, f"unjudged items{first} whose id is a judged one"),
            _within("judged-alike", listed, f"{of_qrels} whose id is that of another"),
            _within("ranked-alike", unjudged, f"unjudged items{first} whose id is that of another"),
            _within("query-alike", asked, "judged queries whose id is that of another"),
        ]


def _within(kind: str, ids: pl.Series, what: str) -> Notice:
    """Of ids that are each other's look-alikes, all but the first."""
    return look_alike_notice(kind, ids, ids, what)
