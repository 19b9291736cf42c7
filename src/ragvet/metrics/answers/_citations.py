"""The citations of an answer with what was judged about each."""

from __future__ import annotations

from collections.abc import Callable

from ragvet.judging import KnownItems
from ragvet.metrics.answers._metric import JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.metrics.answers._support import supported, supported_by
from ragvet.records import CitationVerdict, Outcome, Undefined

__all__ = [
    "CITATIONS_UNDEFINED_WHEN",
    "CITATIONS_UNKNOWN",
    "backs",
    "citation_share",
    "citations",
    "no_citations",
    "supports",
]

CITATIONS_UNDEFINED_WHEN = (
    "the answer is blank, refuses, asks back or routes; it cites nothing; the target reports no citations and "
    "none stands in the text"
)
CITATIONS_UNKNOWN = "the target reports no citations and none stands in the text"


def citations(answer: JudgedAnswer) -> list[CitationVerdict]:
    """One verdict per citation of the answer; a citation nobody judged is open in every respect."""
    judged = {verdict.citation: verdict for verdict in answer.facts.citations}
    for index in range(len(answer.citations)):
        if index not in judged:
            judged[index] = CitationVerdict(
                citation=index, resolves=None, retrieved=None, right_version=None, verdict="undecided"
            )
    return [judged[index] for index in sorted(judged)]


def no_citations(answer: JudgedAnswer) -> str | None:
    """Why there is no citation to measure, or None."""
    if answer.no_answer:
        return answer.no_answer
    if answer.citations or answer.facts.citations:
        return None
    return CITATIONS_UNKNOWN if answer.answer.citations is None else "the answer cites nothing"


def citation_share(
    answer: JudgedAnswer, fact: Callable[[CitationVerdict], bool | None], *, unchecked: str | None = None
) -> Outcome:
    """The share of citations of which `fact` is true; where it is unknown of all, undefined as `unchecked` says."""
    missing = no_citations(answer)
    if missing:
        return Undefined(reason=missing)
    facts = [fact(citation) for citation in citations(answer)]
    if unchecked and all(known is None for known in facts):
        return Undefined(reason=unchecked)
    return share_of(facts, empty="the answer cites nothing", unknown="some citations could not be checked")


def supports(citation: CitationVerdict) -> bool | None:
    """Whether the citation supports every claim it backs. One that leads nowhere does not; None: open."""
    return False if citation.resolves is False else supported(citation.verdict)


def backs(answer: JudgedAnswer, citation: CitationVerdict, claim: str) -> bool | None:
    """Whether the citation supports this one of its claims; None: open.

    A citation's own verdict is about all its claims together. Where that is not `supported` and it backs several, the
    verdict of the cited passage on this claim decides; without one it stays open which of the claims fell short.
    """
    if claim not in citation.claims or citation.resolves is False:
        return False
    whole = supported(citation.verdict)
    if whole or len(citation.claims) == 1:
        return whole
    if citation.citation >= len(answer.citations):
        return None
    cited = KnownItems.of(answer.answer).cited(answer.citations[citation.citation])
    passages = [item.chunk_id for item in cited if (claim, item.chunk_id) in answer.cells]
    return supported_by(answer.cells, claim, passages) if passages else None
