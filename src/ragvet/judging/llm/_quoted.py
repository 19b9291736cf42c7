"""Whether a quote is about the claim it is given for: one that stands in the passage may still say nothing of it."""

from __future__ import annotations

import re
import unicodedata

from ragvet.judging._languages import Language, language_of, load_languages
from ragvet.text import fold_text

_WORD = re.compile(r"[\w\u0900-\u0dff]+(?:[.,]\d+)*")
"""Runs of letters, vowel signs and digits; a number with its decimals."""
_UNSPACED = re.compile(r"[\u0e00-\u109f\u1780-\u17ff\u30a0-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
"""Characters of scripts without spaces between words, except hiragana (mostly grammar), and Korean syllables."""
_ARABIC_PREFIX = re.compile("^[وفبلك]?(?:ال|لل)")
_DIGIT = re.compile(r"\d")
_STEM, _ARABIC_STEM = 4, 3

SINGLE_WORD = "the quote the judge gave is a single word"
NOTHING_SHARED = "the quote the judge gave shares no content word with the claim"


def not_about(quote: str, claim: str, passage: str) -> str | None:
    """Why `quote` cannot carry `claim`, or None where it may.

    A quote has two words, if the passage has, and one of the claim's content words in any inflection, or one of its
    numbers. Words are not compared where claim and passage are in different languages, nor where the claim has no
    content word at all.
    """
    if len(_units(quote)) < min(2, len(_units(passage))):
        return SINGLE_WORD
    code = language_of(claim)
    if code != language_of(passage):
        return None
    language = load_languages().get(code)
    wanted = content_words(claim, language)
    if not wanted or any(same_word(one, other) for one in wanted for other in content_words(quote, language)):
        return None
    return NOTHING_SHARED


def _units(text: str) -> list[str]:
    """Words, and each character of a script without spaces."""
    composed = unicodedata.normalize("NFKC", text)
    return [*_UNSPACED.findall(composed), *_WORD.findall(_UNSPACED.sub(" ", composed))]


def content_words(text: str, language: Language) -> set[str]:
    """What is left of the words, folded, without the function words; numbers in words as digits."""
    units = {unit if _UNSPACED.match(unit) else fold_text(unit) for unit in _units(text)}
    return {f"{language.numbers[unit]:g}" if unit in language.numbers else unit for unit in units} - (
        language.function_words
    )


def same_word(one: str, other: str) -> bool:
    """Whether two words are one in different inflections or compounds: the first letters of one stand in the other."""
    if one == other:
        return True
    first, second = _stem(one), _stem(other)
    return bool(first and first in other) or bool(second and second in one)


def _stem(word: str) -> str:
    """The letters an inflection keeps; nothing for a short word, which must be the same."""
    bare = _ARABIC_PREFIX.sub("", word)
    size = _ARABIC_STEM if "\u0600" <= bare[:1] <= "\u06ff" else _STEM
    return bare[:size] if len(bare) >= size and not _DIGIT.search(bare) else ""
