"""Texts cut into what the rules compare."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from ragvet.judging._blocks import mask_markup, split_blocks
from ragvet.judging._languages import Language, Languages
from ragvet.judging._sentences import sentence_spans
from ragvet.judging.local._polarity import NOTHING, Polarity, polarity_of
from ragvet.judging.local._value import Value, ValueIndex
from ragvet.judging.local._values import find_values
from ragvet.text import Folded, fold

_UNSPACED_RANGES = r"\u0e00-\u0eff\u2e80-\u2fff\u3005-\u3007\u3031-\u30fa\u30fc-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_UNSPACED = re.compile(f"[{_UNSPACED_RANGES}]")
_LETTER, _MARK = rf"[^\W\d_{_UNSPACED_RANGES}]", r"[\u0900-\u0dff\u0610-\u061a\u0300-\u036f]"
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)*|[{_UNSPACED_RANGES}]+|{_LETTER}+(?:{_MARK}+{_LETTER}*)*(?:'t\b)?")
_ASCII_TOKEN = re.compile(r"[a-z]+(?:'t\b)?|\d+(?:[.,]\d+)*")
"""The same for folded text that is nothing but ASCII, at half the time."""
_NO_WORDS = re.compile(r"\[\^?\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,9}\]|【[^】\n]{1,60}】|(?<=\])\([^()\s]{1,500}\)")
"""Citation numbers and the addresses of links."""
_LINE_END = re.compile(r"\n")
_NEXT_SENTENCE = re.compile(r"(?<=[a-zß-öø-ÿ]{3}[.!?])[\"'”’)\]*_]*\s+(?=[\"'“(*_]*[A-ZÀ-ÖØ-Þ])")
"""Where a sentence begins inside quotation marks or brackets too, which are one sentence to the splitter."""
VALUE = "#"
"""Begins the stem of a number, date or time, which is its value and not its writing."""
PREFIX = 5
_LONGEST_SENTENCE = 60
_SHORTEST_STEM = 3


@dataclass(frozen=True, eq=False)
class Prepared:
    """A text cut into what the rules compare; made once, and what only some comparisons need when they ask for it.

    Attributes:
        text: the original.
        masked: the same with markup and citation numbers blanked.
        folded: that as matching sees it.
        stems: the words, suffixes taken off; for scripts without spaces, pairs of characters; values as values.
        words: the folded words as they stand.
        starts: where each word starts in the folded text.
        ends: one past each word.
        values: the numbers, dates and times.
        language: of the text.
    """

    text: str
    masked: str
    folded: Folded
    stems: tuple[str, ...]
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    values: tuple[Value, ...]
    language: Language

    @property
    def whole(self) -> tuple[int, int]:
        """Its words, from the first to one past the last."""
        return 0, len(self.words)

    @cached_property
    def postings(self) -> dict[str, list[int]]:
        """The places of each stem."""
        found: dict[str, list[int]] = {}
        for place, one in enumerate(self.stems):
            found.setdefault(one, []).append(place)
        return found

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The stems that stand next to each other."""
        return frozenset(pairwise(self.stems))

    @cached_property
    def prefixes(self) -> frozenset[str]:
        """How its longer stems begin."""
        return frozenset(one[:PREFIX] for one in self.postings if len(one) >= PREFIX)

    @cached_property
    def value_index(self) -> ValueIndex:
        """Answers whether a value is among those of the text."""
        return ValueIndex(self.values)

    @cached_property
    def _bounds(self) -> tuple[tuple[int, ...], frozenset[int]]:
        origin = self.folded.origin
        return _sentences(self.masked, [origin[start] for start in self.starts], self.language)

    @property
    def sentences(self) -> tuple[int, ...]:
        """The first word of each sentence."""
        return self._bounds[0]

    @property
    def stops(self) -> frozenset[int]:
        """The words before which a statement ends for certain, and one past the last word."""
        return self._bounds[1]

    @cached_property
    def edges(self) -> tuple[int, ...]:
        """The first word of each sentence, and one past the last word."""
        return (*self.sentences, len(self.words))

    @cached_property
    def _numbers(self) -> list[int]:
        lengths = (last - first for first, last in pairwise(self.edges))
        return [number for number, length in enumerate(lengths) for _ in range(length)]

    def sentence_of(self, word: int) -> int:
        """The number of the sentence that holds a word."""
        return self._numbers[word]

    def quote_span(self, first: int, last: int) -> tuple[int, int]:
        """Where the words [first, last) stand in the original text."""
        return self.folded.span(self.starts[first], self.ends[last - 1])

    def holds_any(self, words: AbstractSet[str]) -> bool:
        """Whether one of the words stands in the text."""
        return not self.postings.keys().isdisjoint(words)

    @cached_property
    def _polarities(self) -> dict[tuple[int, int], Polarity]:
        return {}

    def polarity(self, words: tuple[int, int]) -> Polarity:
        """The negations and quantifiers among the words [first, last)."""
        first, last = words
        if first == last:
            return NOTHING
        if words not in self._polarities:
            stretch = self.folded.text[self.starts[first] : self.ends[last - 1]]
            self._polarities[words] = polarity_of(self.words[first:last], stretch, self.language)
        return self._polarities[words]


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """An English word without its commonest endings; other words lose little by it."""
    if not word.isascii() or len(word) <= _SHORTEST_STEM:
        return word
    word = _BRITISH.sub(lambda match: _AMERICAN[match.group()], word)
    for ending, put in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)] + put
            break
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM + 1 else word


