from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from ragvet.judging._languages import Language, Languages
from ragvet.judging.local._polarity import negations, quantifiers
from ragvet.judging.local._prepared import PREFIX, VALUE, Prepared, prepare
from ragvet.judging.local._value import Value, ValueIndex
from ragvet.text import fold_text

FEATURES = (
    *("recall_1", "recall_2", "recall_3", "recall_all", "soft_recall_3", "soft_recall_all"),
    *("lcs_1", "lcs_3", "pairs_all", "precision_1"),
    *("words_missing_3", "words_missing_all", "share_missing_3", "share_missing_all"),
    *("names_missing_3", "names_missing_all", "values_missing_3", "values_missing_all", "has_values"),
    *("negation_differs", "quantifier_added", "quantifier_dropped", "first_person", "second_person"),
    *("length", "evidence_length"),
)
"""What the model sees of a claim and a passage. `_3` is the best window of three sentences, `_all` the passage."""

_FUNCTION_WEIGHT = 0.15
_BEGINS_ANEW = re.compile(r"[:!?]|\w{4}\.")
_HEADING = re.compile(r"\W*\*\*[^*\n]{1,80}(?::\*\*|\*\*\s*:)")
FIRST_PERSON = frozenset({"i", "my", "me", "we", "our"})
_SECOND_PERSON = frozenset({"you", "your"})


