from __future__ import annotations

import numpy as np

from ragvet.metrics.retrieval._metric import Definition
from ragvet.metrics.retrieval._rankings import NEVER
from ragvet.metrics.retrieval._scores import Extent, Reason
from ragvet.metrics.retrieval._window import Window, count, divide
from ragvet.records import MetricDeclaration


def measure(window: Window) -> Extent:
    """Counted over what is annotated: nothing unjudged can move it."""
    evidence = window.evidence
    if evidence is None:
        reached, units = count(window.fresh(1)), window.known_relevant(1)
    else:
        sizes = np.diff(evidence.offsets)
        query = np.repeat(np.arange(len(sizes)), sizes)
        in_time = evidence.ranks < NEVER if window.k is None else evidence.ranks <= window.k
        reached = np.bincount(query, in_time, minlength=len(sizes)).astype(np.float64)
        units = sizes.astype(np.float64)
    return Extent.exact(reached, units, divide(reached, units))


COVERAGE = Definition(
    MetricDeclaration(
        name="coverage",
        version=1,
        title="Share of the annotated evidence that the first k places reach.",
        direction="higher",
        needs="annotated evidence; nothing about other items",
        undefined_when="No evidence is annotated.",
        does_not_catch="Evidence nobody annotated, and the noise that comes along.",
        formula="units reached in the first k / units; an any_of group is one unit reached with its first passage, "
        "an all_of group one unit reached with its last, every other passage a unit of its own",
        reference="Recall over what is annotated; without annotated passages each judged relevant item is a unit",
    ),
    measure,
    parameters=(),
    cutoff="optional",
    undefined=Reason.NOTHING_ANNOTATED,
)