_AMERICAN = {"isation": "ization", "ise": "ize", "ising": "izing", "yse": "yze", "our": "or", "tre": "ter"}
_BRITISH = re.compile(r"(?<=\w{3})(?:isation|ise(?=[ds]?$)|ising(?=$)|yse(?=[ds]?$)|our|tre(?=s?$))")
_ENDINGS = (
    *(("ations", "at"), ("ation", "at"), ("sses", "ss"), ("ies", "y"), ("ied", "y"), ("ingly", ""), ("edly", "")),
    *(("ings", ""), ("ing", ""), ("ers", "er"), ("ed", ""), ("ly", "")),
    *(("us", "us"), ("ss", "ss"), ("is", "is"), ("es", "e"), ("s", "")),
)


@lru_cache(maxsize=512)
def prepare(text: str, language: Language, languages: Languages) -> Prepared:
    """`text` ready for comparison; the last few hundred are kept, since one passage meets many claims."""
    masked = _NO_WORDS.sub(lambda match: " " * len(match.group()), mask_markup(text))
    folded = fold(masked)
    values = find_values(folded.text, language, languages)
    words: list[tuple[str, int, int]] = []
    stems: list[str] = []
    position = 0
    for value in (*values, None):
        stretch = _words(folded.text, position, value.start if value else len(folded.text))
        words += stretch
        stems += [stem(word) for word, _, _ in stretch]
        if value:
            words.append((folded.text[value.start : value.end], value.start, value.end))
            stems.append(f"{VALUE}{value.readings[0]}")
            position = value.end
    said, starts, ends = zip(*words, strict=True) if words else ((), (), ())
    return Prepared(text, masked, folded, tuple(stems), said, starts, ends, values, language)


def _words(text: str, start: int, end: int) -> list[tuple[str, int, int]]:
    """The words of a stretch with their spans; of scripts that do not space words, every pair of characters."""
    token = _ASCII_TOKEN if text.isascii() else _TOKEN
    words = [(match.group(), match.start(), match.end()) for match in token.finditer(text, start, end)]
    if token is _ASCII_TOKEN or not _UNSPACED.search(text, start, end):
        return words
    return [part for word in words for part in _spaced(*word)]


def _spaced(word: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    if not _UNSPACED.match(word):
        yield word, start, end
        return
    for place in range(max(len(word) - 1, 1)):
        yield word[place : place + 2], start + place, min(start + place + 2, end)


def _sentences(masked: str, positions: list[int], language: Language) -> tuple[tuple[int, ...], frozenset[int]]:
    """The first word of each sentence, and those words before which a statement ends for certain.

    A paragraph, a list item, a row and a heading end what stands before them; a wrapped line ends nothing. What
    follows a short line with a capital, and every sixtieth word, begins a sentence too, but perhaps inside a statement.
    After "However," and the like a statement begins, but no sentence.
    """
    certain = {0, *(start for start, _ in sentence_spans(masked, language.code))}
    certain.update(match.end() for match in _NEXT_SENTENCE.finditer(masked))
    likely: set[int] = set()
    for block in split_blocks(masked):
        certain |= {block.start, block.end}
        likely.update(block.breaks)
        if block.kind == "code":
            likely.update(match.start() for match in _LINE_END.finditer(masked, block.start, block.end))
    opened = {match.end() for bound in certain if (match := language.openers.match(masked, bound))}
    stops = frozenset(bisect_left(positions, bound) for bound in certain)
    firsts = sorted(stops.union(bisect_left(positions, bound) for bound in likely))
    edges = dict.fromkeys((*firsts, len(positions)))
    sentences = (place for first, last in pairwise(edges) for place in range(first, last, _LONGEST_SENTENCE))
    return tuple(sentences), stops.union((bisect_left(positions, bound) for bound in opened), (len(positions),))
