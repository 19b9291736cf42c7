"""recall@k: the share of what is relevant that was found."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Window, count, divide
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1) -> Extent:
    """From a / (A + v) to (a + u) / (A + u); an unjudged item that alone is relevant makes it 1 or, elsewhere, 0."""
    hits = count(window.found(rel))
    known = window.known_relevant(rel)
    _, u, v = window.could_be_fresh(rel)
    settled = u + v == 0
    return Extent(
        low=divide(hits, known + v, otherwise=1.0),
        high=divide(hits + u, known + u, otherwise=0.0),
        ever=known + u + v > 0,
        always=window.some_relevant(rel),
        numerator=np.where(settled, hits, np.nan),
        denominator=np.where(settled, known, np.nan),
    )


RECALL = Definition(
    MetricDeclaration(
        name="recall",
        version=2,
        family="Retrieval",
        headline=3,
        akin_to="coverage",
        grows_with_depth=True,
        title="Share of everything relevant that the first k places reach.",
        direction="higher",
        needs="judgments of the whole judged set, not only of what was returned",
        undefined_when="The judged set holds nothing relevant.",
        does_not_catch="Where in the first k the relevant items stand, and how much noise stands between them.",
        formula="relevant in the first k / relevant in the whole judged set; a passage marked by several "
        "chunks is found once all of them are",
        reference="Manning, Raghavan, Schütze (2008), 8.3; trec_eval recall_k",
    ),
    measure,
    cutoff="optional",
    looks_elsewhere=True,
)
