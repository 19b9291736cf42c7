"""Whether the claims a model lists for a sentence say what the sentence says: a small model makes claims up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ragvet.judging._languages import Language, language_of, load_languages
from ragvet.judging.llm._quoted import content_words, same_word

_HALF = 0.5
_TELLING = 3
"""A sentence of fewer content words ("Yes.") may be put in words of the question alone."""
_MARKER = re.compile(r"\[[^\[\]\n]{1,60}\]|【[^【】\n]{1,60}】|\(\d{1,2}\)")
_NO_DIGIT = re.compile(r"\D")


def restated(sentence: str, claims: Sequence[str], known: str) -> bool:
    """Whether `claims` are those of `sentence`.

    They hold each of its numbers and half of its content words, and of each claim half of the content words stand in
    `known`, the answer and what it answers. Words are compared in any inflection.
    """
    if [claim.strip() for claim in claims] == [sentence.strip()]:
        return True
    language = load_languages().get(language_of(sentence))
    said = content_words(_MARKER.sub(" ", sentence), language)
    listed = [content_words(claim, language) for claim in claims]
    together = set[str]().union(*listed)
    left_out = len(said) >= _TELLING and _share(said, together) < _HALF
    if left_out or not _numbers(said) <= _numbers(together):
        return False
    foreign = [words for words in listed if not words <= said]
    if not foreign:
        return True
    heard = _heard(known, language)
    return all(_share(words, heard) >= _HALF for words in foreign)


@lru_cache(maxsize=8)  # each sentence of an answer asks for the words of the whole
def _heard(known: str, language: Language) -> frozenset[str]:
    return frozenset(content_words(known, language))


def _share(words: set[str], among: frozenset[str] | set[str]) -> float:
    """Of the words, how many are among the others; 1 where there are none."""
    missing = words - among
    found = len(words) - sum(not any(same_word(word, other) for other in among) for word in missing)
    return found / len(words) if words else 1.0


def _numbers(words: set[str]) -> set[str]:
    """The digits of each number: 1,000 and 1000 are one."""
    return {digits for word in words if (digits := _NO_DIGIT.sub("", word))}
