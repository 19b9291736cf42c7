"""The share of citations that point at something this answer's own retrieval found."""

from __future__ import annotations

from operator import attrgetter

from ragvet.metrics.answers._citations import CITATIONS_UNDEFINED_WHEN, citation_share
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.records import MetricDeclaration, Outcome

__all__ = ["CITATION_RETRIEVED"]


def _measure(answer: JudgedAnswer) -> Outcome:
    return citation_share(
        answer, attrgetter("retrieved"), unchecked="no citation could be compared with what was retrieved"
    )


CITATION_RETRIEVED = AnswerMetric(
    MetricDeclaration(
        name="citation_retrieved",
        version=1,
        title="The share of citations that point at something this answer's own retrieval found.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=CITATIONS_UNDEFINED_WHEN + "; no citation could be compared with what was retrieved",
        does_not_catch=(
            "Whether the cited text says what the claim says; a citation of a passage retrieved and never read."
        ),
        formula="citations of retrieved or supplied items / citations",
        reference="ragvet",
    ),
    measure=_measure,
)
