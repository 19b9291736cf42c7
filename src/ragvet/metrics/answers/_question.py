"""Relevance: whether the answer, and each of its claims, is about the question."""

from __future__ import annotations

from ragvet.metrics.answers._batch import Batch, places
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.metrics.answers._outcomes import Outcomes, either, flag, share_of
from ragvet.records import MetricDeclaration
from ragvet.records.facts import Facts

__all__ = ["METRICS"]


def _relevance(batch: Batch) -> Outcomes:
    claims = batch.judged.claims
    some = {claim.answer for claim in claims}
    judged = {claim.answer for claim in claims if claim.addresses_question is not None}
    unjudged = [
        "relevance to the question was not judged" if place in some and place not in judged else None
        for place in range(len(batch))
    ]
    return share_of(
        Facts.of(claim.addresses_question for claim in claims),
        places(claims),
        missing=either(batch.no_answer, unjudged),
        empty="the answer makes no claim",
        unknown="relevance of some claims was not judged",
    )


def _addressed(batch: Batch) -> Outcomes:
    said = {head.answer: head.addresses_question for head in batch.judged.heads}
    facts = [said.get(place) for place in range(len(batch))]
    unjudged = "whether the question is addressed was not judged or is undecided"
    missing = either(batch.no_answer, [unjudged if fact is None else None for fact in facts])
    return flag(Facts.of(facts), missing=missing, unknown="whether the question is addressed is undecided")


RELEVANCE = AnswerMetric(
    MetricDeclaration(
        name="relevance",
        version=1,
        title="The share of claims that address the question asked.",
        family="Completeness and accuracy",
        headline=14,
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
    measure=_relevance,
)


QUESTION_ADDRESSED = AnswerMetric(
    MetricDeclaration(
        name="question_addressed",
        version=1,
        title="Whether the answer addresses the question asked.",
        family="Completeness and accuracy",
        stage="on the question",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="a judge's verdict on the whole answer",
        undefined_when="the answer is blank, refuses, asks back or routes; it was not judged or is undecided",
        does_not_catch="Padding beside the point; whether the answer is true.",
        formula="1 if the question is addressed, else 0",
        reference="ragvet",
    ),
    measure=_addressed,
)


METRICS = (
    RELEVANCE,
    QUESTION_ADDRESSED,
)
