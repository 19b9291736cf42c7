"""The share of conflicts between sources that the answer tells its reader about."""

from __future__ import annotations

from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer, every_case
from ragvet.metrics.answers._share import share_of
from ragvet.records import MetricDeclaration, Outcome, Undefined
from ragvet.records.lattice import any_of

__all__ = ["CONFLICT_SURFACED"]


def _measure(answer: JudgedAnswer) -> Outcome:
    conflicts = answer.facts.conflicts
    if conflicts is None:
        return Undefined(reason="conflicts between sources were not looked for")
    if not conflicts:
        return Undefined(reason="no conflict between the sources was seen")
    observed = answer.facts.behaviour.observed
    escalated = None if observed is None else observed == "routed"  # then a person decides
    if answer.no_answer and not escalated:
        return Undefined(reason=answer.no_answer)
    return share_of(
        (any_of((conflict.surfaced, escalated)) for conflict in conflicts),
        empty="no conflict between the sources was seen",
        unknown="whether some conflicts were surfaced or escalated is undecided",
    )


CONFLICT_SURFACED = AnswerMetric(
    MetricDeclaration(
        name="conflict_surfaced",
        version=1,
        title="The share of conflicts between sources that the answer tells its reader about.",
        direction="higher",
        applies_to="every case",
        needs="a judge that looks for conflicts between the supplied passages",
        undefined_when="conflicts were not looked for or none was seen; the answer is blank, refuses or asks back",
        does_not_catch="Conflicts the judge did not see; a conflict with a source that was not supplied.",
        formula="surfaced conflicts / conflicts; a case that was routed escalated all of them",
        reference="ragvet",
    ),
    measure=_measure,
    applies=every_case,
)
