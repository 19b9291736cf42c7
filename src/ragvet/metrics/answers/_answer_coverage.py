"""The share of tested cases for which an answer was produced."""

from __future__ import annotations

from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import flag
from ragvet.metrics.answers._validated import produced
from ragvet.records import MetricDeclaration, Outcome

__all__ = ["ANSWER_COVERAGE"]


def _measure(answer: JudgedAnswer) -> Outcome:
    return flag(produced(answer), unknown="whether it answered is undecided")


ANSWER_COVERAGE = AnswerMetric(
    MetricDeclaration(
        name="answer_coverage",
        version=1,
        title="The share of tested cases for which an answer was produced.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="the observed behaviour",
        undefined_when="never: a blank answer is no answer",
        does_not_catch="Whether the answers are any good: a system that answers everything scores best.",
        formula="produced / tested: per case 1 if the system answered with text, else 0",
        reference="El-Yaniv & Wiener 2010, selective classification: coverage and risk",
    ),
    measure=_measure,
)
