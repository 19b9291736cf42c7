"""Claims that a passage contradicts: another number or date in the same place, or a negation."""

from __future__ import annotations

from dataclasses import dataclass

from ragvet.judging.local._alignment import align
from ragvet.judging.local._claim_text import ClaimText
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


def value_conflict(claim: ClaimText, passage: Prepared) -> ValueConflict | None:
    """The one value on which a claim and a passage about the same thing differ.

    Only where everything else of the claim stands in the passage, in order and close together in one sentence, not
    denied or qualified otherwise, and exactly one value of the same kind and unit stands where the claim has its own.
    """
    absent = [(place, value) for place, value in claim.needle_values if not passage.value_index.shows(value)]
    if len(absent) != 1 or len(claim.needles) - 1 < _FEWEST_AGREEING:
        return None
    prepared = claim.prepared
    own, claimed = absent[0]
    rest = [place for place in claim.needles if place != own]
    alignment = align([prepared.stems[place] for place in rest], passage)
    if alignment is None or alignment.length > _STRETCH * len(prepared.stems) + _SLACK:
        return None
    first, last = alignment.places[0], alignment.places[-1]
    sentence = passage.sentence_of(first)
    if sentence != passage.sentence_of(last):
        return None
    if prepared.polarity(prepared.whole) != passage.polarity((first, last + 1)):
        return None
    before = [found for place, found in zip(rest, alignment.places, strict=True) if place < own]
    after = [found for place, found in zip(rest, alignment.places, strict=True) if place > own]
    start = before[-1] + 1 if before else max(first - _REACH, passage.edges[sentence])
    end = after[0] if after else min(last + 1 + _REACH, passage.edges[sentence + 1])
    rivals = [value for value in _values_among(passage, (start, end)) if _rival(claimed, value)] if start < end else []
    if len(rivals) != 1:
        return None
    text = passage.folded.text
    shown = text[rivals[0].start : rivals[0].end]
    return ValueConflict(prepared.words[own], shown, (first, last + 1))


def negation_conflict(claim: ClaimText, passage: Prepared, tight: tuple[int, int], wide: tuple[int, int]) -> bool:
    """Whether an aligned claim and passage differ by one negation, however far one looks, and by no quantifier."""
    own = claim.prepared.polarity(claim.prepared.whole)
    found = [passage.polarity(words) for words in (tight, wide)]
    one_sentence = passage.sentence_of(tight[0]) == passage.sentence_of(tight[1] - 1)
    return (
        all(abs(own.negations - one.negations) == 1 for one in found)
        and one_sentence
        and own.quantifiers in [one.quantifiers for one in found]
    )


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
