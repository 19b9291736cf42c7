"""redundancy@k: places spent on evidence that was there before."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent, Reason
from ragvet.metrics.rankings._window import Window, count, divide
from ragvet.records import MetricDeclaration


def measure(window: Window) -> Extent:
    """Counted from the annotated evidence: only items that nobody can place can move it."""
    if window.repeated is None:
        unknown = np.full(len(window), np.nan)
        return Extent(unknown, unknown, ever=np.zeros(len(window), np.bool_))
    returned = window.returned
    least = count(window.repeated if window.adds is None else window.repeated & ~window.adds)
    if window.unsure is None:
        return Extent.exact(least, returned, divide(least, returned))
    most = count(window.repeated | window.unsure)
    return Extent(divide(least, returned), divide(most, returned), returned > 0, None, least, returned)


REDUNDANCY = Definition(
    MetricDeclaration(
        name="redundancy",
        version=3,
        family="Retrieval",
        title="Share of what was returned that only repeats evidence already seen above it.",
        direction="lower",
        needs="evidence annotated as passages, so that chunks carrying the same evidence are known",
        undefined_when="Nothing was returned, or the input does not say which items carry the same evidence.",
        does_not_catch="Repetition of text that is no annotated evidence.",
        formula="items in the first k whose evidence all stands above them, to the last chunk or character they hold, "
        "/ items returned in the first k; "
        "bounded where items of the right document state neither text nor place",
        reference="Clarke et al.: Novelty and diversity in information retrieval evaluation (SIGIR 2008), for the idea",
    ),
    measure,
    parameters=(),
    cutoff="optional",
    undefined=Reason.NOTHING_RETURNED,
    bounded=Reason.UNPLACED,
    needs_repeats=True,
)
