"""Whether the answer addresses the question asked."""

from __future__ import annotations

from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import flag
from ragvet.records import MetricDeclaration, Outcome, Undefined

__all__ = ["QUESTION_ADDRESSED"]


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = answer.no_answer
    if missing is None and answer.facts.addresses_question is None:
        missing = "whether the question is addressed was not judged or is undecided"
    if missing:
        return Undefined(reason=missing)
    return flag(answer.facts.addresses_question, unknown="whether the question is addressed is undecided")


QUESTION_ADDRESSED = AnswerMetric(
    MetricDeclaration(
        name="question_addressed",
        version=1,
        title="Whether the answer addresses the question asked.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="a judge's verdict on the whole answer",
        undefined_when="the answer is blank, refuses, asks back or routes; it was not judged or is undecided",
        does_not_catch="Padding beside the point; whether the answer is true.",
        formula="1 if the question is addressed, else 0",
        reference="ragvet",
    ),
    measure=_measure,
)
