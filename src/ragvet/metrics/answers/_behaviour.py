"""What the system did instead of what it should have done, per case."""

from __future__ import annotations

from functools import partial

from ragvet.metrics.answers._metric import JudgedAnswer
from ragvet.metrics.answers._share import flag
from ragvet.records import ObservedBehaviour, Outcome, Undefined
from ragvet.records.lattice import all_of, negation

__all__ = ["BEHAVIOUR_UNDEFINED_WHEN", "observed", "refused_with_evidence"]

BEHAVIOUR_UNDEFINED_WHEN = "the answer is blank and the system did not say why"


def _did(answer: JudgedAnswer, behaviour: ObservedBehaviour) -> bool | None:
    seen = answer.facts.behaviour.observed
    return None if seen is None else seen == behaviour


def _silent(answer: JudgedAnswer) -> bool:
    """A blank answer without the system's own flag shows no behaviour, whatever a judge made of it."""
    return answer.blank and answer.answer.behaviour is None


def _observed(behaviour: ObservedBehaviour, answer: JudgedAnswer) -> Outcome:
    if _silent(answer):
        return Undefined(reason="the answer is blank")
    return flag(_did(answer, behaviour), unknown="what the system did is undecided")


def observed(behaviour: ObservedBehaviour) -> partial[Outcome]:
    """The arithmetic of "1 if the system did this, else 0"."""
    return partial(_observed, behaviour)


def _refused_with_evidence(present: bool, answer: JudgedAnswer) -> Outcome:  # noqa: FBT001 - bound below
    if _silent(answer):
        return Undefined(reason="the answer is blank")
    shown = answer.evidence_shown
    joined = all_of((_did(answer, "refused"), shown if present else negation(shown)))
    return flag(joined, unknown="what the system did, or whether evidence was before the model, is unknown")


def refused_with_evidence(*, present: bool) -> partial[Outcome]:
    """The arithmetic of "1 if the system refused and an annotated passage was (not) before the model, else 0"."""
    return partial(_refused_with_evidence, present)
