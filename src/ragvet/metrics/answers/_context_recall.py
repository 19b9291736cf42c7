"""The share of the reference answer's statements that the supplied context supports."""

from __future__ import annotations

from ragvet.metrics.answers._agreement import has_reference
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.records import MetricDeclaration, Outcome, Undefined
from ragvet.records.lattice import supported

__all__ = ["CONTEXT_RECALL"]


def _measure(answer: JudgedAnswer) -> Outcome:
    statements = answer.facts.reference_support
    if answer.no_context:
        return Undefined(reason=answer.no_context)
    if statements is None:
        return Undefined(reason="the reference was not held against the context")
    return share_of(
        (supported(statement.verdict) for statement in statements),
        empty="the reference makes no statement",
        unknown="some statements of the reference are undecided",
    )


CONTEXT_RECALL = AnswerMetric(
    MetricDeclaration(
        name="context_recall",
        version=1,
        title="The share of the reference answer's statements that the supplied context supports.",
        direction="higher",
        applies_to="cases expected to be answered that have a reference answer",
        needs="a reference answer; the supplied context; a judge's verdict per statement",
        undefined_when=(
            "nothing was supplied to the model or nobody knows what was; the judge did not look; "
            "the reference makes no statement"
        ),
        does_not_catch="Whether the answer used what it was given; noise supplied beside the evidence.",
        formula="supported statements / statements of the reference",
        reference="Es et al. 2024, RAGAs: context recall",
    ),
    measure=_measure,
    applies=has_reference,
)
