"""RBP: relevance weighted by the chance that a reader gets that far."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._metric import LEVEL, Between, Definition
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Window, weigh
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1, p: float = 0.8) -> Extent:
    """From the weight of what is relevant to that plus the weight of what is unjudged: the residual."""
    weights = (1 - p) * np.power(p, np.arange(window.width, dtype=np.float64))
    low = weigh(window.relevant(rel), weights)
    if not window.any_unknown:
        return Extent(low, low)
    unjudged, _ = window.could_be_relevant(rel)
    return Extent(low, weigh(window.relevant(rel) | unjudged, weights))


RANK_BIASED_PRECISION = Definition(
    MetricDeclaration(
        name="RBP",
        version=1,
        family="Retrieval",
        title="What a reader gains who goes on to the next item with probability p.",
        direction="higher",
        needs="judgments",
        undefined_when="Never: an empty ranking gains 0.",
        does_not_catch="How much there was to find: with one relevant item the best possible value is 1 - p.",
        formula="(1 - p) · Σ over relevant ranks i of p^(i - 1); high - low is the residual of unjudged places",
        reference="Moffat, Zobel: Rank-biased precision for measurement of retrieval effectiveness (TOIS 2008)",
    ),
    measure,
    parameters=(LEVEL, Between("p", 0.8, 0.0, 1.0)),
    cutoff="optional",
)
