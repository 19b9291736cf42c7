"""What code knows of each citation, and its verdict from what the passages it points at say."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragvet.judging._markers import KnownItems, answer_citations, marker_positions
from ragvet.judging._register import Register
from ragvet.records import (
    Answer,
    Case,
    Citation,
    CitationVerdict,
    Claim,
    DocumentVersion,
    Identity,
    RetrievedItem,
    Support,
    SupportVerdict,
    Trace,
)
from ragvet.records.lattice import strongest, weakest

_Found = tuple[int, Citation, tuple[str, ...] | None]
"""The place of a citation, itself, and the claims it backs."""


@dataclass(frozen=True, slots=True)
class PlacedCitation:
    """One citation, what it points at and what it backs, before anybody judged the text.

    Attributes:
        index: its place in `answer_citations(answer)`.
        citation: as the target reported it, or as it was read from the answer text.
        items: the items of the trace it points at, the cited chunk, or every chunk of the cited document.
        claims: ids of the claims it backs; empty where `placed` is False.
        placed: whether the answer says what it backs. A citation that stands for the answer as a whole is not placed.
        resolves: points at a chunk or document that exists; None: no register was given to look it up in.
        retrieved: points at something this trace retrieved or supplied; None: the trace does not report that.
        right_version: its document version held on the effective date; None: dates or versions unknown.
        permitted: the caller may open it; None: audience or identity unknown.
        reason: why a check failed, for people.
    """

    index: int
    citation: Citation
    items: tuple[RetrievedItem, ...]
    claims: tuple[str, ...]
    placed: bool
    resolves: bool | None
    retrieved: bool | None
    right_version: bool | None
    permitted: bool | None
    reason: str | None


def place_citations(
    case: Case, trace: Trace, claims: Iterable[Claim], register: Register | None = None
) -> tuple[PlacedCitation, ...]:
    """Every citation of the answer with the code-checkable part of its verdict, in the order of `answer_citations`."""
    if trace.answer is None:
        return ()
    citations = answer_citations(trace.answer)
    if not citations:
        return ()
    known = KnownItems.of(trace.answer)
    identity = trace.identity or case.identity
    return tuple(
        _place(case, identity, known, register, (index, citation, backed))
        for index, (citation, backed) in enumerate(zip(citations, _backed(trace.answer, known, claims), strict=True))
    )


def _place(
    case: Case, identity: Identity | None, known: KnownItems, register: Register | None, found: _Found
) -> PlacedCitation:
    index, citation, backed = found
    items = known.cited(citation)
    doc_id = citation.doc_id or (items[0].doc_id if items else None)
    version = citation.doc_version or (items[0].doc_version if items else None)
    document = register.get(doc_id, version) if register is not None and doc_id else None
    resolves, unresolved = _resolves(citation, items, register, document, reported=known.reported)
    right, stale = _right_version(case, doc_id, version, document)
    allowed = None if document is None else document.readable_by(identity)
    barred = "the caller is not in the audience of the document" if allowed is False else None
    return PlacedCitation(
        index=index,
        citation=citation,
        items=items,
        claims=backed or (),
        placed=backed is not None,
        resolves=resolves,
        retrieved=bool(items) if known.reported else None,
        right_version=right,
        permitted=allowed,
        reason="; ".join(reason for reason in (unresolved, stale, barred) if reason) or None,
    )


def _backed(answer: Answer, known: KnownItems, claims: Iterable[Claim]) -> list[tuple[str, ...] | None]:
    """Per citation the claims it backs: those its span meets, else those its markers stand in; None: not placed."""
    stated = [claim for claim in claims if claim.needs_evidence]
    starts, ends = [claim.start for claim in stated], [claim.end for claim in stated]

    def at(position: int) -> Claim | None:
        place = bisect_right(starts, position) - 1
        return stated[place] if place >= 0 and position < stated[place].end else None

    met_at: dict[int, tuple[str, ...]] = {}  # by identity: citations at the same places share one sequence
    backed: list[tuple[str, ...] | None] = []
    places = marker_positions(answer, known)
    for citation, positions in zip(answer_citations(answer), places, strict=True):
        if citation.start is not None and citation.end is not None:
            first, last = bisect_right(ends, citation.start), bisect_left(starts, citation.end)
            met = tuple(claim.id for claim in stated[first:last])
        else:
            if id(positions) not in met_at:
                met_at[id(positions)] = tuple(dict.fromkeys(claim.id for claim in map(at, positions) if claim))
            met = met_at[id(positions)]
        backed.append(met or None)
    return backed


def _resolves(
    citation: Citation,
    items: Sequence[RetrievedItem],
    register: Register | None,
    document: DocumentVersion | None,
    *,
    reported: bool,
) -> tuple[bool | None, str | None]:
    if items or document:
        return True, None
    if citation.chunk_id is None and citation.doc_id is None:
        nowhere = f"{citation.marker or 'the citation'} names no passage of the trace"
        unknown = "the target did not report what it retrieved or supplied"
        return (False, nowhere) if reported else (None, unknown)
    if register is None:
        return None, "points at nothing in the trace, and no corpus was given to look it up in"
    if citation.doc_id is None:
        return (True, None) if citation.chunk_id in register else (None, "its chunk is not in the trace")
    if citation.doc_id in register:
        return False, f"the corpus has no version {citation.doc_version!r} of {citation.doc_id!r}"
    return False, f"the corpus has no document {citation.doc_id!r}"


def _right_version(
    case: Case, doc_id: str | None, version: str | None, document: DocumentVersion | None
) -> tuple[bool | None, str | None]:
    """As the register has it, else by the versions the case's gold passages name."""
    when = case.effective_date
    held = None if document is None else document.in_force(when)
    if document is not None and held is not None:
        why = f"did not hold on {when}" if document.status in (None, "current") else f"is {document.status}"
        return held, None if held else f"version {document.version!r} {why}"
    gold = {p.doc_version for p in case.reference_passages if p.doc_id == doc_id and p.grade > 0}
    if doc_id is None or version is None or not gold or None in gold:
        return None, None
    return version in gold, None if version in gold else f"the evidence is in version {sorted(map(str, gold))}"


