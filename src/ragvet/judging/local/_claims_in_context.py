"""Whether passages that each lack words of a claim hold them together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ragvet.judging.local._claim_text import ClaimText
from ragvet.judging.local._prepared import Prepared
from ragvet.judging.local._rules import Rules
from ragvet.judging.local._support import Finding, absence


def spread_over_several(claim: ClaimText, found: Sequence[tuple[str, Prepared, Finding]], rules: Rules) -> bool:
    """Whether passages that each lack words of the claim hold too many of them together to call it unsupported."""
    if len(found) < 2:  # noqa: PLR2004  # one passage is not several
        return False
    missing = reduce(frozenset[str].intersection, (finding.missing for _, _, finding in found))
    told = absence(claim, missing, (passage for _, passage, _ in found))
    return max(finding.logit for _, _, finding in found) >= rules.model.unsupported_below[told]
