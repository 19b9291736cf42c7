"""Refused where it should have answered, with no annotated evidence before the model: a retrieval fault."""

from __future__ import annotations

from ragvet.metrics.answers._behaviour import BEHAVIOUR_UNDEFINED_WHEN, refused_with_evidence
from ragvet.metrics.answers._metric import AnswerMetric, expects_answer_from_evidence
from ragvet.records import MetricDeclaration

__all__ = ["WRONG_REFUSAL_WITHOUT_EVIDENCE"]

WRONG_REFUSAL_WITHOUT_EVIDENCE = AnswerMetric(
    MetricDeclaration(
        name="wrong_refusal_without_evidence",
        version=2,
        title="Refused where it should have answered, with no annotated evidence before the model: a retrieval fault.",
        direction="lower",
        applies_to="cases expected to be answered whose evidence is marked",
        needs="the observed behaviour; annotated passages; the ranking",
        undefined_when=BEHAVIOUR_UNDEFINED_WHEN,
        does_not_catch="Evidence nobody annotated; at which stage of retrieval the evidence was lost.",
        formula=(
            "1 if the system refused and no chunk with an annotated passage was supplied (or stands within the "
            "supplied depth, where the target does not report what it supplied), else 0"
        ),
        reference="ragvet",
    ),
    measure=refused_with_evidence(present=False),
    applies=expects_answer_from_evidence,
)
