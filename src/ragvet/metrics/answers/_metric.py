"""What an answer metric is, and the one value it sees: an answer with everything judged about it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from ragvet.judging import KnownItems, answer_citations, retrieved_items, supplied_context
from ragvet.metrics.answers._evidence import Evidence
from ragvet.records import (
    Answer,
    Case,
    Citation,
    Claim,
    MetricDeclaration,
    Outcome,
    SupportVerdict,
    Trace,
    Verdicts,
)
from ragvet.records.lattice import ClaimVerdict, claim_verdicts

__all__ = [
    "NO_CLAIMS",
    "AnswerMetric",
    "Condition",
    "JudgedAnswer",
    "every_case",
    "expects_answer",
    "expects_answer_from_evidence",
    "expects_clarification",
    "expects_refusal",
    "expects_routing",
]

NO_CLAIMS = "the answer makes no claim that needs evidence"

_NOT_ANSWERED = {
    "refused": "the system refused",
    "clarified": "the system asked back",
    "routed": "the system routed the question",
}


@dataclass(frozen=True)
class JudgedAnswer:
    """One answer, what was asked, what was judged, and which chunks carry evidence.

    Attributes:
        verdicts: None where no judge was heard; metrics with `judged` set never see that.
        validated: what the project declared an answer must satisfy to count as validated.
    """

    case: Case
    trace: Trace
    answer: Answer
    verdicts: Verdicts | None
    evidence: Evidence = field(default_factory=Evidence)
    validated: tuple[Condition, ...] = ()

    @property
    def facts(self) -> Verdicts:
        """The verdicts, for metrics that are only asked when there are some."""
        assert self.verdicts is not None, "a metric that reads verdicts must declare judged=True"  # noqa: S101 - impossible state
        return self.verdicts

    @cached_property
    def blank(self) -> bool:
        """True where the answer has no visible character."""
        return not any(
            not character.isspace() and unicodedata.category(character)[0] != "C"
            for character in self.answer.text or ""
        )

    @cached_property
    def no_answer(self) -> str | None:
        """Why there is no answer to measure: blank, refused, clarified, routed; or None."""
        observed = self.facts.behaviour.observed
        if observed in _NOT_ANSWERED:
            return _NOT_ANSWERED[observed]
        return "the answer is blank" if self.blank else None

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The claims that need evidence."""
        return tuple(claim for claim in self.facts.claims if claim.needs_evidence)

    @cached_property
    def support(self) -> dict[str, ClaimVerdict]:
        """Claim id → what the whole context says, for the claims that need evidence."""
        told = claim_verdicts(self.facts)
        return {claim.id: told[claim.id] for claim in self.claims}

    @cached_property
    def cells(self) -> dict[tuple[str, str], SupportVerdict]:
        """(claim id, chunk id) → what that passage says."""
        return {(row.claim, row.passage): row.verdict for row in self.facts.support}

    @cached_property
    def no_claims(self) -> str | None:
        """Why no claim can be measured, or None."""
        if self.no_answer:
            return self.no_answer
        return None if self.claims else NO_CLAIMS

    @cached_property
    def no_context(self) -> str | None:
        """Why nothing can be held against the supplied context, or None."""
        context = supplied_context(self.answer)
        if context.passages or (context.silent and self.facts.support):  # someone judged what the trace does not hold
            return None
        if context.silent:
            return "the trace holds no text of what was supplied"
        if context.origin == "unknown" and not self.answer.retrievals:
            return "the target reported neither context nor retrieval"
        return "nothing was supplied to the model"

    @cached_property
    def held_against(self) -> frozenset[str]:
        """Ids of the passages a judge holds every claim against."""
        return frozenset(item.chunk_id for item in supplied_context(self.answer).passages)

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """The citations the target reported, else those that stand in the text."""
        return answer_citations(self.answer)

    @cached_property
    def known(self) -> KnownItems:
        """The items of the trace, to look up what a citation points at."""
        return KnownItems.of(self.answer)

    @cached_property
    def shown(self) -> frozenset[str] | None:
        """The chunks before the model: supplied, or where that is not reported those within the supplied depth.

        None: the target reported neither.
        """
        if self.answer.supplied is not None:
            return frozenset(item.chunk_id for item in self.answer.supplied)
        if not self.answer.retrievals:
            return None
        if self.evidence.within_depth is not None:
            return self.evidence.within_depth
        return frozenset(item.chunk_id for item in retrieved_items(self.answer))

    @cached_property
    def evidence_shown(self) -> bool | None:
        """Whether an annotated passage was before the model. None: what was there is unknown, or not joined."""
        return None if self.shown is None else self.evidence.gold_among(self.shown)


def every_case(_case: Case) -> bool:
    """True: measured whatever is expected."""
    return True


def expects_answer(case: Case) -> bool:
    """True for the set of expected answers; expected abstentions have their own metrics and denominators."""
    return case.expected_behaviour == "answer"


def expects_answer_from_evidence(case: Case) -> bool:
    """True for expected answers of which it is marked what from."""
    return case.expected_behaviour == "answer" and not case.unmarked


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
        measure: the arithmetic; sees only cases it applies to whose target (and judge, if `judged`) succeeded.
        applies: whether a case is eligible; depends on the case alone, so that no system can choose its denominator.
        judged: whether it reads verdicts; False: it can be measured although the judge failed.
    """

    declaration: MetricDeclaration
    measure: Callable[[JudgedAnswer], Outcome]
    applies: Callable[[Case], bool] = expects_answer
    judged: bool = True

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
