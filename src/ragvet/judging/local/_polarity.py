"""Negations and quantifiers: what turns the same words into another statement."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragvet.judging._languages import Language

_UNSPACED_SCRIPTS = ("han", "kana")


@dataclass(frozen=True, slots=True)
class Polarity:
    """How many negations a stretch of text holds, and how often each kind of quantifier, limit, condition and hedge."""

    negations: int
    quantifiers: Counter[str]


NOTHING = Polarity(0, Counter())
"""Of no text at all."""


def polarity_of(words: Sequence[str], stretch: str, language: Language) -> Polarity:
    """What stands in a stretch of folded text, given as its words and as it is written."""
    if language.scripts[0] in _UNSPACED_SCRIPTS:
        negations = sum(map(stretch.count, language.negations))
    else:
        negations = sum(map(language.is_negation, words))
    negations -= sum(map(stretch.count, language.denies_nothing))
    found = Counter(match.lastgroup or "" for match in _pattern(language).finditer(stretch))
    return Polarity(negations, found)


@lru_cache(maxsize=64)
def _pattern(language: Language) -> re.Pattern[str]:
    """Each kind of quantifier as a group; compiled once for a language, which is itself and equals no other."""
    before, after = ("", "") if language.scripts[0] in _UNSPACED_SCRIPTS else (r"(?<!\w)", r"(?!\w)")
    kinds = language.quantifiers.items()
    groups = [f"(?P<{kind}>{'|'.join(map(re.escape, words))})" for kind, words in kinds if words]
    return re.compile(f"{before}(?:{'|'.join(groups) or '(?!)'}){after}")
