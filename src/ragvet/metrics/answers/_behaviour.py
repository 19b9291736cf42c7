"""Behaviour: what the system did instead of what it should have done."""

from __future__ import annotations

from collections.abc import Callable

from ragvet.metrics.answers._batch import Batch
from ragvet.metrics.answers._metric import (
    AnswerMetric,
    expects_answer_from_evidence,
    expects_clarification,
    expects_refusal,
    expects_routing,
)
from ragvet.metrics.answers._outcomes import Missing, Outcomes, flag
from ragvet.records import Fault, MetricDeclaration, ObservedBehaviour
from ragvet.records.facts import Facts

__all__ = ["METRICS"]

_UNDEFINED_WHEN = "the answer is blank and the system did not say why"


def _silent(batch: Batch) -> Missing:
    return ["the answer is blank" if one.silent else None for one in batch.answers]


def _did(batch: Batch, behaviour: ObservedBehaviour) -> Facts:
    return Facts.of(None if seen is None else seen == behaviour for seen in batch.observed)


def _observed(behaviour: ObservedBehaviour) -> Callable[[Batch], Outcomes]:
    """1 if the system did this, else 0."""

    def measure(batch: Batch) -> Outcomes:
        return flag(_did(batch, behaviour), missing=_silent(batch), unknown="what the system did is undecided")

    return measure


def _refused(*, with_evidence: bool) -> Callable[[Batch], Outcomes]:
    """1 if the system refused and an annotated passage was (not) before the model, else 0."""

    def measure(batch: Batch) -> Outcomes:
        shown = Facts.of(one.evidence_shown for one in batch.answers)
        facts = _did(batch, "refused") & (shown if with_evidence else ~shown)
        unknown = "what the system did, or whether evidence was before the model, is unknown"
        return flag(facts, missing=_silent(batch), unknown=unknown)

    return measure


MISSED_REFUSAL = AnswerMetric(
    MetricDeclaration(
        name="missed_refusal",
        version=1,
        title="Answered where it should have refused.",
        family="Refusal, clarification, routing",
        headline=10,
        stage="behaved",
        fault=Fault(says="answered where it should have refused", gravity=50, above=0),
        direction="lower",
        applies_to="cases expected to be refused",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Asking back or routing instead of refusing: see the behaviour matrix.",
        formula="1 if the system answered, else 0",
        reference="ragvet",
    ),
    measure=_observed("answered"),
    told=True,
    applies=expects_refusal,
)


WRONG_REFUSAL = AnswerMetric(
    MetricDeclaration(
        name="wrong_refusal",
        version=1,
        title="Refused where it should have answered.",
        family="Refusal, clarification, routing",
        headline=9,
        stage="behaved",
        fault=Fault(says="refused where it should have answered", gravity=80, above=0),
        direction="lower",
        applies_to="cases expected to be answered",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch=(
            "Whose fault it was: split by evidence in wrong_refusal_with_evidence and wrong_refusal_without_evidence."
        ),
        formula="1 if the system refused, else 0",
        reference="ragvet",
    ),
    measure=_observed("refused"),
    told=True,
)


WRONG_REFUSAL_WITH_EVIDENCE = AnswerMetric(
    MetricDeclaration(
        name="wrong_refusal_with_evidence",
        version=2,
        title="Refused where it should have answered, with annotated evidence before the model.",
        family="Refusal, clarification, routing",
        direction="lower",
        applies_to="cases expected to be answered whose evidence is marked",
        needs="the observed behaviour; annotated passages; the ranking",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="ChunkGrades before the model that was not enough to answer.",
        formula=(
            "1 if the system refused and a chunk with an annotated passage was supplied (or stands within the "
            "supplied depth, where the target does not report what it supplied), else 0"
        ),
        reference="ragvet",
    ),
    measure=_refused(with_evidence=True),
    told=True,
    applies=expects_answer_from_evidence,
)


WRONG_REFUSAL_WITHOUT_EVIDENCE = AnswerMetric(
    MetricDeclaration(
        name="wrong_refusal_without_evidence",
        version=2,
        title="Refused where it should have answered, with no annotated evidence before the model: a retrieval fault.",
        family="Refusal, clarification, routing",
        direction="lower",
        applies_to="cases expected to be answered whose evidence is marked",
        needs="the observed behaviour; annotated passages; the ranking",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="ChunkGrades nobody annotated; at which stage of retrieval the evidence was lost.",
        formula=(
            "1 if the system refused and no chunk with an annotated passage was supplied (or stands within the "
            "supplied depth, where the target does not report what it supplied), else 0"
        ),
        reference="ragvet",
    ),
    measure=_refused(with_evidence=False),
    told=True,
    applies=expects_answer_from_evidence,
)


MISSED_CLARIFICATION = AnswerMetric(
    MetricDeclaration(
        name="missed_clarification",
        version=1,
        title="Answered where it should have asked back.",
        family="Refusal, clarification, routing",
        headline=15,
        stage="behaved",
        fault=Fault(says="answered where it should have asked back", gravity=70, above=0),
        direction="lower",
        applies_to="cases expected to be clarified",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Refusing or routing instead of asking back; a question back that asks the wrong thing.",
        formula="1 if the system answered, else 0",
        reference="ragvet",
    ),
    measure=_observed("answered"),
    told=True,
    applies=expects_clarification,
)


WRONG_CLARIFICATION = AnswerMetric(
    MetricDeclaration(
        name="wrong_clarification",
        version=1,
        title="Asked back where it should have answered.",
        family="Refusal, clarification, routing",
        stage="behaved",
        fault=Fault(says="asked back where it should have answered", gravity=100, above=0),
        direction="lower",
        applies_to="cases expected to be answered",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Questions the golden set calls clear and users do not.",
        formula="1 if the system asked back, else 0",
        reference="ragvet",
    ),
    measure=_observed("clarified"),
    told=True,
)


MISSED_ROUTING = AnswerMetric(
    MetricDeclaration(
        name="missed_routing",
        version=1,
        title="Answered where it should have handed over.",
        family="Refusal, clarification, routing",
        headline=16,
        stage="behaved",
        fault=Fault(says="answered where it should have handed over", gravity=60, above=0),
        direction="lower",
        applies_to="cases expected to be routed",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Refusing or asking back instead of handing over; handing over to the wrong place.",
        formula="1 if the system answered, else 0",
        reference="ragvet",
    ),
    measure=_observed("answered"),
    told=True,
    applies=expects_routing,
)


WRONG_ROUTING = AnswerMetric(
    MetricDeclaration(
        name="wrong_routing",
        version=1,
        title="Handed over where it should have answered.",
        family="Refusal, clarification, routing",
        stage="behaved",
        fault=Fault(says="handed over where it should have answered", gravity=90, above=0),
        direction="lower",
        applies_to="cases expected to be answered",
        needs="the observed behaviour: the target's own flag, a phrase rule or a judge",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="What the hand-over costs the user.",
        formula="1 if the system routed, else 0",
        reference="ragvet",
    ),
    measure=_observed("routed"),
    told=True,
)


METRICS = (
    MISSED_REFUSAL,
    WRONG_REFUSAL,
    WRONG_REFUSAL_WITH_EVIDENCE,
    WRONG_REFUSAL_WITHOUT_EVIDENCE,
    MISSED_CLARIFICATION,
    WRONG_CLARIFICATION,
    MISSED_ROUTING,
    WRONG_ROUTING,
)