@dataclass(frozen=True, slots=True)
class Comparison:
    """One claim held against one passage.

    Attributes:
        features: one number per name of `FEATURES`.
        values_missing: values of the claim that the best three sentences do not show.
    """

    features: npt.NDArray[np.float64]
    values_missing: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim ready for comparison: its distinct words with weights, and which are content words and names.

    `content`, `weights` and `names` are arrays over `distinct`; `named` holds the names themselves; `answer` is the
    yes or no, folded, that was set aside in front of it, or blank.
    """

    prepared: Prepared
    distinct: tuple[str, ...]
    content: npt.NDArray[np.bool_]
    weights: npt.NDArray[np.float64]
    names: npt.NDArray[np.bool_]
    named: frozenset[str]
    answer: str

    def is_anchor(self, place: int) -> bool:
        """Whether the word at `place` is a value or a name."""
        one = self.prepared.stems[place]
        return one.startswith(VALUE) or one in self.named


def claim_text(text: str, language: Language, languages: Languages) -> ClaimText:
    """The claim without what only opens it ("Yes,", "However,"): longer words weigh more, function words little."""
    opening = language.openers.match(text)
    prepared = prepare(text[opening.end() :] if opening else text, language, languages)
    first: dict[str, int] = {}
    for place, one in enumerate(prepared.stems):
        first.setdefault(one, place)
    words = [prepared.words[place] for place in first.values()]
    is_value = np.array([one.startswith(VALUE) for one in first], dtype=bool)
    content = np.array([language.is_content(word) for word in words], dtype=bool) & ~is_value
    lengths = np.array([min(len(word), 10) for word in words], dtype=float)
    weights = np.where(is_value, 1.0, np.where(content, 0.5 + 0.1 * lengths, _FUNCTION_WEIGHT))
    names = np.array([_is_capitalised(prepared, place) for place in first.values()], dtype=bool) & content
    named = frozenset(one for one, is_name in zip(first, names, strict=True) if is_name)
    return ClaimText(prepared, tuple(first), content, weights, names, named, yes_or_no(text, 0, language))


def yes_or_no(text: str, start: int, language: Language) -> str:
    """The yes or no, folded, with which the sentence that starts there opens, or blank."""
    opening = language.openers.match(text, start)
    said = language.yes_or_no.search(opening.group()) if opening else None
    return fold_text(said[1]) if said else ""


def _is_capitalised(prepared: Prepared, place: int) -> bool:
    """Whether a word begins with a capital, and not because a sentence, a bold heading or what follows begins so."""
    position = prepared.folded.origin[prepared.starts[place]]
    heading = _HEADING.match(prepared.text)
    if place == 0 or not prepared.text[position].isupper() or (heading and position < heading.end()):
        return False
    return not _BEGINS_ANEW.search(prepared.folded.text, prepared.starts[place - 1], prepared.starts[place])


def compare(claim: ClaimText, passage: Prepared) -> Comparison:
    """The features of a claim against a passage; time grows with the claim and the places its words stand in."""
    count = max(len(passage.sentences), 1)
    present = np.zeros((count + 2, len(claim.distinct)), dtype=bool)
    for column, one in enumerate(claim.distinct):
        for place in passage.postings.get(one, ()):
            present[passage.sentence_of(place), column] = True
    pairs = present[:-1] | present[1:]
    views = present[:count], pairs[:count], pairs[:-1] | present[2:]
    total = claim.weights.sum() or 1.0
    recalls = [view @ claim.weights / total for view in views]
    closest = _last_best(recalls[0])
    widest = _last_best(recalls[2])
    shown, anywhere = views[2][widest], present.any(axis=0)
    missing = claim.content & ~shown
    missing_all = claim.content & ~anywhere
    window = _words_of(passage, widest, widest + 3)
    sentence = _words_of(passage, closest, closest + 1)
    soft = np.fromiter((s[:PREFIX] in passage.prefixes for s in claim.distinct), dtype=bool, count=len(claim.distinct))
    values = claim.prepared.values
    nearby = ValueIndex(_values_in(passage, window))
    values_missing = tuple(value for value in values if not nearby.shows(value))
    values_missing_all = sum(not passage.value_index.shows(value) for value in values_missing)
    negated = bool(negations(claim.prepared, claim.prepared.whole)) != bool(negations(passage, sentence))
    claimed = quantifiers(claim.prepared, claim.prepared.whole)
    stated = quantifiers(passage, sentence)
    words = max(len(claim.prepared.stems), 1)
    in_order = LCSseq.similarity(claim.prepared.stems, passage.stems[slice(*window)]) / words
    content = max(int(claim.content.sum()), 1)
    features = (
        recalls[0][closest],
        recalls[1].max(),
        recalls[2][widest],
        (anywhere @ claim.weights) / total,
        ((shown | soft) @ claim.weights) / total,
        ((anywhere | soft) @ claim.weights) / total,
        LCSseq.similarity(claim.prepared.stems, passage.stems[slice(*sentence)]) / words,
        in_order,
        _shared_pairs(claim.prepared, passage.pairs),
        int(present[closest].sum()) / max(sentence[1] - sentence[0], 1),
        min(int(missing.sum()), 8),
        min(int(missing_all.sum()), 8),
        int(missing.sum()) / content,
        int(missing_all.sum()) / content,
        min(int((claim.names & ~shown).sum()), 4),
        min(int((claim.names & ~anywhere).sum()), 4),
        min(len(values_missing), 4),
        min(values_missing_all, 4),
        bool(values),
        negated,
        min(len(claimed.keys() - stated.keys()), 3),
        min(len(stated.keys() - claimed.keys()), 3),
        _only_in_claim(claim, passage, FIRST_PERSON),
        _only_in_claim(claim, passage, _SECOND_PERSON),
        np.log(words),
        np.log1p(len(passage.stems)),
    )
    return Comparison(
        features=np.array(features, dtype=np.float64),
        values_missing=values_missing,
    )


def _last_best(scores: npt.NDArray[np.float64]) -> int:
    """The last of the best places: a window that starts with the sentence found, not two before it."""
    return len(scores) - 1 - int(scores[::-1].argmax())


def _words_of(passage: Prepared, first: int, last: int) -> tuple[int, int]:
    edges = (*passage.sentences, len(passage.stems))
    return (edges[first], edges[min(last, len(edges) - 1)]) if passage.sentences else (0, 0)


def _values_in(passage: Prepared, window: tuple[int, int]) -> Sequence[Value]:
    if window[0] == window[1]:
        return ()
    start, end = passage.starts[window[0]], passage.ends[window[1] - 1]
    first = bisect_right(passage.values, start, key=lambda value: value.end)
    last = bisect_left(passage.values, end, key=lambda value: value.start)
    return passage.values[first:last]


def _shared_pairs(claim: Prepared, pairs: frozenset[tuple[str, str]]) -> float:
    return len(claim.pairs & pairs) / len(claim.pairs) if claim.pairs else float(claim.stems[:1] != ())


def _only_in_claim(claim: ClaimText, passage: Prepared, words: frozenset[str]) -> bool:
    return any(word in words for word in claim.prepared.words) and not any(word in passage.postings for word in words)
