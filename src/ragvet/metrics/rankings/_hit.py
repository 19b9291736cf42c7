"""hit@k: whether anything relevant was found."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent
from ragvet.metrics.rankings._window import Window, count
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1) -> Extent:
    """1 once something judged is relevant; at most 1 where something is unjudged."""
    hits = count(window.relevant(rel))
    _, u = window.could_be_relevant(rel)
    return Extent(np.minimum(hits, 1.0), np.minimum(hits + u, 1.0))


HIT = Definition(
    MetricDeclaration(
        name="hit",
        version=1,
        family="Retrieval",
        headline=4,
        akin_to="coverage",
        grows_with_depth=True,
        title="Whether anything relevant is in the first k.",
        direction="higher",
        needs="judgments",
        undefined_when="Never: an empty ranking has no hit.",
        does_not_catch="Questions that need more than one passage.",
        formula="1 if one of the first k is relevant, else 0",
        reference="Also called success at k; trec_eval success_k",
    ),
    measure,
    cutoff="optional",
)