def citation_verdicts(
    placed: Sequence[PlacedCitation], judged: Mapping[tuple[str, str], Support], claims: Sequence[Claim]
) -> tuple[CitationVerdict, ...]:
    """`citation_verdict` of each; citations that point at the same items and back the same claims are decided once."""
    decided: dict[tuple[object, ...], CitationVerdict] = {}
    verdicts: list[CitationVerdict] = []
    for one in placed:
        items = tuple(item.chunk_id for item in one.items)
        key = (id(one.claims), items, one.placed, one.resolves, one.reason)  # shared by those that stand together
        if key in decided:
            verdicts.append(decided[key].model_copy(update=_checked(one)))
        else:
            verdicts.append(citation_verdict(one, judged, claims))
            decided[key] = verdicts[-1]
    return tuple(verdicts)


def citation_verdict(
    placed: PlacedCitation, judged: Mapping[tuple[str, str], Support], claims: Sequence[Claim]
) -> CitationVerdict:
    """The verdict on one citation from the support rows of its claims and items, keyed by (claim id, chunk id).

    A placed citation must support every claim it backs; one that stands for the whole answer must support some claim.
    A citation that names nothing is unsupported; one whose text is not in the trace is undecided. Of several chunks of
    a cited document the best counts.
    """
    ids = placed.claims if placed.placed else tuple(claim.id for claim in claims if claim.needs_evidence)
    texts = [item for item in placed.items if item.text]
    if not texts or not ids:
        why = "nothing in the answer needs evidence" if texts else "the cited text is not in the trace"
        verdict: SupportVerdict = "unsupported" if placed.resolves is False else "undecided"
        return CitationVerdict(**_checked(placed), verdict=verdict, reason=placed.reason or why)
    best = [
        strongest(rows)
        for claim in ids
        if (rows := [_ranked(judged[claim, item.chunk_id]) for item in texts if (claim, item.chunk_id) in judged])
    ]
    if not best or (placed.placed and len(best) < len(ids)):
        return CitationVerdict(**_checked(placed), verdict="undecided", reason="not every claim it backs was judged")
    deciding = (weakest if placed.placed else strongest)(map(_ranked, best))
    return CitationVerdict(
        **_checked(placed),
        verdict=deciding.verdict,
        quote=deciding.quote,
        reason=placed.reason or deciding.reason,
        question=deciding.question,
        stage=deciding.stage,
        score=deciding.score,
    )


def _ranked(row: Support) -> tuple[SupportVerdict, Support]:
    return row.verdict, row


def _checked(placed: PlacedCitation) -> dict[str, Any]:
    """What code knows of a citation, as fields of its verdict."""
    return {
        "citation": placed.index,
        "claims": placed.claims,
        "resolves": placed.resolves,
        "retrieved": placed.retrieved,
        "right_version": placed.right_version,
        "permitted": placed.permitted,
    }
