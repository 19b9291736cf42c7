"""Turning a trace into verdicts. The protocol, and what every judge decides by rule; judges live in the subpackages."""

from ragvet.judging._behaviour import observe_behaviour
from ragvet.judging._citations import PlacedCitation, Register, citation_verdict, place_citations
from ragvet.judging._claims import split_claims
from ragvet.judging._context import SuppliedContext, supplied_context
from ragvet.judging._languages import Languages, language_of, load_languages
from ragvet.judging._markers import answer_citations
from ragvet.judging._protocol import Judge
from ragvet.judging._quotes import find_quote

__all__ = [
    "Judge",
    "Languages",
    "PlacedCitation",
    "Register",
    "SuppliedContext",
    "answer_citations",
    "citation_verdict",
    "find_quote",
    "language_of",
    "load_languages",
    "observe_behaviour",
    "place_citations",
    "split_claims",
    "supplied_context",
]
