"""The share of citations that point at a chunk or document that exists."""

from __future__ import annotations

from operator import attrgetter

from ragvet.metrics.answers._citations import CITATIONS_UNDEFINED_WHEN, citation_share
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.records import MetricDeclaration, Outcome

__all__ = ["CITATION_RESOLVES"]


def _measure(answer: JudgedAnswer) -> Outcome:
    return citation_share(answer, attrgetter("resolves"), unchecked="no citation could be looked up")


CITATION_RESOLVES = AnswerMetric(
    MetricDeclaration(
        name="citation_resolves",
        version=1,
        title="The share of citations that point at a chunk or document that exists.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=CITATIONS_UNDEFINED_WHEN + "; no citation could be looked up",
        does_not_catch="Whether the cited text says what the claim says.",
        formula="resolving citations / citations",
        reference="ragvet",
    ),
    measure=_measure,
)
