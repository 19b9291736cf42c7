"""Of the claims the reference speaks about, the share that agrees with it."""

from __future__ import annotations

from ragvet.metrics.answers._agreement import agreement, has_reference, no_agreement
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.records import Bounded, MetricDeclaration, Outcome, Scored, Undefined

__all__ = ["ACCURACY"]


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = no_agreement(answer)
    if missing:
        return Undefined(reason=missing)
    stands = list(agreement(answer).values())
    agree, contradict, undecided = (stands.count(verdict) for verdict in ("agree", "contradict", "undecided"))
    total = agree + contradict + undecided
    if not total:
        return Undefined(reason="every claim goes beyond the reference")
    if not undecided:
        return Scored(value=agree / total, numerator=agree, denominator=total)
    # An undecided claim may agree, contradict or go beyond the reference. The last leaves numerator and denominator
    # alone, so it never gives a worse value than contradicting nor a better one than agreeing.
    return Bounded(low=agree / total, high=(agree + undecided) / total, reason="agreement of some claims is undecided")


ACCURACY = AnswerMetric(
    MetricDeclaration(
        name="accuracy",
        version=1,
        title="Of the claims the reference speaks about, the share that agrees with it.",
        direction="higher",
        applies_to="cases expected to be answered that have a reference answer",
        needs="a reference answer valid on the effective date; agreement of each claim with it",
        undefined_when=(
            "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
            "agreement with the reference was not judged; every claim goes beyond the reference"
        ),
        does_not_catch=(
            "What the answer leaves out; false claims the reference does not speak about; an outdated reference."
        ),
        formula="agreeing claims / (agreeing + contradicting claims)",
        reference="ragvet",
    ),
    measure=_measure,
    applies=has_reference,
)
