"""What an answer metric is, and which cases are eligible for one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragvet.metrics.answers._outcomes import Outcomes
from ragvet.records import Case, MetricDeclaration

if TYPE_CHECKING:
    from ragvet.metrics.answers._batch import Batch  # it holds conditions, which hold metrics

__all__ = [
    "AnswerMetric",
    "Condition",
    "every_case",
    "expects_answer",
    "expects_answer_from_evidence",
    "expects_clarification",
    "expects_refusal",
    "expects_routing",
    "has_reference",
]


def every_case(_case: Case) -> bool:
    """True: measured whatever is expected."""
    return True


def expects_answer(case: Case) -> bool:
    """True for the set of expected answers; expected abstentions have their own metrics and denominators."""
    return case.expected_behaviour == "answer"


def expects_answer_from_evidence(case: Case) -> bool:
    """True for expected answers of which it is marked what from."""
    return case.expected_behaviour == "answer" and not case.unmarked


def has_reference(case: Case) -> bool:
    """True for cases expected to be answered that have a reference answer."""
    return case.expected_behaviour == "answer" and case.reference_answer is not None


def expects_refusal(case: Case) -> bool:
    """True for the set of expected refusals."""
    return case.expected_behaviour == "refuse"


def expects_clarification(case: Case) -> bool:
    """True for the set of expected questions back."""
    return case.expected_behaviour == "clarify"


def expects_routing(case: Case) -> bool:
    """True for the set of expected hand-overs."""
    return case.expected_behaviour == "route"


@dataclass(frozen=True, slots=True)
class AnswerMetric:
    """A declared metric of answers.

    Attributes:
        measure: the arithmetic, for many answers at once. It is asked about every answer of a batch, and must not
            mind one that it does not apply to or, if `judged`, nobody judged: what it says there is not used.
        applies: whether a case is eligible; depends on the case alone, so that no system can choose its denominator.
        judged: whether it reads verdicts; False: it can be measured although the judge failed.
        told: whether the target's own word on what it did is enough where nobody judged.
        of_validated: whether it is made of what the project declared as validated, and so cannot be a part of that.
    """

    declaration: MetricDeclaration
    measure: Callable[[Batch], Outcomes]
    applies: Callable[[Case], bool] = expects_answer
    judged: bool = True
    told: bool = False
    of_validated: bool = False

    @property
    def name(self) -> str:
        """The name in files, commands and reports."""
        return self.declaration.name


@dataclass(frozen=True, slots=True)
class Condition:
    """One part of what makes an answer *validated*: a metric whose value on the case must lie in [low, high].

    Attributes:
        undefined: what holds where the metric does not apply or has nothing to measure; None: undecided.
    """

    metric: AnswerMetric
    low: float | None = None
    high: float | None = None
    undefined: bool | None = None
