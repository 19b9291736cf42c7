"""Context precision@k: precision at each relevant item, averaged over the retrieved ones."""

from __future__ import annotations

import numpy as np

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._rank_sums import extremes, precision_sum
from ragvet.metrics.rankings._scores import Extent, Reason
from ragvet.metrics.rankings._window import Window, count, divide
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1) -> Extent:
    """As AP, over what was retrieved: only unjudged items in the window can move it."""
    relevant = window.relevant(rel)
    hits = count(relevant)
    plain = precision_sum(relevant)
    if not window.any_unknown:
        return Extent.exact(plain, hits, divide(plain, hits))
    unjudged, u = window.could_be_relevant(rel)
    low, high = extremes(relevant, unjudged, plain, hits, np.zeros(len(window)))
    return Extent(
        low,
        high,
        ever=hits + u > 0,
        always=hits > 0,
        numerator=np.where(u == 0, plain, np.nan),
        denominator=np.where(u == 0, hits, np.nan),
    )


CONTEXT_PRECISION = Definition(
    MetricDeclaration(
        name="context_precision",
        version=1,
        family="Retrieval",
        title="How well the relevant items that were retrieved stand above the rest.",
        direction="higher",
        needs="judgments",
        undefined_when="Nothing relevant is among the first k.",
        does_not_catch="Relevant items that were never retrieved: one relevant item on top makes it 1.",
        formula="Σ over relevant ranks q in the first k of (relevant up to q) / q, / relevant in the first k",
        reference="Average precision over the retrieved; Ragas and DeepEval call it context(ual) precision",
    ),
    measure,
    cutoff="optional",
    undefined=Reason.NOTHING_RELEVANT_RETRIEVED,
    ties="cut",
)
