"""The share of citations that support every claim they back."""

from __future__ import annotations

from ragvet.metrics.answers._citations import CITATIONS_UNDEFINED_WHEN, citation_share, supports
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.records import MetricDeclaration, Outcome

__all__ = ["CITATION_PRECISION"]


def _measure(answer: JudgedAnswer) -> Outcome:
    return citation_share(answer, supports)


CITATION_PRECISION = AnswerMetric(
    MetricDeclaration(
        name="citation_precision",
        version=1,
        title="The share of citations that support every claim they back.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=CITATIONS_UNDEFINED_WHEN,
        does_not_catch="Claims without any citation; a citation that supports its claim and was not needed.",
        formula="supporting citations / citations; one that leads nowhere does not support",
        reference="Liu et al. 2023, Evaluating Verifiability in Generative Search Engines (Findings of EMNLP)",
    ),
    measure=_measure,
)
