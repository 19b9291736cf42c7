"""What counts as a produced and as a validated answer; the second is declared before testing."""

from __future__ import annotations

from ragvet.metrics.answers._metric import Condition, JudgedAnswer
from ragvet.records import Bounded, Outcome, Scored
from ragvet.records.lattice import all_of

__all__ = ["produced", "validated"]


def produced(answer: JudgedAnswer) -> bool | None:
    """Whether the system produced an answer; None: undecided. A blank answer is none."""
    if answer.blank:
        return False
    observed = answer.facts.behaviour.observed
    return None if observed is None else observed == "answered"


def _within(condition: Condition, outcome: Outcome) -> bool | None:
    low = -float("inf") if condition.low is None else condition.low
    high = float("inf") if condition.high is None else condition.high
    match outcome:
        case Scored(value=value):
            return low <= value <= high
        case Bounded(low=worst, high=best):
            if low <= worst and best <= high:
                return True
            return False if best < low or worst > high else None
        case _:
            return condition.undefined


def validated(answer: JudgedAnswer) -> bool | None:
    """Whether every declared condition holds; one that fails settles it, one that is open leaves it open."""
    return all_of(
        _within(condition, condition.metric.measure(answer))
        if condition.metric.applies(answer.case)
        else condition.undefined
        for condition in answer.validated
    )
