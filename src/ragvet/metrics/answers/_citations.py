"""The citations of an answer with what was judged about each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragvet.metrics.answers._metric import JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.metrics.answers._support import supported_by
from ragvet.records import CitationVerdict, Outcome, Undefined
from ragvet.records.lattice import supported

__all__ = [
    "CITATIONS_UNDEFINED_WHEN",
    "CITATIONS_UNKNOWN",
    "EXISTING_UNDEFINED_WHEN",
    "UNCHECKED",
    "backs",
    "citation_share",
    "citations",
    "cited_passages",
    "facts",
    "no_citations",
    "not_checked",
    "supports",
]

CITATIONS_UNDEFINED_WHEN = (
    "the answer is blank, refuses, asks back or routes; it cites nothing; the target reports no citations and "
    "none stands in the text"
)
EXISTING_UNDEFINED_WHEN = CITATIONS_UNDEFINED_WHEN + "; every citation leads nowhere"
CITATIONS_UNKNOWN = "the target reports no citations and none stands in the text"
UNCHECKED = "some citations could not be checked"


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


def facts(
    answer: JudgedAnswer, check: Callable[[CitationVerdict], bool | None], *, of_existing: bool = False
) -> list[bool | None]:
    """What a check found of each citation; None: it could not run.

    Args:
        answer: whose citations.
        check: what is looked at.
        of_existing: whether only something that exists can have this: a version, readers. A citation known to lead
            nowhere is left out then, for nothing about it is unknown.
    """
    found = ((citation, check(citation)) for citation in citations(answer))
    return [fact for citation, fact in found if not (of_existing and fact is None and citation.resolves is False)]


def not_checked(answer: JudgedAnswer, found: Sequence[bool | None], unchecked: str | None) -> str | None:
    """Why what a check found says nothing, or None. Where it ran for no citation, that is `unchecked`, if given."""
    missing = no_citations(answer)
    if missing:
        return missing
    if not found:
        return "every citation leads nowhere"
    return unchecked if all(fact is None for fact in found) else None


def citation_share(
    answer: JudgedAnswer,
    check: Callable[[CitationVerdict], bool | None],
    *,
    unchecked: str | None = None,
    of_existing: bool = False,
) -> Outcome:
    """The share of citations that pass a check, with the arguments of `facts` and `not_checked`."""
    found = facts(answer, check, of_existing=of_existing)
    missing = not_checked(answer, found, unchecked)
    if missing:
        return Undefined(reason=missing)
    return share_of(found, empty="the answer cites nothing", unknown=UNCHECKED)


def supports(citation: CitationVerdict) -> bool | None:
    """Whether the citation supports every claim it backs. One that leads nowhere does not; None: open."""
    return False if citation.resolves is False else supported(citation.verdict)


def backs(answer: JudgedAnswer, citation: CitationVerdict, claim: str) -> bool | None:
    """Whether the citation supports this claim; None: open.

    A citation's own verdict is about all its claims together. One of no claim stands for the answer as a whole, and its
    verdict says whether it supports any. Where the verdict does not settle it, that of the cited passage on this claim
    does; without one it stays open which of the claims fell short.
    """
    if citation.resolves is False or (citation.claims and claim not in citation.claims):
        return False
    whole = supported(citation.verdict)
    settled = whole is True if citation.claims else whole is False
    if settled or len(citation.claims or answer.claims) == 1:
        return whole
    if not citation.claims and citation.retrieved is None:  # nobody looked at what it points at, nor at what it backs
        return None
    passages = [passage for passage in cited_passages(answer, citation) if (claim, passage) in answer.cells]
    return supported_by(answer.cells, claim, passages) if passages else None


def cited_passages(answer: JudgedAnswer, citation: CitationVerdict) -> list[str]:
    """Ids of the chunks a citation points at; of a document all its chunks."""
    if citation.citation >= len(answer.citations):
        return []
    return [item.chunk_id for item in answer.known.cited(answer.citations[citation.citation])]
