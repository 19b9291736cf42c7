"""From accepted replies to claims and rulings: every quote is looked up in the text it is from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ragvet.judging._quotes import find_quote
from ragvet.judging.llm._passages import NamedText, PassagePart
from ragvet.judging.llm._quoted import not_about
from ragvet.judging.llm._replies import (
    ConflictFound,
    CoverageFound,
    PassageEvidence,
    SentenceClaims,
    StatedClaim,
    StatementEvidence,
)
from ragvet.judging.llm._restated import restated
from ragvet.judging.llm._surroundings import DENIED, conditional, denied
from ragvet.records import Claim, CoverageRuling, PassageRuling, Quote, ShownText, SourceConflict
from ragvet.records.lattice import strongest

Found = Mapping[str, Mapping[str, PassageRuling]]
"""Statement id → passage id → what that passage says."""

_FOR = frozenset({"supported", "partial"})
"""Verdicts in favour of the claim: a quote for them must not be denied by the rest of its clause."""
_NOT_THERE = "the quote the judge gave does not stand in the {place}"


def stated_claims(sentences: Sequence[Claim], found: Iterable[SentenceClaims], known: str) -> list[tuple[Claim, ...]]:
    """The claims of each sentence, numbered c1, c2, … through the answer.

    A claim that stands in its sentence word for word has its own span, any other the span of the sentence. Where the
    claims do not say what the sentence says, the sentence is its own one claim.

    Args:
        sentences: the statements of the answer.
        found: what the model listed for each.
        known: the answer and what it answers, from which the words of claims come.
    """
    listed = {row.id: row.claims for row in found}
    claims: list[tuple[Claim, ...]] = []
    count = 0
    for place, sentence in enumerate(sentences, start=1):
        stated = [claim for claim in listed[f"s{place}"] if claim.text.strip()]
        if stated and not restated(sentence.text, [claim.text for claim in stated], known):
            stated = [StatedClaim(text=sentence.text, needs_evidence=sentence.needs_evidence)]
        claims.append(tuple(_placed(sentence, claim, number) for number, claim in enumerate(stated, count + 1)))
        count += len(stated)
    return claims


def _placed(sentence: Claim, stated: StatedClaim, number: int) -> Claim:
    at = sentence.text.find(stated.text)
    start, end = sentence.start, sentence.end
    if at >= 0:
        start, end = sentence.start + at, sentence.start + at + len(stated.text)
    return Claim(id=f"c{number}", text=stated.text, start=start, end=end, needs_evidence=stated.needs_evidence)


def passage_rulings(
    found: Iterable[StatementEvidence], statements: Sequence[NamedText], parts: Sequence[PassagePart]
) -> Found:
    """What each passage says about each statement, its quote verified."""
    by_id = {part.id: part for part in parts}
    stated = dict(statements)
    return merged(
        {statement.id: {ruling.passage: ruling}}
        for statement in found
        for evidence in statement.evidence
        for ruling in [_ruling(stated[statement.id], evidence, by_id[evidence.passage].source)]
    )


def merged(pieces: Iterable[Found]) -> Found:
    """All rulings together; of several on one statement and passage the strongest."""
    together: dict[str, dict[str, PassageRuling]] = {}
    for piece in pieces:
        for statement, rulings in piece.items():
            own = together.setdefault(statement, {})
            for passage, ruling in rulings.items():
                before = own.get(passage, ruling)
                own[passage] = strongest([(before.verdict, before), (ruling.verdict, ruling)])
    return together


def _ruling(claim: str, evidence: PassageEvidence, passage: ShownText) -> PassageRuling:
    quote = find_quote(evidence.quote, passage.text)
    doubt = None if evidence.verdict == "unsupported" else _doubt(evidence, quote, claim, passage.text)
    if doubt:
        quote = None
    limited = evidence.verdict in _FOR and quote is not None and conditional(quote, claim, passage.text)
    return PassageRuling(
        passage.id,
        "unverified" if doubt else evidence.verdict,
        quote,
        missing_qualification=evidence.missing_qualification or limited,
        reason=doubt,
    )


def _doubt(evidence: PassageEvidence, quote: Quote | None, claim: str, passage: str) -> str | None:
    """Why the quote does not show the verdict; None where it may."""
    if quote is None:
        return _NOT_THERE.format(place="passage")
    if evidence.verdict in _FOR and denied(quote, claim, passage):
        return DENIED
    return not_about(quote.text, claim, passage)


def conflicts_between(found: Iterable[ConflictFound], parts: Sequence[PassagePart]) -> Iterator[SourceConflict]:
    """Conflicts between passages; two pieces of one passage are no two sources."""
    sources = {part.id: part.source.id for part in parts}
    for one in found:
        first, second = sources[one.first_passage], sources[one.second_passage]
        if first != second:
            yield SourceConflict(passages=(first, second), about=one.about, surfaced=one.surfaced)


def coverage_ruling(found: CoverageFound, answer: str, stage: str) -> CoverageRuling:
    """Whether the answer makes a required claim; what no words of the answer show is undecided."""
    quote = find_quote(found.quote, answer)
    shown = quote is not None or found.verdict == "missing"
    return CoverageRuling(
        found.verdict if shown else "undecided", quote, None if shown else _NOT_THERE.format(place="answer"), stage
    )
