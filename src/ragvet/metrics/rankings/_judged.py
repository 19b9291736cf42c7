"""judged@k: the share of what was retrieved that somebody has judged."""

from __future__ import annotations

from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent, Reason
from ragvet.metrics.rankings._window import Window, divide
from ragvet.records import MetricDeclaration


def measure(window: Window) -> Extent:
    """Counted, not judged: nothing unknown can move it."""
    judged = window.returned - window.unjudged_count
    return Extent.exact(judged, window.returned, divide(judged, window.returned))


JUDGED = Definition(
    MetricDeclaration(
        name="judged",
        version=1,
        family="Retrieval",
        title="Share of what was returned that somebody has judged.",
        direction="none",
        needs="judgments",
        undefined_when="Nothing was returned.",
        does_not_catch="Whether the judgments are right.",
        formula="judged in the first k / items returned in the first k",
        reference="ir_measures Judged",
    ),
    measure,
    parameters=(),
    cutoff="optional",
    undefined=Reason.NOTHING_RETURNED,
    ties="judged",
)
