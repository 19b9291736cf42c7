"""The share of claims that address the question asked."""

from __future__ import annotations

from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.records import MetricDeclaration, Outcome, Undefined

__all__ = ["RELEVANCE"]


def _measure(answer: JudgedAnswer) -> Outcome:
    if answer.no_answer:
        return Undefined(reason=answer.no_answer)
    facts = [claim.addresses_question for claim in answer.facts.claims]
    if facts and all(fact is None for fact in facts):
        return Undefined(reason="relevance to the question was not judged")
    return share_of(facts, empty="the answer makes no claim", unknown="relevance of some claims was not judged")


RELEVANCE = AnswerMetric(
    MetricDeclaration(
        name="relevance",
        version=1,
        title="The share of claims that address the question asked.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="a judge's relevance verdict for each claim",
        undefined_when=(
            "the answer is blank, refuses, asks back or routes; it makes no claim; relevance was not judged"
        ),
        does_not_catch="Whether what addresses the question is true; a question addressed in part only.",
        formula="claims that address the question / claims",
        reference="ragvet",
    ),
    measure=_measure,
)
