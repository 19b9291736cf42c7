"""What the sentence a quote is cut out of says about it: words that stand in the passage may be denied there."""

from __future__ import annotations

import re
from functools import lru_cache

from ragvet.judging._languages import Language, language_of, load_languages
from ragvet.judging._sentences import sentence_spans
from ragvet.records import Quote
from ragvet.text import fold_text

DENIED = "the clause the quote is cut out of denies what the quote says"

_LETTER = r"[\w\u064b-\u065f\u0670\u0900-\u0dff]"
"""With the vowel signs of Arabic and Indic scripts, which are no letters to `re`."""
_EDGE = re.compile(
    rf"[,;:](?!\d)(?!\s*(?:dass|that|que|कि)(?!{_LETTER}))|[.!?…](?!\w)|[()\[\]–—\n，。；：！？、،؛؟।]|\s-\s",
    re.IGNORECASE,
)
"""Where a clause ends; a comma before a word that introduces what is said ("Es ist falsch, dass …") ends none."""
_LONGEST_SENTENCE = 2000
_UNSPACED_SCRIPTS = frozenset({"han", "kana"})


def denied(quote: Quote, claim: str, passage: str) -> bool:
    """Whether the clause around the quote holds a negation outside it that the claim does not have.

    A quote that is a whole clause is never denied.
    """
    before, after = _clause(quote, passage)
    language = load_languages().get(language_of(passage))
    outside = _negations(before, language) + _negations(after, language)
    if not outside:
        return False
    own = load_languages().get(language_of(claim))
    return outside + _negations(quote.text, language) > _negations(claim, own)


def conditional(quote: Quote, claim: str, passage: str) -> bool:
    """Whether the sentence around the quote states a condition or an exception, and neither quote nor claim does.

    Of scripts without spaces nothing is known: their words for conditions are syllables of other words.
    """
    stated = _conditions(load_languages().get(language_of(passage)))
    own = _conditions(load_languages().get(language_of(claim)))
    if stated is None or own is None or own.search(fold_text(claim)) or stated.search(fold_text(quote.text)):
        return False
    return any(stated.search(fold_text(part)) for part in _sentence(quote, passage))


def _clause(quote: Quote, passage: str) -> tuple[str, str]:
    """What stands before and behind the quote in its clause; of a quote of several, in the first and the last."""
    left = passage[max(0, quote.start - _LONGEST_SENTENCE) : quote.start]
    right = passage[quote.end : quote.end + _LONGEST_SENTENCE]
    opening = max((edge.end() for edge in _EDGE.finditer(left)), default=0)
    closing = _EDGE.search(right)
    return left[opening:], right[: closing.start() if closing else None]


def _sentence(quote: Quote, passage: str) -> tuple[str, str]:
    """What stands before and behind the quote in its sentence; of a quote of several, in the first and the last."""
    first = max(passage.rfind("\n", 0, quote.start) + 1, quote.start - _LONGEST_SENTENCE)
    last = passage.find("\n", quote.end)
    text = passage[first : min(last if last >= 0 else len(passage), quote.end + _LONGEST_SENTENCE)]
    start, end = quote.start - first, quote.end - first
    met = [span for span in sentence_spans(text, language_of(passage)) if span[0] < end and start < span[1]]
    return text[met[0][0] : start], text[end : max(end, met[-1][1])]


def _negations(text: str, language: Language) -> int:
    folded = fold_text(text)
    if language.scripts[0] in _UNSPACED_SCRIPTS:
        return sum(folded.count(negation) for negation in language.negations)
    return len(_words(language.negations, "|n't").findall(folded))


def _conditions(language: Language) -> re.Pattern[str] | None:
    if language.scripts[0] in _UNSPACED_SCRIPTS:
        return None
    return _words(language.quantifiers.get("condition", ()))


@lru_cache(maxsize=64)
def _words(words: tuple[str, ...] | frozenset[str], ending: str = "") -> re.Pattern[str]:
    """A pattern of these words as whole words."""
    return re.compile(rf"(?:(?<!{_LETTER})(?:{'|'.join(map(re.escape, words))}){ending})(?!{_LETTER})")
