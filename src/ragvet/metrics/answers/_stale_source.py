"""Whether the answer cites a document version not in force on the effective date."""

from __future__ import annotations

from operator import attrgetter

from ragvet.metrics.answers._citations import EXISTING_UNDEFINED_WHEN, facts, not_checked
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import flag
from ragvet.records import MetricDeclaration, Outcome, Undefined
from ragvet.records.lattice import any_of, negation

__all__ = ["STALE_SOURCE"]


def _measure(answer: JudgedAnswer) -> Outcome:
    right = facts(answer, attrgetter("right_version"), of_existing=True)
    missing = not_checked(answer, right, "no citation's version could be checked")
    if missing:
        return Undefined(reason=missing)
    return flag(any_of(map(negation, right)), unknown="the versions of some citations could not be checked")


STALE_SOURCE = AnswerMetric(
    MetricDeclaration(
        name="stale_source",
        version=2,
        title="Whether the answer cites a document version not in force on the effective date.",
        direction="lower",
        applies_to="cases expected to be answered",
        needs="citations with versions; a corpus register with validity dates or status",
        undefined_when=EXISTING_UNDEFINED_WHEN + "; no citation's version could be checked",
        does_not_catch="Stale passages used without being cited; a register that is itself out of date.",
        formula="1 if a citation points at an archived, superseded or not yet valid version, else 0",
        reference="ragvet",
    ),
    measure=_measure,
)
