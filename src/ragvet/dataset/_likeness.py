"""Which questions ask the same thing in almost the same words."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragvet.records import Case
from ragvet.text import fold_text

_UNSPACED = r"\u3040-\u3098\u309b-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}][\u3099\u309a]?|[^\W{_UNSPACED}]+")
"""A word, or one sign of a script written without spaces, with its voicing mark."""

_ALIKE = 0.8
"""Least share of the words of both questions that they have in common (Jaccard)."""

_SLACK = 1e-9
"""Keeps the rounding of 0.8 times a size from cutting one word too many."""

_Home = tuple[str | None, str]


def words_of(text: str) -> list[str]:
    """The words of a text in one case and unicode form, without punctuation."""
    return _WORD.findall(fold_text(text))


@dataclass(frozen=True, slots=True)
class _Question:
    case: Case
    words: frozenset[str]
    prefix: tuple[str, ...]
    """The rarest words, of which two alike questions must share one."""

    @property
    def home(self) -> _Home:
        """Split and group; questions at home together are known to belong together."""
        return self.case.split, self.case.group or f"\0{self.case.id}"


class _Earlier:
    """Questions already seen, found again by the words of their prefixes."""

    def __init__(self) -> None:
        self._index: dict[str, dict[tuple[int, int], dict[_Home, list[_Question]]]] = {}

    def add(self, question: _Question) -> None:
        for place, word in enumerate(question.prefix):
            shapes = self._index.setdefault(word, {})
            homes = shapes.setdefault((place, len(question.words)), {})
            homes.setdefault(question.home, []).append(question)

    def near(self, question: _Question) -> Iterator[tuple[_Home, list[_Question]]]:
        """Questions that may be alike, by home; a word late in two prefixes leaves too few words to have in common."""
        size = len(question.words)
        for place, word in enumerate(question.prefix):
            for (other_place, other_size), homes in self._index.get(word, {}).items():
                common = min(size - place, other_size - other_place)
                if common / (size + other_size - common) >= _ALIKE:
                    yield from homes.items()


def near_duplicates(cases: Sequence[Case]) -> list[tuple[Case, Case]]:
    """Each case with an earlier one that asks almost the same although it has another group or another split.

    At most two partners are named for a case: one of another split, and one of its split but another group. Questions
    that name different numbers are different questions. Only questions sharing one of their rarest words are compared
    (prefix filtering: Bayardo, Ma, Srikant, Scaling up all pairs similarity search, 2007).
    """
    blocks: dict[tuple[str, ...], list[tuple[Case, set[str]]]] = defaultdict(list)
    for case in cases:
        words = set(words_of(case.question))
        numbers = tuple(sorted(word for word in words if any(sign.isdigit() for sign in word)))
        blocks[numbers].append((case, words))
    counts = Counter(word for block in blocks.values() for _, words in block for word in words)
    pairs = [
        pair
        for block in blocks.values()
        if len(block) > 1
        for pair in _alike_in([_question(case, words, counts) for case, words in block])
    ]
    order = {case.id: place for place, case in enumerate(cases)}
    return sorted(pairs, key=lambda pair: order[pair[0].id])


def _question(case: Case, words: set[str], counts: Counter[str]) -> _Question:
    rarest_first = sorted(words, key=lambda word: (counts[word], word))
    least_common = math.ceil(len(words) * _ALIKE - _SLACK)
    return _Question(case, frozenset(words), tuple(rarest_first[: len(words) - least_common + 1]))


def _alike_in(questions: Sequence[_Question]) -> Iterator[tuple[Case, Case]]:
    earlier = _Earlier()
    several_splits = len({question.case.split for question in questions}) > 1
    for question in questions:
        crossing_wanted = {True, False} if several_splits else {False}
        for home, others in earlier.near(question):
            crossing = home[0] != question.case.split
            if home == question.home or crossing not in crossing_wanted:
                continue
            partner = next((other for other in others if _alike(question.words, other.words)), None)
            if partner is not None:
                yield question.case, partner.case
                crossing_wanted.discard(crossing)
                if not crossing_wanted:
                    break
        earlier.add(question)


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    common = len(words & others)
    return common / (len(words) + len(others) - common) >= _ALIKE
