"""ALCE's sentence-level view: which citations of a sentence support it together, and which of them it needs."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from ragvet.judging import split_claims
from ragvet.metrics.answers._citations import CITATIONS_UNKNOWN, backs, citations, cited_passages
from ragvet.metrics.answers._metric import JudgedAnswer
from ragvet.metrics.answers._support import supported_by
from ragvet.records import CitationVerdict
from ragvet.records.lattice import all_of, any_of

__all__ = ["ALCE_UNDEFINED_WHEN", "Sentence", "alce_undefined", "sentences", "unattached"]

ALCE_UNDEFINED_WHEN = (
    "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
    "the target reports no citations and none stands in the text; some citation was not judged"
)

_MAX_OPEN = 12
"""Open cells of one sentence up to which every completion is tried: 4,096."""

Row = tuple[bool | None, ...]


def alce_undefined(answer: JudgedAnswer) -> str | None:
    """Why there is no sentence to measure, or None."""
    if answer.no_claims:
        return answer.no_claims
    unknown = answer.answer.citations is None and not answer.citations and not answer.facts.citations
    if unknown:
        return CITATIONS_UNKNOWN
    judged = {verdict.citation for verdict in answer.facts.citations}
    return None if judged.issuperset(range(len(answer.citations))) else "some citation was not judged"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with claims that need evidence.

    Attributes:
        rows: per citation of the sentence, whether it supports each of the sentence's claims; None: open.
        claims: how many claims it makes.
    """

    rows: tuple[Row, ...]
    claims: int

    @property
    def citations(self) -> int:
        """How many citations it carries."""
        return len(self.rows)

    @property
    def supported(self) -> bool | None:
        """Whether its citations together support all its claims; None: open."""
        return all_of(any_of(row[claim] for row in self.rows) for claim in range(self.claims))

    def needed_citations(self) -> tuple[int, int]:
        """Fewest and most citations the sentence needs, over all completions of its open cells.

        Exact for one claim, and for several up to 12 open cells; beyond, the range encloses the exact one.
        """
        if self.supported is False:
            return 0, 0
        if self.claims == 1:  # every supporting citation counts, none other
            sure = sum(row[0] is True for row in self.rows)
            return sure, sum(row[0] is not False for row in self.rows)
        places = [(i, j) for i, row in enumerate(self.rows) for j, cell in enumerate(row) if cell is None]
        if len(places) > _MAX_OPEN:
            return 0, sum(any(cell is not False for cell in row) for row in self.rows)
        counts: list[int] = []
        for values in product((False, True), repeat=len(places)):
            cells = [list(row) for row in self.rows]
            for (i, j), value in zip(places, values, strict=True):
                cells[i][j] = value
            counts.append(_needed(cells))
        return min(counts), max(counts)


def _together(rows: Iterable[list[bool | None]], claims: int) -> bool:
    held = list(rows)
    return all(any(row[claim] for row in held) for claim in range(claims))


def _needed(rows: list[list[bool | None]]) -> int:
    claims = len(rows[0])
    if not _together(rows, claims):
        return 0
    return sum(all(row) or not _together((other for other in rows if other is not row), claims) for row in rows)


def _sentence_of(answer: JudgedAnswer) -> dict[str, int]:
    """Claim id → number of the sentence it starts in."""
    starts = [sentence.start for sentence in split_claims(answer.answer.text or "")]
    return {claim.id: bisect_right(starts, claim.start) for claim in answer.claims}


def sentences(answer: JudgedAnswer) -> list[Sentence]:
    """The sentences with claims that need evidence, in order; a citation belongs to those whose claims it backs."""
    members: defaultdict[int, list[str]] = defaultdict(list)
    for claim, place in sorted(_sentence_of(answer).items(), key=lambda item: item[1]):
        members[place].append(claim)
    cited = citations(answer)
    return [
        Sentence(
            rows=tuple(
                tuple(_entails(answer, citation, claim) for claim in claims)
                for citation in cited
                if not set(claims).isdisjoint(citation.claims)
            ),
            claims=len(claims),
        )
        for claims in members.values()
    ]


def _entails(answer: JudgedAnswer, citation: CitationVerdict, claim: str) -> bool | None:
    """Whether a citation of the sentence supports one of its claims, though it may have been put to another of them.

    Only of passages before the model is it known that they say nothing to a claim for which they are not listed.
    """
    if claim in citation.claims or citation.resolves is False:
        return backs(answer, citation, claim)
    passages = cited_passages(answer, citation)
    looked_at = [one for one in passages if one in answer.held_against or (claim, one) in answer.cells]
    known = supported_by(answer.cells, claim, looked_at)
    return known or (known if passages and looked_at == passages else None)


def unattached(answer: JudgedAnswer) -> int:
    """How many citations back no claim that needs evidence."""
    claims = {claim.id for claim in answer.claims}
    return sum(claims.isdisjoint(citation.claims) for citation in citations(answer))
