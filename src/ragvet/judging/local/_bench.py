"""Deciding questions by rule: each text is prepared once for all questions about one answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ragvet.judging._languages import language_of
from ragvet.judging.local._claim_text import ClaimText
from ragvet.judging.local._claims_in_context import spread_over_several
from ragvet.judging.local._expectations import agreement, covered
from ragvet.judging.local._prepared import Prepared
from ragvet.judging.local._rules import STAGE, Rules, quote_of
from ragvet.judging.local._support import Finding
from ragvet.records import (
    PassageRuling,
    Question,
    Ruling,
    ShownText,
    SupportRuling,
)

_NOTHING_SUPPLIED = -6.0
"""Log odds that a claim is supported where no passage was supplied."""

Found = Sequence[tuple[str, Prepared, Finding]]
"""Passage id, passage, and what it says."""


@dataclass(frozen=True, slots=True)
class Bench:
    """The questions about one answer, as they are decided.

    Attributes:
        rules: that decide.
        log_odds: of the claims so far, the best any supplied passage gives for its support.
    """

    rules: Rules
    log_odds: list[float] = field(default_factory=list[float])
    _texts: dict[str, Prepared] = field(default_factory=dict[str, Prepared])
    _claims: dict[tuple[str, str], ClaimText] = field(default_factory=dict[tuple[str, str], ClaimText])
    _found: dict[tuple[str, str, int], Found] = field(default_factory=dict[tuple[str, str, int], Found])

    def decide(self, question: Question) -> Ruling | None:
        """The ruling; None on what rules do not decide."""
        match question.kind:
            case "support":
                found = self._against_all(question)
                self.log_odds.append(max((finding.logit for _, _, finding in found), default=_NOTHING_SUPPLIED))
                return _support(found)
            case "reference":
                return _support(self._against_all(question))
            case "citation":
                return _support(self._against_each(self._claim(question), question.texts))
            case "coverage":
                return covered(question, self._text(question.texts[0]), self.rules)
            case "agreement":
                return agreement(self._claim(question), self._text(question.texts[0]), self.rules)
            case _:
                return None

    def _against_all(self, question: Question) -> Found:
        """A statement against all passages; halves of it in two of them leave it undecided."""
        ready = self._claim(question)
        key = ready.prepared.text, ready.answer, id(question.texts)  # an answer that repeats itself is compared once
        if key not in self._found:
            found = self._against_each(ready, question.texts)
            if spread_over_several(ready, found, self.rules):
                found = [(id_, passage, _undecided(finding)) for id_, passage, finding in found]
            self._found[key] = found
        return self._found[key]

    def _against_each(self, ready: ClaimText, texts: Sequence[ShownText]) -> Found:
        passages = ((text.id, self._text(text)) for text in texts)
        return [(id_, passage, self.rules.find(ready, passage)) for id_, passage in passages]

    def _text(self, text: ShownText) -> Prepared:
        prepared = self._texts.get(text.text)
        if prepared is None:
            prepared = self._texts[text.text] = self.rules.passage(text.text)
        return prepared

    def _claim(self, question: Question) -> ClaimText:
        said, language = question.bare, question.language or language_of(question.bare, self.rules.languages)
        ready = self._claims.get((said, language))
        if ready is None:
            ready = self._claims[said, language] = self.rules.claim(said, language)
        return ready


def probability(log_odds: float) -> float:
    """A number from 0 to 1."""
    return 1.0 / (1.0 + math.exp(-max(min(log_odds, 30.0), -30.0)))


def _support(found: Found) -> SupportRuling:
    return SupportRuling(
        tuple(
            PassageRuling(
                id_,
                finding.verdict,
                quote_of(passage, finding.span),
                finding.missing_qualification,
                finding.reason,
                probability(finding.logit),
            )
            for id_, passage, finding in found
        ),
        STAGE,
    )


def _undecided(finding: Finding) -> Finding:
    if finding.verdict != "unsupported":
        return finding
    return replace(finding, verdict="undecided", reason="its words are spread over several passages")
