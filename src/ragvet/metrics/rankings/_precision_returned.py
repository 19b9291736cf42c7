"""precision over the places a ranking fills, where it returns fewer than k."""

from __future__ import annotations

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent, Reason
from ragvet.metrics.rankings._window import Window, count, divide
from ragvet.records import MetricDeclaration


def measure(window: Window, rel: int = 1) -> Extent:
    """As precision, over the places that are filled."""
    returned = window.returned
    hits = count(window.relevant(rel))
    _, u = window.could_be_relevant(rel)
    return Extent(
        low=divide(hits, returned),
        high=divide(hits + u, returned),
        ever=returned > 0,
        numerator=hits,
        denominator=returned,
    )


PRECISION_RETURNED = Definition(
    MetricDeclaration(
        name="precision_returned",
        version=1,
        family="Retrieval",
        title="Share of what was returned that is relevant.",
        direction="higher",
        needs="judgments",
        undefined_when="Nothing was returned.",
        does_not_catch="A system that returns one safe item and leaves everything else out.",
        formula="relevant in the first k / items returned in the first k",
        reference="Manning, Raghavan, Schütze (2008), 8.3; trec_eval set_P where there is no cutoff",
    ),
    measure,
    cutoff="optional",
    undefined=Reason.NOTHING_RETURNED,
)
