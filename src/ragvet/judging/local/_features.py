"""What the model sees of a claim and a passage."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from ragvet.judging.local._claim_text import FIRST_PERSON, SECOND_PERSON, ClaimText
from ragvet.judging.local._prepared import Prepared
from ragvet.judging.local._value import Value, ValueIndex

FEATURES = (
    *("recall_1", "recall_2", "recall_3", "recall_all", "soft_recall_3", "soft_recall_all"),
    *("lcs_1", "lcs_3", "pairs_all", "precision_1"),
    *("words_missing_3", "words_missing_all", "share_missing_3", "share_missing_all"),
    *("names_missing_3", "names_missing_all", "values_missing_3", "values_missing_all", "has_values"),
    *("negation_differs", "quantifier_added", "quantifier_dropped", "first_person", "second_person"),
    *("length", "evidence_length"),
)
"""What the model sees of a claim and a passage. `_3` is the best window of three sentences, `_all` the passage."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One claim held against one passage.

    Attributes:
        features: one number per name of `FEATURES`.
        values_missing: values of the claim that the best three sentences do not show.
        absent: content words and values of the claim whose stems stand nowhere in the passage.
    """

    features: tuple[float, ...]
    values_missing: tuple[Value, ...]
    absent: int


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a passage comes closest to a claim: the best sentence and the best three, and what they hold of it.

    `shares` are the shares of the claim in the best sentence, the best two and the best three.
    """

    shares: tuple[float, float, float]
    sentence: tuple[int, int]
    window: tuple[int, int]
    in_sentence: int
    in_window: int
    anywhere: int


def compare(claim: ClaimText, passage: Prepared) -> Comparison:
    """The features of a claim against a passage; time grows with the claim and the places its words stand in."""
    best = _closest(claim, passage)
    text, size = claim.prepared, len(claim.prepared.stems) or 1
    content = claim.content.bit_count() or 1
    alike = claim.alike_in(passage)
    missing = (claim.content & ~best.in_window).bit_count()
    missing_all = (claim.content & ~best.anywhere).bit_count()
    values_missing = _values_missing(text.values, passage, best.window)
    values_missing_all = sum(not passage.value_index.shows(value) for value in values_missing)
    claimed, stated = text.polarity(text.whole), passage.polarity(best.sentence)
    in_order = LCSseq.similarity(text.stems, passage.stems[slice(*best.window)]) / size
    features = (
        *best.shares,
        claim.share(best.anywhere),
        claim.share(best.in_window | alike),
        claim.share(best.anywhere | alike),
        in_order
        if best.sentence == best.window
        else LCSseq.similarity(text.stems, passage.stems[slice(*best.sentence)]) / size,
        in_order,
        _shared_pairs(text, passage.pairs),
        best.in_sentence.bit_count() / max(best.sentence[1] - best.sentence[0], 1),
        min(missing, 8),
        min(missing_all, 8),
        missing / content,
        missing_all / content,
        min((claim.names & ~best.in_window).bit_count(), 4),
        min((claim.names & ~best.anywhere).bit_count(), 4),
        min(len(values_missing), 4),
        min(values_missing_all, 4),
        bool(text.values),
        bool(claimed.negations) != bool(stated.negations),
        min(len(claimed.quantifiers.keys() - stated.quantifiers.keys()), 3),
        min(len(stated.quantifiers.keys() - claimed.quantifiers.keys()), 3),
        claim.first_person and not passage.holds_any(FIRST_PERSON),
        claim.second_person and not passage.holds_any(SECOND_PERSON),
        _log(size),
        _log1p(len(passage.stems)),
    )
    return Comparison(features, values_missing, claim.needle_bits & ~best.anywhere)


def _closest(claim: ClaimText, passage: Prepared) -> _Places:
    found = claim.by_sentence(passage)
    if len(found) == 1:
        share = claim.share(found[0])
        whole = passage.whole
        return _Places((share, share, share), whole, whole, found[0], found[0], found[0])
    pairs = [one | two for one, two in zip(found, [*found[1:], 0], strict=True)]
    threes = [one | two for one, two in zip(pairs, [*found[2:], 0, 0], strict=True)]
    singles, doubles, triples = (claim.shares(sets) for sets in (found, pairs, threes))
    closest, widest = _last_best(singles), _last_best(triples)
    edges = passage.edges
    return _Places(
        shares=(float(singles[closest]), float(doubles.max()), float(triples[widest])),
        sentence=(edges[closest], edges[closest + 1]),
        window=(edges[widest], edges[min(widest + 3, len(edges) - 1)]),
        in_sentence=found[closest],
        in_window=threes[widest],
        anywhere=claim.found_in(passage),
    )


@lru_cache(maxsize=1 << 12)
def _log(count: int) -> float:
    return float(np.log(count))


@lru_cache(maxsize=1 << 12)
def _log1p(count: int) -> float:
    return float(np.log1p(count))


def _last_best(scores: npt.NDArray[np.float64]) -> int:
    """The last of the best places: a window that starts with the sentence found, not two before it."""
    return len(scores) - 1 - int(scores[::-1].argmax())


def _values_missing(values: Sequence[Value], passage: Prepared, window: tuple[int, int]) -> tuple[Value, ...]:
    """Those of the values that the words of a passage do not show."""
    if not values:
        return ()
    nearby = passage.value_index if window == passage.whole else ValueIndex(_values_in(passage, window))
    return tuple(value for value in values if not nearby.shows(value))


def _values_in(passage: Prepared, window: tuple[int, int]) -> Sequence[Value]:
    if window[0] == window[1]:
        return ()
    start, end = passage.starts[window[0]], passage.ends[window[1] - 1]
    first = bisect_right(passage.values, start, key=lambda value: value.end)
    last = bisect_left(passage.values, end, key=lambda value: value.start)
    return passage.values[first:last]


def _shared_pairs(claim: Prepared, pairs: frozenset[tuple[str, str]]) -> float:
    return len(claim.pairs & pairs) / len(claim.pairs) if claim.pairs else float(claim.stems[:1] != ())
