"""Whether the answer cites a document version not in force on the effective date."""

from __future__ import annotations

from ragvet.metrics.answers._citations import CITATIONS_UNDEFINED_WHEN, citations, no_citations
from ragvet.metrics.answers._kleene import any_of, negation
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import flag
from ragvet.records import MetricDeclaration, Outcome, Undefined

__all__ = ["STALE_SOURCE"]


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = no_citations(answer)
    if missing:
        return Undefined(reason=missing)
    stale = [negation(citation.right_version) for citation in citations(answer)]
    if all(fact is None for fact in stale):
        return Undefined(reason="no citation's version could be checked")
    return flag(any_of(stale), unknown="the versions of some citations could not be checked")


STALE_SOURCE = AnswerMetric(
    MetricDeclaration(
        name="stale_source",
        version=1,
        title="Whether the answer cites a document version not in force on the effective date.",
        direction="lower",
        applies_to="cases expected to be answered",
        needs="citations with versions; a corpus register with validity dates or status",
        undefined_when=CITATIONS_UNDEFINED_WHEN + "; no citation's version could be checked",
        does_not_catch="Stale passages used without being cited; a register that is itself out of date.",
        formula="1 if a citation points at an archived, superseded or not yet valid version, else 0",
        reference="ragvet",
    ),
    measure=_measure,
)
