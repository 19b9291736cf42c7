"""The share of citations that point at the document version in force on the effective date."""

from __future__ import annotations

from operator import attrgetter

from ragvet.metrics.answers._citations import EXISTING_UNDEFINED_WHEN, citation_share
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.records import MetricDeclaration, Outcome

__all__ = ["CITATION_RIGHT_VERSION"]


def _measure(answer: JudgedAnswer) -> Outcome:
    unchecked = "no citation's version could be checked"
    return citation_share(answer, attrgetter("right_version"), unchecked=unchecked, of_existing=True)


CITATION_RIGHT_VERSION = AnswerMetric(
    MetricDeclaration(
        name="citation_right_version",
        version=2,
        title="The share of citations that point at the document version in force on the effective date.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations with versions; a corpus register with validity dates or status",
        undefined_when=EXISTING_UNDEFINED_WHEN + "; no citation's version could be checked",
        does_not_catch="A version in force whose content is wrong; stale passages used without being cited.",
        formula="citations of the right version / citations, without those known to lead nowhere",
        reference="ragvet",
    ),
    measure=_measure,
)
