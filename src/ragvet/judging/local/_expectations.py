"""Whether an answer says what it had to say, and how it stands to the reference."""

from __future__ import annotations

from bisect import bisect_left

from ragvet.judging._quotes import find_quote
from ragvet.judging.local._claim_text import ClaimText
from ragvet.judging.local._prepared import PREFIX, Prepared
from ragvet.judging.local._rules import STAGE, Rules, quote_of
from ragvet.records import (
    AgreementRuling,
    AgreementVerdict,
    CoverageRuling,
    Question,
    Quote,
    SupportVerdict,
)

_AGREEMENT: dict[SupportVerdict, AgreementVerdict] = {
    "supported": "agree",
    "contradicted": "contradict",
    "unsupported": "extra",
}


def covered(question: Question, answer: Prepared, rules: Rules) -> CoverageRuling:
    """Whether the answer makes a required claim: in a wording the case accepts, else by the rules of support.

    The wordings of `accept` decide: one that stands in the answer covers the claim, whatever stands around it, and
    where none does the claim is missing unless the rules of support settle it. Without them, missing is only what
    leaves no trace: not one content word of it stands in the answer.
    """
    required = question.statement or ""
    for wording in question.note:
        quote = find_quote(wording, answer.text, verbatim=True)
        if quote:
            return CoverageRuling("covered", quote, "an accepted wording stands there verbatim", STAGE)
    settled = _settled(required, answer, rules)
    if settled.verdict == "undecided" and question.note:
        return CoverageRuling("missing", reason="none of the accepted wordings stands in the answer", stage=STAGE)
    return settled


def _settled(required: str, answer: Prepared, rules: Rules) -> CoverageRuling:
    """What follows without accepted wordings: verbatim unless denied close by, else by the rules of support."""
    quote = find_quote(required, answer.text, verbatim=True)
    if quote:
        denied = _denied_around(quote, answer, rules.passage(required))
        reason = "stands there verbatim" + (", but a negation stands close by" if denied else "")
        return CoverageRuling("undecided" if denied else "covered", quote, reason, STAGE)
    claim = rules.claim(required, answer.language.code)
    finding = rules.find(claim, answer)
    quote = quote_of(answer, finding.span)
    if finding.verdict == "supported":
        return CoverageRuling("covered", quote, finding.reason, STAGE)
    if finding.verdict == "contradicted":
        return CoverageRuling("contradicted", quote, finding.reason, STAGE)
    if nothing_of_it(claim, answer):
        return CoverageRuling("missing", reason="no content word of it stands in the answer", stage=STAGE)
    return CoverageRuling("undecided", reason=finding.reason, stage=STAGE)


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
    language = claim.prepared.language
    if language.code != text.language.code or not language.tells_polarity:
        return False
    stems = claim.needle_stems
    return bool(stems) and not any(stem in text.postings or stem[:PREFIX] in text.prefixes for stem in stems)


def agreement(claim: ClaimText, reference: Prepared, rules: Rules) -> AgreementRuling:
    """How a claim stands to the reference answer: agree, contradict, extra (the reference is silent), undecided."""
    finding = rules.find(claim, reference)
    return AgreementRuling(_AGREEMENT.get(finding.verdict, "undecided"), finding.reason, STAGE)
