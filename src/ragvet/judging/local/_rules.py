"""The languages and the model of the rules, and the steps every verdict is made of."""

from __future__ import annotations

from dataclasses import dataclass

from ragvet.judging._languages import Languages, language_of
from ragvet.judging.local._claim_text import ClaimText, claim_text
from ragvet.judging.local._model import Model
from ragvet.judging.local._prepared import Prepared, prepare
from ragvet.judging.local._support import Finding, find_support
from ragvet.records import Quote

STAGE = "rules"
"""What decided, as verdicts tell it."""


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """The languages and the model in use, and the steps every verdict is made of."""

    languages: Languages
    model: Model

    def passage(self, text: str) -> Prepared:
        """A text that claims are held against, in the language it is found to be in."""
        return prepare(text, self.languages.get(language_of(text, self.languages)), self.languages)

    def claim(self, text: str, language: str) -> ClaimText:
        """A claim ready for comparison, in the language of the whole answer: a claim alone is too short to tell."""
        return claim_text(text, self.languages.get(language), self.languages)

    def find(self, claim: ClaimText, passage: Prepared) -> Finding:
        """What the passage says about the claim."""
        return find_support(claim, passage, self.model)


def quote_of(passage: Prepared, span: tuple[int, int] | None) -> Quote | None:
    """The words of the passage at a span, as a quote that is verbatim by construction."""
    if span is None:
        return None
    start, end = span
    return Quote(text=passage.text[start:end], start=start, end=end)
