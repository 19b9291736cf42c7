from __future__ import annotations

from dataclasses import dataclass

from ragvet.judging.local._alignment import align
from ragvet.judging.local._features import ClaimText
from ragvet.judging.local._polarity import negations, quantifiers
from ragvet.judging.local._prepared import Prepared
from ragvet.judging.local._value import Day, Value

_REACH = 3
_FEWEST_AGREEING = 3
_STRETCH, _SLACK = 1.4, 2
_ROUND_DIGITS, _ROUND_SHARE = 2, 0.05


@dataclass(frozen=True, slots=True)
class ValueConflict:
    """One number or date of the claim, and the other one that stands in its place in the passage."""

    claimed: str
    shown: str
    words: tuple[int, int]


def value_conflict(claim: ClaimText, places: tuple[int, ...], passage: Prepared) -> ValueConflict | None:
    """The one value on which a claim and a passage about the same thing differ.

    Only where everything else of the claim stands in the passage, in order and close together in one sentence, not
    denied or qualified otherwise, and exactly one value of the same kind and unit stands where the claim has its own.
    """
    prepared = claim.prepared
    by_start = {value.start: value for value in prepared.values}
    absent = [
        place
        for place in places
        if (value := by_start.get(prepared.starts[place])) and not passage.value_index.shows(value)
    ]
    if len(absent) != 1 or len(places) - 1 < _FEWEST_AGREEING:
        return None
    rest = [place for place in places if place != absent[0]]
    alignment = align([prepared.stems[place] for place in rest], passage)
    if alignment is None or alignment.length > _STRETCH * len(prepared.stems) + _SLACK:
        return None
    first, last = alignment.places[0], alignment.places[-1]
    if passage.sentence_of(first) != passage.sentence_of(last) or not _same_polarity(
        prepared, passage, first, last + 1
    ):
        return None
    claimed = by_start[prepared.starts[absent[0]]]
    before = [found for place, found in zip(rest, alignment.places, strict=True) if place < absent[0]]
    after = [found for place, found in zip(rest, alignment.places, strict=True) if place > absent[0]]
    edges = (*passage.sentences, len(passage.stems))
    sentence = passage.sentence_of(first)
    start = before[-1] + 1 if before else max(first - _REACH, edges[sentence])
    end = after[0] if after else min(last + 1 + _REACH, edges[sentence + 1])
    rivals = [value for value in _values_among(passage, (start, end)) if _rival(claimed, value)] if start < end else []
    if len(rivals) != 1:
        return None
    text = passage.folded.text
    shown = text[rivals[0].start : rivals[0].end]
    return ValueConflict(prepared.words[absent[0]], shown, (first, last + 1))


def negation_conflict(claim: ClaimText, passage: Prepared, tight: tuple[int, int], wide: tuple[int, int]) -> bool:
    """Whether an aligned claim and passage differ by one negation, however far one looks, and by no quantifier."""
    own = negations(claim.prepared, claim.prepared.whole)
    apart = {abs(own - negations(passage, words)) for words in (tight, wide)}
    one_sentence = passage.sentence_of(tight[0]) == passage.sentence_of(tight[1] - 1)
    return (
        apart == {1}
        and one_sentence
        and quantifiers(claim.prepared, claim.prepared.whole)
        in [quantifiers(passage, words) for words in (tight, wide)]
    )


def _same_polarity(claim: Prepared, passage: Prepared, first: int, last: int) -> bool:
    found = first, last
    return all(count(claim, claim.whole) == count(passage, found) for count in (negations, quantifiers))


def _values_among(passage: Prepared, words: tuple[int, int]) -> list[Value]:
    first, last = words
    start, end = passage.starts[first], passage.ends[last - 1]
    return [value for value in passage.values if start <= value.start < end]


def _rival(claimed: Value, shown: Value) -> bool:
    """Whether two values exclude each other: same kind and unit, no reading in common, not one rounded to the other."""
    if claimed.kind != shown.kind or claimed.unit != shown.unit:
        return False
    pairs = [(a, b) for a in claimed.readings for b in shown.readings]
    return not any(_compatible(a, b) for a, b in pairs)


def _compatible(claimed: float | Day | str, shown: float | Day | str) -> bool:
    if isinstance(claimed, tuple) and isinstance(shown, tuple):
        return all(a == b or 0 in (a, b) for a, b in zip(claimed, shown, strict=True))
    if isinstance(claimed, float) and isinstance(shown, float):
        return claimed == shown or _rounds_to(claimed, shown) or _rounds_to(shown, claimed)
    return claimed == shown


def _rounds_to(rounded: float, exact: float) -> bool:
    """Whether one number is the other one given in one or two digits: 3 million for 3.1 million, not 2020 for 2019."""
    digits = len(f"{abs(rounded):.10e}".split("e")[0].replace(".", "").rstrip("0"))
    return digits <= _ROUND_DIGITS and abs(rounded - exact) <= _ROUND_SHARE * abs(exact)
