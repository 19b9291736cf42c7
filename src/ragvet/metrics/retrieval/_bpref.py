from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragvet.metrics.retrieval._metric import Definition
from ragvet.metrics.retrieval._scores import Extent
from ragvet.metrics.retrieval._window import Floats, Mask, Window, count, divide, gapped, running
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1) -> Extent:
    """Of judged items only, by construction; the bounds say what it could be once everything is judged."""
    relevant = window.fresh(rel)
    nonrelevant = (window.labels >= 0) & (window.labels < rel)
    if window.repeated is not None:
        nonrelevant &= ~window.repeated  # a repeat is passed over
    known = window.known_relevant(rel)
    known_not = window.rankings.judged[:, :rel].sum(axis=1, dtype=np.float64)
    low = _plain(relevant, nonrelevant, known, known_not)
    if not window.any_unknown:
        return Extent(low, low, ever=known > 0)
    unjudged, u, v = window.could_be_fresh(rel)
    open_ = u + v > 0
    endless = open_ & np.isinf(v)
    simple = endless & ~gapped(relevant | unjudged)  # nothing non-relevant above what may be relevant: no loss
    high = np.where(simple, divide(count(relevant) + u, known + u, otherwise=0.0), low)
    low = np.where(endless, 0.0, low)
    for row in np.flatnonzero(open_ & ~simple):
        places = _Places(relevant[row], nonrelevant[row], unjudged[row])
        low[row], high[row] = _extremes(places, known[row], known_not[row], v[row])
    return Extent(low, high, ever=known + u + v > 0, always=window.some_relevant(rel))


def _plain(relevant: Mask, nonrelevant: Mask, known: Floats, known_not: Floats) -> Floats:
    above = np.minimum(running(nonrelevant)[:, 1:], known[:, None])
    lost = above / np.maximum(np.minimum(known, known_not), 1)[:, None]
    return np.sum(relevant * (1 - lost), axis=1) / np.maximum(known, 1)


class _Places:
    """One ranking, and how many non-relevant items stand above its relevant ones once x unjudged ones are relevant."""

    def __init__(
        self, relevant: NDArray[np.bool_], nonrelevant: NDArray[np.bool_], unjudged: NDArray[np.bool_]
    ) -> None:
        self.width = len(relevant)
        self.relevant = int(np.count_nonzero(relevant))
        self.u = int(np.count_nonzero(unjudged))
        below, open_above = np.cumsum(nonrelevant), np.cumsum(unjudged)
        self._known = (below[relevant], open_above[relevant])
        self._raised = below[unjudged]

    def lost(self, *, best: bool) -> Floats:
        """S(x, R) = Σ min(non-relevant above, R) over the relevant items, float64 (u + 1, w + 1).

        The x unjudged items that are relevant are the first ones (best) or the last ones of the ranking.
        """
        x = np.arange(self.u + 1)[:, None]
        judged_above, open_above = self._known
        if best:
            known = judged_above + open_above - np.minimum(open_above, x)
            raised = np.where(np.arange(self.u) < x, self._raised, -1)
        else:
            known = judged_above + np.minimum(open_above, self.u - x)
            raised = np.where(np.arange(self.u) >= self.u - x, self._raised + self.u - x, -1)
        above = np.hstack((known, raised))
        size = self.width + 1
        cells = np.bincount((above + x * size)[above > 0], minlength=(self.u + 1) * size)
        histogram = cells.reshape(self.u + 1, size)
        survivors = np.cumsum(histogram[:, :0:-1], axis=1)[:, ::-1]  # how many have at least 1, 2, … above
        return np.hstack((np.zeros((self.u + 1, 1)), np.cumsum(survivors, axis=1, dtype=np.float64)))


def _extremes(places: _Places, known: float, known_not: float, elsewhere: float) -> tuple[float, float]:
    """The bounds over x relevant unjudged items in the ranking and y elsewhere.

    Past R = 2w the value only falls with y, so that the scan over y ends there and at y = `elsewhere`.
    """
    x = np.arange(places.u + 1.0)[:, None]
    y = np.arange(min(elsewhere, 2.0 * places.width) + 1)
    if np.isfinite(elsewhere):
        y = np.append(y, elsewhere)
    r = known + x + y
    least = np.maximum(np.minimum(r, known_not + (places.u - x) + (elsewhere - y)), 1)
    column = np.minimum(r, places.width).astype(np.int64)
    found = places.relevant + x

    def values(*, best: bool) -> Floats:
        lost = np.take_along_axis(places.lost(best=best), column, axis=1)
        return np.where(r > 0, (found - lost / least) / np.maximum(r, 1), np.nan)

    low = 0.0 if np.isinf(elsewhere) else float(np.nanmin(values(best=False)))
    return low, float(np.nanmax(values(best=True)))


BPREF = Definition(
    MetricDeclaration(
        name="bpref",
        version=1,
        title="Whether judged relevant items stand above judged non-relevant ones.",
        direction="higher",
        needs="judgments of both kinds",
        undefined_when="The judged set holds nothing relevant.",
        does_not_catch="Anything unjudged: a ranking may be full of it and still be perfect. trec_eval's value is the "
        "one under the assumption `condensed`.",
        formula="1/R · Σ over relevant items of (1 - min(non-relevant above it, R) / min(N, R))",
        reference="Buckley, Voorhees: Retrieval evaluation with incomplete information (SIGIR 2004); trec_eval bpref",
    ),
    measure,
    cutoff="none",
    looks_elsewhere=True,
)
