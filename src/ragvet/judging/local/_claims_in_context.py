from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from ragvet.judging._context import CONTEXT_ID, SuppliedContext
from ragvet.judging.local._claim_text import ClaimText
from ragvet.judging.local._prepared import Prepared
from ragvet.judging.local._rules import Rules, quote_of
from ragvet.judging.local._support import Finding, absence
from ragvet.records import Claim, Support

_NOTHING_SUPPLIED = -6.0
_REFUSED = 0.0
_STATES_NOTHING = -2.0


@dataclass(frozen=True, slots=True)
class ContextSupport:
    """The support rows of an answer, and the score that orders review queues (None: no text to hold it against)."""

    rows: tuple[Support, ...]
    score: float | None


def support_in_context(
    claims: Sequence[tuple[Claim, ClaimText]],
    context: SuppliedContext,
    passages: Sequence[tuple[str, Prepared]],
    rules: Rules,
    *,
    refused: bool,
) -> ContextSupport:
    """Every claim that needs evidence against every passage.

    A claim is unsupported only if its words are missing from the passages together: two passages that show half of it
    each leave it undecided. Where text is not known, so is the verdict.
    """
    rows: list[Support] = []
    logits: list[float] = []
    found: dict[str, list[tuple[str, Prepared, Finding]]] = {}
    for claim, ready in claims:
        said = ready.prepared.text
        if said not in found:  # an answer that repeats itself is not compared again
            found[said] = _findings(ready, passages, rules)
        findings = found[said]
        rows.extend(_support(claim.id, chunk, passage, finding) for chunk, passage, finding in findings)
        rows.extend(_unknown(claim, chunk, "its text is not in the trace") for chunk in context.silent)
        if context.origin == "unknown" and not context.silent:
            rows.append(_unknown(claim, CONTEXT_ID, "the trace does not say what the model saw"))
        logits.append(max((finding.logit for _, _, finding in findings), default=_NOTHING_SUPPLIED))
    empty = _REFUSED if refused else _STATES_NOTHING
    return ContextSupport(tuple(rows), _score(logits or [empty], context))


def _findings(
    ready: ClaimText, passages: Sequence[tuple[str, Prepared]], rules: Rules
) -> list[tuple[str, Prepared, Finding]]:
    findings = [(chunk, passage, rules.find(ready, passage)) for chunk, passage in passages]
    if spread_over_several(ready, findings, rules):
        return [(chunk, passage, _undecided(finding)) for chunk, passage, finding in findings]
    return findings


def judge_passage(claim: str, ready: ClaimText, chunk: str, text: str, rules: Rules) -> Support:
    """The row of one claim and one passage outside the context."""
    passage = rules.passage(text)
    return _support(claim, chunk, passage, rules.find(ready, passage))


def spread_over_several(claim: ClaimText, found: Sequence[tuple[str, Prepared, Finding]], rules: Rules) -> bool:
    """Whether passages that each lack words of the claim hold too many of them together to call it unsupported."""
    if len(found) < 2:  # noqa: PLR2004  # one passage is not several
        return False
    missing = reduce(frozenset[str].intersection, (finding.missing for _, _, finding in found))
    told = absence(claim, missing, (passage for _, passage, _ in found))
    return max(finding.logit for _, _, finding in found) >= rules.model.unsupported_below[told]


def _support(claim: str, chunk: str, passage: Prepared, finding: Finding) -> Support:
    return Support(
        claim=claim,
        passage=chunk,
        verdict=finding.verdict,
        quote=quote_of(passage, finding.span),
        missing_qualification=finding.missing_qualification,
        reason=finding.reason,
    )


def _undecided(finding: Finding) -> Finding:
    if finding.verdict != "unsupported":
        return finding
    return replace(finding, verdict="undecided", reason="its words are spread over several passages")


def _unknown(claim: Claim, chunk: str, reason: str) -> Support:
    return Support(claim=claim.id, passage=chunk, verdict="undecided", reason=reason)


def _score(logits: Sequence[float], context: SuppliedContext) -> float | None:
    """The mean over claims of the best any passage says, as a number from 0 to 1."""
    if context.origin == "unknown" or (context.silent and not context.passages):
        return None
    mean = sum(logits) / len(logits)
    return 1.0 / (1.0 + math.exp(-max(min(mean, 30.0), -30.0)))
