"""precision@k: the share of k places that hold something relevant."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Window, count
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1) -> Extent:
    """From a / k to (a + u) / k: empty places are misses."""
    k = float(window.k or window.width)
    hits = count(window.relevant(rel))
    _, u = window.could_be_relevant(rel)
    return Extent(hits / k, (hits + u) / k, numerator=hits, denominator=np.full(len(window), k))


PRECISION = Definition(
    MetricDeclaration(
        name="precision",
        version=1,
        family="Retrieval",
        headline=5,
        title="Share of the first k places that hold something relevant.",
        direction="higher",
        needs="judgments",
        undefined_when="Never: an empty ranking has precision 0.",
        does_not_catch="Relevant items that were never retrieved, and the same evidence retrieved again and again.",
        formula="relevant in the first k / k; empty places are misses",
        reference="Manning, Raghavan, Schütze: Introduction to Information Retrieval (2008), 8.4; trec_eval P_k",
    ),
    measure,
)
