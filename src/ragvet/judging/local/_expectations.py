from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from ragvet.judging._claims import split_claims
from ragvet.judging._context import SuppliedContext
from ragvet.judging._languages import language_of
from ragvet.judging._quotes import find_quote
from ragvet.judging.local._claim_text import ClaimText
from ragvet.judging.local._claims_in_context import spread_over_several
from ragvet.judging.local._prepared import PREFIX, Prepared
from ragvet.judging.local._rules import Rules, quote_of
from ragvet.records import (
    Agreement,
    AgreementVerdict,
    Case,
    Claim,
    Coverage,
    Quote,
    ReferenceSupport,
    RequiredClaim,
    SupportVerdict,
)

_AGREEMENT: dict[SupportVerdict, AgreementVerdict] = {
    "supported": "agree",
    "contradicted": "contradict",
    "unsupported": "extra",
}
_BEST_FIRST: tuple[SupportVerdict, ...] = ("supported", "contradicted", "undecided", "unsupported")


def coverage(case: Case, answer: str, rules: Rules) -> tuple[Coverage, ...]:
    """Which required claims the answer makes: verbatim in a wording the case accepts, else by the rules of support.

    Missing is only what leaves no trace: not one content word of it stands in the answer.
    """
    if not answer.strip():
        reason = "the answer is blank"
        return tuple(
            Coverage(required_claim=case.claim_id(index), verdict="missing", reason=reason)
            for index in range(len(case.required_claims))
        )
    text = rules.passage(answer)
    return tuple(
        _covered(case.claim_id(index), required, text, rules) for index, required in enumerate(case.required_claims)
    )


def _covered(claim_id: str, required: RequiredClaim, answer: Prepared, rules: Rules) -> Coverage:
    for wording in (required.text, *required.accept):
        quote = find_quote(wording, answer.text, verbatim=True)
        if quote:
            denied = _denied_around(quote, answer, rules.passage(wording))
            return Coverage(
                required_claim=claim_id,
                verdict="undecided" if denied else "covered",
                quote=quote,
                reason="stands there verbatim" + (", but a negation stands close by" if denied else ""),
            )
    claim = rules.claim(required.text, answer.language.code)
    finding = rules.find(claim, answer)
    quote = quote_of(answer, finding.span)
    if finding.verdict == "supported":
        return Coverage(required_claim=claim_id, verdict="covered", quote=quote, reason=finding.reason)
    if finding.verdict == "contradicted":
        return Coverage(required_claim=claim_id, verdict="contradicted", quote=quote, reason=finding.reason)
    if nothing_of_it(claim, answer):
        return Coverage(required_claim=claim_id, verdict="missing", reason="no content word of it stands in the answer")
    return Coverage(required_claim=claim_id, verdict="undecided", reason=finding.reason)


def _denied_around(quote: Quote, answer: Prepared, wording: Prepared) -> bool:
    """Whether the sentences around a verbatim wording hold more or fewer negations than the wording itself."""
    origin = answer.folded.origin
    positions = [origin[start] for start in answer.starts]
    first = bisect_left(positions, quote.start)
    last = max(bisect_left(positions, quote.end) - 1, first)
    if first >= len(positions):
        return False
    sentences = answer.edges[answer.sentence_of(first)], answer.edges[answer.sentence_of(last) + 1]
    return answer.polarity(sentences).negations != wording.polarity(wording.whole).negations


def nothing_of_it(claim: ClaimText, text: Prepared) -> bool:
    """Whether not one content word or value of the claim stands in the text, not even by its first letters."""
    if claim.prepared.language.code != text.language.code:
        return False
    stems = claim.needle_stems
    return bool(stems) and not any(stem in text.postings or stem[:PREFIX] in text.prefixes for stem in stems)


def agreement(claims: Sequence[tuple[Claim, ClaimText]], reference: str | None, rules: Rules) -> tuple[Agreement, ...]:
    """How each claim stands to the reference answer: agree, contradict, extra (the reference is silent), undecided."""
    if reference is None or not reference.strip():
        return ()
    text = rules.passage(reference)
    findings = [(claim, rules.find(ready, text)) for claim, ready in claims]
    return tuple(
        Agreement(claim=claim.id, verdict=_AGREEMENT.get(finding.verdict, "undecided"), reason=finding.reason)
        for claim, finding in findings
    )


def reference_support(
    reference: str | None, context: SuppliedContext, passages: Sequence[tuple[str, Prepared]], rules: Rules
) -> tuple[ReferenceSupport, ...] | None:
    """Whether the context supports each statement of the reference answer; None where one of the two is not known."""
    if reference is None or not reference.strip() or context.origin == "unknown" or context.silent:
        return None
    language = language_of(reference, rules.languages)
    statements = [c for c in split_claims(reference, language=language, languages=rules.languages) if c.needs_evidence]
    return tuple(_reference_row(s, rules.claim(s.text, language), passages, rules) for s in statements)


def _reference_row(
    statement: Claim, ready: ClaimText, passages: Sequence[tuple[str, Prepared]], rules: Rules
) -> ReferenceSupport:
    found = [(chunk, passage, rules.find(ready, passage)) for chunk, passage in passages]
    if not found:
        return ReferenceSupport(statement=statement.text, verdict="unsupported")
    chunk, passage, best = min(found, key=lambda row: _BEST_FIRST.index(row[2].verdict))
    verdict: SupportVerdict = best.verdict
    if verdict == "unsupported" and spread_over_several(ready, found, rules):
        verdict = "undecided"
    quoted = verdict in ("supported", "contradicted")
    return ReferenceSupport(
        statement=statement.text,
        verdict=verdict,
        passage=chunk if quoted else None,
        quote=quote_of(passage, best.span) if quoted else None,
    )
