"""chunk_coverage@k: the share of the annotated chunk ids that was found."""

from __future__ import annotations

from ragvet.metrics.rankings._coverage import mean_share
from ragvet.metrics.rankings._metric import Definition
from ragvet.metrics.rankings._scores import Extent, Reason
from ragvet.metrics.rankings._window import Window
from ragvet.records import MetricDeclaration


def measure(window: Window) -> Extent:
    """Counted over ids: nothing unknown can move it."""
    return mean_share(window, window.rankings.chunks)


CHUNK_COVERAGE = Definition(
    MetricDeclaration(
        name="chunk_coverage",
        version=1,
        family="Retrieval",
        akin_to="coverage",
        grows_with_depth=True,
        title="Share of the annotated chunk ids among the first k places.",
        direction="higher",
        needs="evidence marked by chunk ids",
        undefined_when="No passage is marked by chunk ids.",
        does_not_catch="Passages that are marked otherwise; that a passage of many chunks weighs as much as many "
        "passages of one; and a new chunking, which changes the ids.",
        formula="annotated chunk ids in the first k / all of them, one that two passages list counting twice; "
        "`coverage` takes the mean over passages instead",
        reference="What guides to RAG evaluation call the coverage of a case, here of the first k only",
    ),
    measure,
    parameters=(),
    cutoff="optional",
    undefined=Reason.NO_CHUNK_IDS,
)
