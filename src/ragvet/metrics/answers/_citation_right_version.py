"""The share of citations that point at the document version in force on the effective date."""

from __future__ import annotations

from operator import attrgetter

from ragvet.metrics.answers._citations import CITATIONS_UNDEFINED_WHEN, citation_share
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.records import MetricDeclaration, Outcome

__all__ = ["CITATION_RIGHT_VERSION"]


def _measure(answer: JudgedAnswer) -> Outcome:
    return citation_share(answer, attrgetter("right_version"), unchecked="no citation's version could be checked")


CITATION_RIGHT_VERSION = AnswerMetric(
    MetricDeclaration(
        name="citation_right_version",
        version=1,
        title="The share of citations that point at the document version in force on the effective date.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations with versions; a corpus register with validity dates or status",
        undefined_when=CITATIONS_UNDEFINED_WHEN + "; no citation's version could be checked",
        does_not_catch="A version in force whose content is wrong; stale passages used without being cited.",
        formula="citations of the right version / citations",
        reference="ragvet",
    ),
    measure=_measure,
)
