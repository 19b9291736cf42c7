"""unjudged@k: how many of the retrieved items nobody has judged."""

from __future__ import annotations

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent, Reason
from ragvet.metrics.rankings._window import Window, divide
from ragvet.records import MetricDeclaration


def measure(window: Window) -> Extent:
    """Counted, not judged: nothing unknown can move it."""
    unjudged = window.unjudged_count
    return Extent.exact(unjudged, window.returned, divide(unjudged, window.returned))


UNJUDGED_SHARE = Definition(
    MetricDeclaration(
        name="unjudged",
        version=1,
        family="Retrieval",
        title="Share of what was returned that nobody has judged.",
        direction="none",
        needs="judgments",
        undefined_when="Nothing was returned.",
        does_not_catch="Unjudged items that were not returned.",
        formula="unjudged in the first k / items returned in the first k",
        reference="trec_eval 10 unj_k",
    ),
    measure,
    parameters=(),
    cutoff="optional",
    undefined=Reason.NOTHING_RETURNED,
    ties="unjudged",
)
