from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from ragvet.judging._languages import Language
from ragvet.judging.local._prepared import Prepared

_UNSPACED_SCRIPTS = ("han", "kana")


def negations(text: Prepared, words: tuple[int, int]) -> int:
    """How many negations of the text's language stand among the words [first, last)."""
    first, last = words
    if first == last:
        return 0
    if text.language.scripts[0] in _UNSPACED_SCRIPTS:
        stretch = text.folded.text[text.starts[first] : text.ends[last - 1]]
        return sum(stretch.count(negation) for negation in text.language.negations)
    return sum(map(text.language.is_negation, text.words[first:last]))


def quantifiers(text: Prepared, words: tuple[int, int]) -> Counter[str]:
    """The kinds of quantifier, limit, condition and hedge among the words [first, last), and how often each occurs."""
    first, last = words
    if first == last:
        return Counter()
    stretch = text.folded.text[text.starts[first] : text.ends[last - 1]]
    return Counter(match.lastgroup or "" for match in _pattern(text.language).finditer(stretch))


@lru_cache(maxsize=64)
def _pattern(language: Language) -> re.Pattern[str]:
    """Each kind of quantifier as a group; compiled once for a language, which is itself and equals no other."""
    before, after = ("", "") if language.scripts[0] in _UNSPACED_SCRIPTS else (r"(?<!\w)", r"(?!\w)")
    kinds = language.quantifiers.items()
    groups = (f"(?P<{kind}>{'|'.join(map(re.escape, words))})" for kind, words in kinds if words)
    return re.compile(f"{before}(?:{'|'.join(groups)}){after}")
