"""Where the words of a claim stand together in a passage, in the claim's order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ragvet.judging.local._prepared import Prepared

_STARTS = 40
_WORDS_BEFORE, _WORDS_AFTER = 6, 4
_OPENS, _CLOSES, _COMMA = re.compile(r"[(（\[]"), re.compile(r"[)）\]]"), re.compile(r"[,，、،]")


@dataclass(frozen=True, slots=True)
class Alignment:
    """The tightest stretch of a passage that holds the needles of a claim in the claim's order.

    `places` says where each needle stands; the stretch runs from the first to the last of them.
    """

    places: tuple[int, ...]

    @property
    def length(self) -> int:
        """Words from the first needle to the last."""
        return self.places[-1] - self.places[0] + 1


def align(stems: Sequence[str], passage: Prepared) -> Alignment | None:
    """The tightest place in the passage that holds all of `stems` in this order, or None."""
    postings = [passage.postings.get(one, ()) for one in stems]
    if not postings or not all(postings):
        return None
    best: Alignment | None = None
    for start in postings[0][:_STARTS]:
        places = _forward(start, postings)
        if places is None:
            break
        found = Alignment(_backward(places[-1], postings))
        if best is None or found.length < best.length:
            best = found
    return best


def _forward(start: int, postings: Sequence[Sequence[int]]) -> list[int] | None:
    places = [start]
    for known in postings[1:]:
        nearest = bisect_left(known, places[-1] + 1)
        if nearest == len(known):
            return None
        places.append(known[nearest])
    return places


def _backward(end: int, postings: Sequence[Sequence[int]]) -> tuple[int, ...]:
    places = [end]
    for known in reversed(postings[:-1]):
        places.append(known[bisect_left(known, places[-1]) - 1])
    return tuple(reversed(places))


def leaves_out(alignment: Alignment, passage: Prepared) -> bool:
    """Whether the passage may say something else, by the content words it has between those of the claim.

    "The auditor accused the chairman who resigned" does not say that the auditor resigned, nor "formerly a member" that
    she is one. Only what stands in brackets or between two commas may be left out, unless it limits what is said
    ("The pool (for members) is open").
    """
    for before, after in pairwise(alignment.places):
        between = range(before + 1, after)
        content = [place for place in between if passage.language.is_content(passage.words[place])]
        if content and not _inserted(before, content, after, passage):
            return True
    return False


def _inserted(before: int, content: Sequence[int], after: int, passage: Prepared) -> bool:
    """Whether the content words between two words stand in one pair of brackets or commas, and limit nothing."""
    if not passage.language.limiters.isdisjoint(passage.words[before + 1 : content[0]]):
        return False
    text = passage.folded.text
    opening = text[passage.ends[before] : passage.starts[content[0]]]
    closing = text[passage.ends[content[-1]] : passage.starts[after]]
    inside = text[passage.starts[content[0]] : passage.ends[content[-1]]]
    pairs = (_OPENS, _CLOSES), (_COMMA, _COMMA)
    return any(first.search(opening) and last.search(closing) and not last.search(inside) for first, last in pairs)


def sentences(alignment: Alignment, passage: Prepared) -> tuple[int, int]:
    """The words of the sentences an alignment stands in."""
    first, last = alignment.places[0], alignment.places[-1]
    return passage.edges[passage.sentence_of(first)], passage.edges[passage.sentence_of(last) + 1]


def around(alignment: Alignment, passage: Prepared) -> tuple[int, int]:
    """The words around an alignment that may still qualify it: a few more to each side, inside its sentences."""
    start, end = sentences(alignment, passage)
    first, last = alignment.places[0], alignment.places[-1]
    return max(start, first - _WORDS_BEFORE), min(end, last + 1 + _WORDS_AFTER)
