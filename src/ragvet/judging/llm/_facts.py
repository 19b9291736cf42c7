"""From accepted replies to verdicts: ids become records again, and every quote is looked up in the text it is from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ragvet.judging._citations import PlacedCitation
from ragvet.judging._quotes import find_quote
from ragvet.judging.llm._material import Block, PassagePart
from ragvet.judging.llm._quoted import not_about
from ragvet.judging.llm._replies import (
    AgreementFound,
    ConflictFound,
    CoverageFound,
    Evidence,
    SentenceClaims,
    StatedClaim,
    StatementEvidence,
)
from ragvet.judging.llm._restated import restated
from ragvet.judging.llm._surroundings import DENIED, conditional, denied
from ragvet.records import (
    Agreement,
    Claim,
    Coverage,
    Quote,
    ReferenceSupport,
    RetrievedItem,
    SourceConflict,
    Support,
    SupportVerdict,
)

_STRONGEST_FIRST: tuple[SupportVerdict, ...] = ("supported", "contradicted", "partial", "unverified", "unsupported")
_FOR = frozenset({"supported", "partial"})
"""Verdicts in favour of the claim: a quote for them must not be denied by the rest of its clause."""
_NOT_THERE = "the quote the judge gave does not stand in the {place}"


def stated_claims(
    sentences: Sequence[Claim], found: Iterable[SentenceClaims], known: str
) -> dict[str, tuple[Claim, ...]]:
    """Sentence id → its claims, numbered c1, c2, … through the answer.

    A claim that stands in its sentence word for word has its own span, any other the span of the sentence. Where the
    claims do not say what the sentence says, the sentence is its own one claim.

    Args:
        sentences: the statements of the answer.
        found: what the model listed for each.
        known: the answer and what it answers, from which the words of claims come.
    """
    listed = {row.id: row.claims for row in found}
    claims: dict[str, tuple[Claim, ...]] = {}
    count = 0
    for sentence in sentences:
        stated = [claim for claim in listed[sentence.id] if claim.text.strip()]
        if stated and not restated(sentence.text, [claim.text for claim in stated], known):
            stated = [StatedClaim(text=sentence.text, needs_evidence=sentence.needs_evidence)]
        claims[sentence.id] = tuple(_placed(sentence, claim, number) for number, claim in enumerate(stated, count + 1))
        count += len(stated)
    return claims


def _placed(sentence: Claim, stated: StatedClaim, number: int) -> Claim:
    at = sentence.text.find(stated.text)
    start, end = sentence.start, sentence.end
    if at >= 0:
        start, end = sentence.start + at, sentence.start + at + len(stated.text)
    return Claim(id=f"c{number}", text=stated.text, start=start, end=end, needs_evidence=stated.needs_evidence)


def support_rows(
    found: Iterable[StatementEvidence], statements: Sequence[Block], parts: Sequence[PassagePart]
) -> dict[tuple[str, str], Support]:
    """(statement id, chunk id) → what that passage says, its quote verified."""
    by_id = {part.id: part for part in parts}
    stated = dict(statements)
    return strongest(
        {(row.claim, row.passage): row}
        for statement in found
        for evidence in statement.evidence
        for row in [_support((statement.id, stated[statement.id]), evidence, by_id[evidence.passage].item)]
    )


def strongest(pieces: Iterable[Mapping[tuple[str, str], Support]]) -> dict[tuple[str, str], Support]:
    """All rows together; of several about one statement and passage the strongest.

    Supported comes before contradicted, partial, unverified, unsupported.
    """
    rows: dict[tuple[str, str], Support] = {}
    for piece in pieces:
        for place, row in piece.items():
            if place not in rows or _rank(row) < _rank(rows[place]):
                rows[place] = row
    return rows


def _rank(row: Support) -> int:
    return _STRONGEST_FIRST.index(row.verdict)


def _support(statement: Block, evidence: Evidence, item: RetrievedItem) -> Support:
    id_, claim = statement
    passage = item.text or ""
    quote = find_quote(evidence.quote, passage)
    doubt = None if evidence.verdict == "unsupported" else _doubt(evidence, quote, claim, passage)
    if doubt:
        quote = None
    limited = evidence.verdict in _FOR and quote is not None and conditional(quote, claim, passage)
    return Support(
        claim=id_,
        passage=item.chunk_id,
        verdict="unverified" if doubt else evidence.verdict,
        quote=quote,
        missing_qualification=evidence.missing_qualification or limited,
        reason=doubt,
    )


def _doubt(evidence: Evidence, quote: Quote | None, claim: str, passage: str) -> str | None:
    """Why the quote does not show the verdict; None where it may."""
    if quote is None:
        return _NOT_THERE.format(place="passage")
    if evidence.verdict in _FOR and denied(quote, claim, passage):
        return DENIED
    return not_about(quote.text, claim, passage)


def on_claims(placed: Iterable[PlacedCitation], claims: Mapping[str, Sequence[Claim]]) -> tuple[PlacedCitation, ...]:
    """Citations placed on sentences, moved to the claims of these sentences that need evidence."""
    return tuple(
        replace(
            one,
            claims=tuple(claim.id for sentence in one.claims for claim in claims[sentence] if claim.needs_evidence),
        )
        for one in placed
    )


def reference_rows(
    statements: Sequence[Block], rows: Mapping[tuple[str, str], Support]
) -> tuple[ReferenceSupport, ...]:
    """What the context as a whole says about each statement of the reference."""

    def of(id_: str, text: str) -> ReferenceSupport:
        own = [row for (statement, _), row in rows.items() if statement == id_]
        best = min(own, key=_rank, default=None)
        if best is None:
            return ReferenceSupport(statement=text, verdict="unsupported")
        return ReferenceSupport(statement=text, verdict=best.verdict, passage=best.passage, quote=best.quote)

    return tuple(of(id_, text) for id_, text in statements)


def conflict_rows(found: Iterable[ConflictFound], parts: Sequence[PassagePart]) -> Iterator[SourceConflict]:
    """Conflicts between passages; two pieces of one passage are no two sources."""
    chunks = {part.id: part.item.chunk_id for part in parts}
    for one in found:
        first, second = chunks[one.first_passage], chunks[one.second_passage]
        if first != second:
            yield SourceConflict(passages=(first, second), about=one.about, surfaced=one.surfaced)


def coverage_rows(found: Iterable[CoverageFound], names: Mapping[str, str], answer: str) -> Iterator[Coverage]:
    """Whether the answer makes each required claim; what no words of the answer show is undecided."""
    for row in found:
        quote = find_quote(row.quote, answer)
        shown = quote is not None or row.verdict == "missing"
        yield Coverage(
            required_claim=names[row.id],
            verdict=row.verdict if shown else "undecided",
            quote=quote,
            reason=None if shown else _NOT_THERE.format(place="answer"),
        )


def open_agreement(claims: Iterable[Claim]) -> Iterator[Agreement]:
    """Claims whose agreement with the reference was not asked about."""
    return (Agreement(claim=claim.id, verdict="undecided", reason="it was not asked") for claim in claims)


def agreement_rows(found: Iterable[AgreementFound]) -> Iterator[Agreement]:
    """How each claim stands to the reference."""
    return (Agreement(claim=row.id, verdict=row.verdict) for row in found)
