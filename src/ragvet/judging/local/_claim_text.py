"""A claim ready for comparison: all that is worked out once for it, whatever it is held against."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ragvet.judging._languages import Language, Languages
from ragvet.judging.local._prepared import PREFIX, VALUE, Prepared, prepare
from ragvet.judging.local._value import Value
from ragvet.text import fold_text

FIRST_PERSON = frozenset({"i", "my", "me", "we", "our"})
SECOND_PERSON = frozenset({"you", "your"})
_FUNCTION_WEIGHT = 0.15
_BEGINS_ANEW = re.compile(r"[:!?]|\w{4}\.")
_HEADING = re.compile(r"\W*\*\*[^*\n]{1,80}(?::\*\*|\*\*\s*:)")


@dataclass(frozen=True, eq=False)
class ClaimText:
    """A claim ready for comparison: its distinct words with weights, and which are content words and names.

    A set of its words is an integer: bit n stands for the n-th distinct word. What is asked of every passage is then
    one operation on two integers.

    Attributes:
        prepared: its text cut into words.
        bits: each distinct stem with its bit, in the order of the claim.
        weights: one for each of them.
        content: those that are content words and no values.
        names: those among `content` that are written with a capital.
        answer: the yes or no, folded, that was set aside in front of it, or blank.
    """

    prepared: Prepared
    bits: dict[str, int]
    weights: npt.NDArray[np.float64]
    content: int
    names: int
    answer: str

    @cached_property
    def needles(self) -> tuple[int, ...]:
        """Places of the words that a passage must hold for the claim to stand there: content words, values."""
        prepared = self.prepared
        return tuple(
            place
            for place, (one, word) in enumerate(zip(prepared.stems, prepared.words, strict=True))
            if one.startswith(VALUE) or prepared.language.is_content(word)
        )

    @cached_property
    def needle_stems(self) -> tuple[str, ...]:
        """The stems of `needles`, in order."""
        return tuple(self.prepared.stems[place] for place in self.needles)

    @cached_property
    def needle_bits(self) -> int:
        """The distinct words among the needles."""
        return self.set_of(self.needle_stems)

    @cached_property
    def needle_values(self) -> tuple[tuple[int, Value], ...]:
        """The needles that are values, each with the value."""
        values = {value.start: value for value in self.prepared.values}
        starts = self.prepared.starts
        return tuple((place, values[starts[place]]) for place in self.needles if starts[place] in values)

    @cached_property
    def anchors(self) -> frozenset[str]:
        """The values and names among the needles, as written."""
        return frozenset(
            self.prepared.words[place]
            for place, one in zip(self.needles, self.needle_stems, strict=True)
            if one.startswith(VALUE) or self.names & self.bits[one]
        )

    @cached_property
    def prefixes(self) -> dict[str, int]:
        """How its longer words begin, and which words begin so."""
        found: dict[str, int] = {}
        for one, bit in self.bits.items():
            if len(one) >= PREFIX:
                found[one[:PREFIX]] = found.get(one[:PREFIX], 0) | bit
        return found

    @cached_property
    def first_person(self) -> bool:
        """Whether it speaks of an I or a we."""
        return not FIRST_PERSON.isdisjoint(self.prepared.words)

    @cached_property
    def second_person(self) -> bool:
        """Whether it speaks to somebody."""
        return not SECOND_PERSON.isdisjoint(self.prepared.words)

    @cached_property
    def announces(self) -> bool:
        """Whether it only announces something: "You can report it to the following authorities:"."""
        return self.prepared.text.rstrip().endswith((":", "："))

    @cached_property
    def total(self) -> float:
        """The weight of all its words."""
        return float(self.weights.sum()) or 1.0

    @cached_property
    def _shares(self) -> dict[int, float]:
        return {}

    def share(self, words: int) -> float:
        """The weight of a set of its words, as a share of all."""
        if words not in self._shares:
            self._shares[words] = float(self._flags([words])[0] @ self.weights) / self.total
        return self._shares[words]

    def shares(self, sets: list[int]) -> npt.NDArray[np.float64]:
        """The share of each of several sets of its words."""
        return self._flags(sets) @ self.weights / self.total

    def _flags(self, sets: list[int]) -> npt.NDArray[np.uint8]:
        """A row for each set, a column for each distinct word."""
        size = (len(self.bits) + 7) // 8
        packed = np.frombuffer(b"".join([words.to_bytes(size, "little") for words in sets]), dtype=np.uint8)
        return np.unpackbits(packed.reshape(len(sets), size), axis=1, count=len(self.bits), bitorder="little")

    def set_of(self, stems: tuple[str, ...]) -> int:
        """The set of these of its words."""
        words = 0
        for one in stems:
            words |= self.bits[one]
        return words

    def found_in(self, passage: Prepared) -> int:
        """The words of the claim that stand anywhere in a passage."""
        words = 0
        for one in self.bits.keys() & passage.postings.keys():
            words |= self.bits[one]
        return words

    def alike_in(self, passage: Prepared) -> int:
        """The longer words of the claim that begin as some word of a passage."""
        words = 0
        for one in self.prefixes.keys() & passage.prefixes:
            words |= self.prefixes[one]
        return words

    def by_sentence(self, passage: Prepared) -> list[int]:
        """The words of the claim that each sentence of a passage holds; time grows with the places they stand in."""
        if len(passage.sentences) <= 1:
            return [self.found_in(passage)]
        found = [0] * len(passage.sentences)
        number = passage.sentence_of
        for one in self.bits.keys() & passage.postings.keys():
            bit = self.bits[one]
            for place in passage.postings[one]:
                found[number(place)] |= bit
        return found


def claim_text(text: str, language: Language, languages: Languages) -> ClaimText:
    """The claim without what only opens it ("Yes,", "However,"): longer words weigh more, function words little."""
    opening = language.openers.match(text)
    prepared = prepare(text[opening.end() :] if opening else text, language, languages)
    first: dict[str, int] = {}
    for place, one in enumerate(prepared.stems):
        first.setdefault(one, place)
    weights: list[float] = []
    content = names = 0
    heading = _HEADING.match(prepared.text)
    stated = heading.end() if heading else 0
    for number, (one, place) in enumerate(first.items()):
        word = prepared.words[place]
        if one.startswith(VALUE):
            weights.append(1.0)
        elif language.is_content(word):
            weights.append(0.5 + 0.1 * min(len(word), 10))
            content |= 1 << number
            names |= _is_capitalised(prepared, place, stated) << number
        else:
            weights.append(_FUNCTION_WEIGHT)
    bits = {one: 1 << number for number, one in enumerate(first)}
    return ClaimText(prepared, bits, np.array(weights), content, names, yes_or_no(text, 0, language))


def yes_or_no(text: str, start: int, language: Language) -> str:
    """The yes or no, folded, with which the sentence that starts there opens, or blank."""
    opening = language.openers.match(text, start)
    said = language.yes_or_no.search(opening.group()) if opening else None
    return fold_text(said[1]) if said else ""


def _is_capitalised(prepared: Prepared, place: int, stated: int) -> bool:
    """Whether a word begins with a capital, and not because a sentence, a bold heading or what follows begins so.

    `stated` is where the bold heading ends.
    """
    position = prepared.folded.origin[prepared.starts[place]]
    if place == 0 or position < stated or not prepared.text[position].isupper():
        return False
    return not _BEGINS_ANEW.search(prepared.folded.text, prepared.starts[place - 1], prepared.starts[place])
