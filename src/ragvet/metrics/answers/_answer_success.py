"""The share of tested cases that end in a validated answer."""

from __future__ import annotations

from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import flag
from ragvet.metrics.answers._validated import produced, validated
from ragvet.records import MetricDeclaration, Outcome, Undefined
from ragvet.records.lattice import all_of

__all__ = ["ANSWER_SUCCESS"]


def _measure(answer: JudgedAnswer) -> Outcome:
    if not answer.validated:
        return Undefined(reason="the config does not declare what validated means")
    return flag(all_of(fact(answer) for fact in (produced, validated)), unknown="some parts of validated are undecided")


ANSWER_SUCCESS = AnswerMetric(
    MetricDeclaration(
        name="answer_success",
        version=1,
        title="The share of tested cases that end in a validated answer.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="the conjunction declared as validated in the config, before testing",
        undefined_when="the config does not declare what validated means",
        does_not_catch="Whether the rest was refused or wrong: see answer_coverage and answer_quality.",
        formula="validated / tested: per case 1 if an answer was produced and every declared condition holds, else 0",
        reference="El-Yaniv & Wiener 2010, selective classification: coverage and risk",
    ),
    measure=_measure,
)
