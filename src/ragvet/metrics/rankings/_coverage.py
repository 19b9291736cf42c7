"""coverage@k: the share of the required evidence that was found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._rankings import NEVER, Evidence
from ragvet.metrics.rankings._scores import Extent, Reason
from ragvet.metrics.rankings._window import Floats, Window, count, divide
from ragvet.records import Fault, MetricDeclaration


def measure(window: Window) -> Extent:
    """Counted over what is annotated: only items that nobody can place can move it, and each towards more."""
    return mean_share(window, window.evidence)


def mean_share(window: Window, evidence: Evidence | None) -> Extent:
    """The mean of the shares that the window reaches of units; without evidence each relevant item is a unit."""
    if evidence is None:
        reached, units = count(window.fresh(1)), window.known_relevant(1)
        return Extent.exact(reached, units, divide(reached, units))
    sizes = np.diff(evidence.offsets)
    query = np.repeat(np.arange(len(sizes)), sizes)

    last = NEVER - 1 if window.k is None else window.k
    shares = np.zeros(len(query))
    if evidence.partial is not None:
        in_time = evidence.partial.rank <= last
        np.maximum.at(shares, evidence.partial.unit[in_time], evidence.partial.share[in_time])

    def within(ranks: NDArray[np.int64]) -> Floats:
        return np.bincount(query, np.where(ranks <= last, 1.0, shares), minlength=len(sizes)).astype(np.float64)

    reached, units = within(evidence.ranks), sizes.astype(np.float64)
    low = divide(reached, units)
    if evidence.earliest is None:
        return Extent.exact(reached, units, low)
    return Extent(low, divide(within(evidence.earliest), units), units > 0, None, reached, units)


COVERAGE = Definition(
    MetricDeclaration(
        name="coverage",
        version=3,
        family="Retrieval",
        headline=0,
        stage="retrieved",
        fault=Fault(
            says="no evidence within the supplied depth",
            gravity=130,
            at_most=0,
            depth="supplied",
        ),
        grows_with_depth=True,
        title="Share of the annotated evidence that the first k places reach, passage by passage.",
        direction="higher",
        needs="annotated evidence; nothing about other items",
        undefined_when="No evidence is annotated.",
        does_not_catch="Evidence nobody annotated, and the noise that comes along.",
        formula="mean over units of the share reached in the first k; of a passage, its chunk ids found / all of them, "
        "else the characters of its quote or range, over all chunks together; an any_of group is one unit, with the "
        "share of its best passage, an all_of group one unit, 1 once each of its passages is found; bounded where an "
        "item of the right document states neither text nor place: the least without, the most with what it may carry",
        reference="Recall over what is annotated; without annotated passages each judged relevant item is a unit",
    ),
    measure,
    parameters=(),
    cutoff="optional",
    undefined=Reason.NOTHING_ANNOTATED,
    bounded=Reason.UNPLACED,
)
