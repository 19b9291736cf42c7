"""AP: precision at each relevant item, averaged over all relevant items."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._rank_sums import extremes, precision_sum
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Window, divide
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1) -> Extent:
    """One scan over how many unjudged items are relevant, standing worst or best for each count."""
    relevant = window.fresh(rel)
    known = window.known_relevant(rel)
    plain = precision_sum(relevant)
    if not window.any_unknown:
        return Extent.exact(plain, known, divide(plain, known))
    unjudged, u, v = window.could_be_fresh(rel)
    low, high = extremes(relevant, unjudged, plain, known, v)
    settled = u + v == 0
    return Extent(
        low,
        high,
        ever=known + u + v > 0,
        always=window.some_relevant(rel),
        numerator=np.where(settled, plain, np.nan),
        denominator=np.where(settled, known, np.nan),
    )


AVERAGE_PRECISION = Definition(
    MetricDeclaration(
        name="AP",
        version=1,
        family="Retrieval",
        title="Precision at each relevant item, averaged over everything relevant; its mean over queries is MAP.",
        direction="higher",
        needs="judgments of the whole judged set",
        undefined_when="The judged set holds nothing relevant.",
        does_not_catch="Degrees of relevance, and whether one relevant item would have been enough.",
        formula="Σ over relevant ranks q in the first k of (relevant up to q) / q, / relevant in the whole judged set",
        reference="Buckley, Voorhees: Retrieval System Evaluation (TREC, 2005); trec_eval map, map_cut_k",
    ),
    measure,
    cutoff="optional",
    looks_elsewhere=True,
)
