"""The share of citations that the caller may open."""

from __future__ import annotations

from operator import attrgetter

from ragvet.metrics.answers._citations import EXISTING_UNDEFINED_WHEN, citation_share
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.records import MetricDeclaration, Outcome

__all__ = ["CITATION_PERMITTED"]


def _measure(answer: JudgedAnswer) -> Outcome:
    unchecked = "no citation could be held against the caller's rights"
    return citation_share(answer, attrgetter("permitted"), unchecked=unchecked, of_existing=True)


CITATION_PERMITTED = AnswerMetric(
    MetricDeclaration(
        name="citation_permitted",
        version=2,
        title="The share of citations that the caller may open.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="the caller's identity; a corpus register with audiences",
        undefined_when=EXISTING_UNDEFINED_WHEN + "; no citation could be held against the caller's rights",
        does_not_catch="Forbidden text that was read and used without being cited.",
        formula="permitted citations / citations, without those known to lead nowhere",
        reference="ragvet",
    ),
    measure=_measure,
)
