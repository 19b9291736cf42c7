"""RR@k: one over the rank of the first relevant item."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Floats, Mask, Window
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1) -> Extent:
    """From the first item judged relevant to the first that is or may be."""
    relevant = window.relevant(rel)
    low = _reciprocal(relevant)
    if not window.any_unknown:
        return Extent(low, low)
    unjudged, _ = window.could_be_relevant(rel)
    return Extent(low, _reciprocal(relevant | unjudged))


def _reciprocal(relevant: Mask) -> Floats:
    """1 / rank of the first true column, 0 where none is."""
    first = relevant.argmax(axis=1)
    found = relevant[np.arange(len(relevant)), first]
    return found / (first + 1.0)


RECIPROCAL_RANK = Definition(
    MetricDeclaration(
        name="RR",
        version=1,
        family="Retrieval",
        headline=1,
        title="How high the first relevant item stands; its mean over queries is MRR.",
        direction="higher",
        needs="judgments",
        undefined_when="Never: without a relevant item among the first k it is 0, also where nothing is relevant, "
        "which some tools leave undefined.",
        does_not_catch="Everything after the first relevant item.",
        formula="1 / rank of the first relevant item in the first k, 0 if there is none",
        reference="Voorhees: The TREC-8 Question Answering Track Report (1999); trec_eval recip_rank",
    ),
    measure,
    cutoff="optional",
)
