"""Turning a trace into verdicts. The protocol, and what every judge decides by rule; judges live in the subpackages."""

from ragvet.judging._behaviour import observe_behaviour
from ragvet.judging._claims import split_claims
from ragvet.judging._context import SuppliedContext, supplied_context
from ragvet.judging._languages import Languages, language_of, load_languages
from ragvet.judging._protocol import Judge
from ragvet.judging._quotes import find_quote

__all__ = [
    "Judge",
    "Languages",
    "SuppliedContext",
    "find_quote",
    "language_of",
    "load_languages",
    "observe_behaviour",
    "split_claims",
    "supplied_context",
]
