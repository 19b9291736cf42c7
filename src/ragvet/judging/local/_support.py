"""Whether a passage supports a claim, contradicts it or does neither, by rules."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from ragvet.judging.local._alignment import Alignment, align, around, leaves_out, sentences
from ragvet.judging.local._claim_text import FIRST_PERSON, ClaimText, yes_or_no
from ragvet.judging.local._conflict import negation_conflict, value_conflict
from ragvet.judging.local._features import Comparison, compare
from ragvet.judging.local._model import Absence, Model
from ragvet.judging.local._prepared import Prepared
from ragvet.judging.local._verbatim import stands_verbatim

_FEWEST_WORDS, _FEWEST_NEEDLES = 4, 3
_FEWEST_NEEDLES_TURNED, _MOST_NEEDLES_TURNED = 3, 40
_FEWEST_NEEDLES_ACROSS = 8
_LONGEST_LEAD = 6
_LONGEST_QUOTE = 300
_CALIBRATED = "en"
_WORDS_NAMED = 4
_FEWEST_MISSING, _MANY_MISSING = 2, 5
_QUESTION_MARKS = "?؟"
_COMPARES = re.compile(r"[<>=!≠≤≥]*[<>=≠≤≥][<>=]*")
_CONDITIONS = frozenset({"only", "hedge"})
_EXCEPTIONS = frozenset({"condition"})
_WEAKENS = frozenset({"some"})


@dataclass(frozen=True, slots=True)
class Finding:
    """What one passage says about one claim.

    `span` is where the quote stands in the passage, `missing` the content words and values of the claim that the
    passage does not hold anywhere, `logit` the model's view.
    """

    verdict: Literal["supported", "contradicted", "unsupported", "undecided"]
    reason: str
    logit: float
    span: tuple[int, int] | None = None
    missing: frozenset[str] = frozenset()
    missing_qualification: bool = False


def find_support(claim: ClaimText, passage: Prepared, model: Model) -> Finding:
    """The verdict of the rules on a claim and a passage, in this order: supported, contradicted, unsupported.

    - supported: the claim is a whole sentence of the passage, word for word, whatever stands next to it. Or every
      content word, number and name of it stands in the passage, in the claim's order or with one clause moved, with
      nothing but insertions left out between them, and with the same negations and the same quantifiers.
      A yes or no in front of it ("Yes, it is free") answers a question: the passage must have it in the same place.
    - contradicted: all of that but one number or date, where the passage has another one, or but a negation.
    - unsupported: the model finds next to nothing of the claim, and words of it stand nowhere in the passage.
    """
    found = _found(claim, passage, model)
    if found.verdict == "supported" and claim.answer and not _answered(claim, passage, found.span):
        return replace(found, verdict="undecided", reason=f"{found.reason}, but not the {claim.answer!r} before it")
    return found


def _answered(claim: ClaimText, passage: Prepared, span: tuple[int, int] | None) -> bool:
    """Whether the sentence in which the quote starts opens with the yes or no of the claim."""
    if span is None:
        return False
    place = bisect_right(passage.starts, span[0], key=passage.folded.origin.__getitem__) - 1
    first = passage.sentences[passage.sentence_of(place)]
    return yes_or_no(passage.text, passage.quote_span(first, first + 1)[0], passage.language) == claim.answer


def _found(claim: ClaimText, passage: Prepared, model: Model) -> Finding:
    """What the passage says to the claim without the yes or no in front of it."""
    comparison = compare(claim, passage)
    logit = model.logit(comparison.features)
    if not claim.needles:
        return Finding("undecided", "no content word to look for", logit)
    whole = stands_verbatim(claim.prepared, passage)
    if whole:
        return Finding("supported", "it stands there word for word", logit, _quote(passage, whole))
    if not claim.prepared.language.tells_polarity:
        return Finding("undecided", "no word list for the language of the claim", logit)
    if len(claim.prepared.stems) < _FEWEST_WORDS or len(claim.needles) < _FEWEST_NEEDLES:
        return _silence(claim, passage, logit, model)
    return _put_together(claim, passage, comparison, logit) or _silence(claim, passage, logit, model)


def _put_together(claim: ClaimText, passage: Prepared, comparison: Comparison, logit: float) -> Finding | None:
    """What follows from words of the claim that stand together in the passage; None where they do not."""
    if not comparison.absent:
        alignment = align(claim.needle_stems, passage)
        if alignment and _tight(alignment, passage):
            return _aligned(claim, passage, alignment, comparison, logit)
        turned = _turned(claim, passage)
        if turned:
            found = _aligned(claim, passage, turned, comparison, logit)
            if found.verdict == "supported":
                return replace(found, reason="its words stand there in the same order but for a clause that moved")
    if comparison.absent.bit_count() > 1:  # of one number alone may a claim and a passage differ
        return None
    conflict = value_conflict(claim, passage)
    if conflict and _same_language(claim, passage):
        reason = f"the passage has {conflict.shown!r} where the claim has {conflict.claimed!r}"
        return Finding("contradicted", reason, logit, _quote(passage, conflict.words))
    return None


def _tight(alignment: Alignment, passage: Prepared) -> bool:
    """Whether the words stand close together: in one sentence, or for long claims in two that follow each other."""
    first, last = alignment.places[0], alignment.places[-1]
    crossed = passage.sentence_of(last) - passage.sentence_of(first)
    if crossed > (len(alignment.places) >= _FEWEST_NEEDLES_ACROSS):
        return False
    return not (crossed and _opens_anew(alignment, passage)) and not leaves_out(alignment, passage)


def _opens_anew(alignment: Alignment, passage: Prepared) -> bool:
    """Whether the last sentence of an alignment has content words before those of the claim: a subject of its own?"""
    start = passage.sentences[passage.sentence_of(alignment.places[-1])]
    met = next(place for place in alignment.places if place >= start)
    return any(passage.language.is_content(passage.words[place]) for place in range(start, met))


def _turned(claim: ClaimText, passage: Prepared) -> Alignment | None:
    """One sentence that ends with what the claim begins with, or the other way round: "In June, X" and "X in June".

    A function word must lead in the clause that moved: "Increased demand lowered prices" does not say that lowered
    prices increased demand.
    """
    prepared = claim.prepared
    places, stems = claim.needles, claim.needle_stems
    if not _FEWEST_NEEDLES_TURNED <= len(stems) <= _MOST_NEEDLES_TURNED:
        return None
    lead = _lead(prepared, places[0])
    for turn in range(1, len(stems)):
        turned_lead = _lead(prepared, places[turn])
        if not (lead or turned_lead):
            continue
        found = align([*stems[turn:], *stems[:turn]], passage)
        if found and _one_sentence(found, passage) and _tight(found, passage):
            before, inside = (_lead(passage, found.places[at]) for at in (0, len(stems) - turn))
            if _end_alike(turned_lead, before) or _end_alike(lead, inside):
                return found
    return None


def _end_alike(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether the shorter row of words, if it has any, is the end of the longer one."""
    common = min(len(one), len(two))
    return common > 0 and one[-common:] == two[-common:]


def _lead(text: Prepared, place: int) -> tuple[str, ...]:
    """The function words of the sentence that stand right before a word."""
    start = place
    earliest = max(text.sentences[text.sentence_of(place)], place - _LONGEST_LEAD)
    while start > earliest and not text.language.is_content(text.words[start - 1]):
        start -= 1
    return text.words[start:place]


def _one_sentence(alignment: Alignment, passage: Prepared) -> bool:
    return passage.sentence_of(alignment.places[0]) == passage.sentence_of(alignment.places[-1])


def _aligned(
    claim: ClaimText, passage: Prepared, alignment: Alignment, comparison: Comparison, logit: float
) -> Finding:
    """Everything stands there in order: what is left is whether it is qualified or denied."""
    tight = (alignment.places[0], alignment.places[-1] + 1)
    wide = around(alignment, passage)
    quote = _quote(passage, tight)
    if negation_conflict(claim, passage, tight, wide):
        return Finding("contradicted", "one of the two is negated", logit, quote)
    own, near = claim.prepared.polarity(claim.prepared.whole), passage.polarity(wide)
    claimed, stated = own.quantifiers, passage.polarity(tight).quantifiers
    in_sentence = passage.polarity(sentences(alignment, passage)).quantifiers
    added = (stated | _only(_CONDITIONS, near.quantifiers) | _only(_EXCEPTIONS, in_sentence)) - claimed
    surplus = claimed - near.quantifiers - _only(_WEAKENS, claimed)
    limited = _limited(claim, passage, alignment)
    doubts = (
        (bool(comparison.values_missing), "a number has another unit"),
        (own.negations != near.negations, "a negation stands close by"),
        (bool(added), f"the passage qualifies it ({', '.join(sorted(added))})"),
        (limited, "the passage limits it"),
        (bool(surplus), f"it adds to the passage ({', '.join(sorted(surplus))})"),
        (_speaks_of_itself(claim, passage, wide), "it speaks of its speaker"),
        (
            _means_another(claim, passage, sentences(alignment, passage)),
            f"who is meant by {claim.prepared.words[0]!r}?",
        ),
        (_asked(passage, sentences(alignment, passage)), "the passage asks it"),
        (_compared_otherwise(claim, passage, tight), "it compares with another sign"),
    )
    for holds, reason in doubts:
        if holds:
            return Finding("undecided", reason, logit, quote, missing_qualification=bool(added) or limited)
    return Finding("supported", "its words stand there in the same order", logit, quote)


def _limited(claim: ClaimText, passage: Prepared, alignment: Alignment) -> bool:
    """Whether the passage goes on where the claim ends ("for members"), or begins so ("For members, "), to limit it."""
    limiters = passage.language.limiters.difference(claim.prepared.words)
    start, end = sentences(alignment, passage)
    first, after = alignment.places[0], alignment.places[-1] + 1
    goes_on = after < end and not passage.folded.text[passage.ends[after - 1] : passage.starts[after]].strip()
    statement = max(stop for stop in passage.stops.union((start,)) if stop <= first)
    return (goes_on and passage.words[after] in limiters) or (
        statement < first and passage.words[statement] in limiters
    )


def _only(kinds: frozenset[str], found: Counter[str]) -> Counter[str]:
    return Counter({kind: count for kind, count in found.items() if kind in kinds})


def _means_another(claim: ClaimText, passage: Prepared, words: tuple[int, int]) -> bool:
    """Whether the claim opens with a pronoun that these words lack: it may stand for somebody else."""
    first = claim.prepared.words[0]
    return first in claim.prepared.language.pronouns and first not in passage.words[slice(*words)]


def _speaks_of_itself(claim: ClaimText, passage: Prepared, words: tuple[int, int]) -> bool:
    """Whether the claim has an I or a you that the passage lacks, or opens with one that these words lack."""
    first = claim.prepared.words[0]
    speakers = claim.prepared.language.speakers
    unknown = any(one not in passage.postings for one in speakers.intersection(claim.prepared.words))
    return unknown or (first in speakers and first not in passage.words[slice(*words)])


def _asked(passage: Prepared, words: tuple[int, int]) -> bool:
    """Whether the last sentence of the words [first, last) is a question, which states nothing."""
    last = words[1]
    end = passage.starts[last] if last < len(passage.starts) else len(passage.folded.text)
    return any(mark in passage.folded.text[passage.ends[last - 1] : end] for mark in _QUESTION_MARKS)


def _compared_otherwise(claim: ClaimText, passage: Prepared, words: tuple[int, int]) -> bool:
    """Whether the signs of comparison in the claim (<, >=, !=, ...) are others than those among the words."""
    shown = passage.folded.text[passage.starts[words[0]] : passage.ends[words[1] - 1]]
    return _COMPARES.findall(claim.prepared.folded.text) != _COMPARES.findall(shown)


def _silence(claim: ClaimText, passage: Prepared, logit: float, model: Model) -> Finding:
    gone = absent(claim, passage)
    named = ", ".join(gone[:_WORDS_NAMED])
    if not _same_language(claim, passage):
        return Finding("undecided", "claim and passage are in different languages", logit, missing=frozenset(gone))
    if claim.prepared.language.code != _CALIBRATED:
        nothing = len(gone) == len(claim.needles)
        verdict = "unsupported" if nothing else "undecided"
        reason = "no content word of it stands there" if nothing else "worded differently"
        return Finding(verdict, reason, logit, missing=frozenset(gone))
    if logit < model.unsupported_below[absence(claim, frozenset(gone), [passage])]:
        return Finding("unsupported", f"not in the passage: {named}", logit, missing=frozenset(gone))
    reason = f"worded differently; not in the passage: {named}" if gone else "put together differently"
    return Finding("undecided", reason, logit, missing=frozenset(gone))


def absent(claim: ClaimText, passage: Prepared) -> tuple[str, ...]:
    """Content words and values of the claim that stand nowhere in the passage, as written, each once."""
    values, words = dict(claim.needle_values), claim.prepared.words
    gone: dict[str, None] = {}
    for place, one in zip(claim.needles, claim.needle_stems, strict=True):
        value = values.get(place)
        known = passage.value_index.shows(value) if value else one in passage.postings
        if not known:
            gone[words[place]] = None
    return tuple(gone)


def absence(claim: ClaimText, gone: frozenset[str], passages: Iterable[Prepared]) -> Absence:
    """What it tells that these words of a claim stand nowhere in the passages.

    One word alone tells nothing unless it is a number or a name, and nothing is missed of what only announces
    something ("You can report it to the following authorities:"). A speaker of whom the passages do not know tells as
    much as a name.
    """
    anchored = not claim.anchors.isdisjoint(gone)
    if claim.announces or len(gone) + anchored < _FEWEST_MISSING:
        return "nothing"
    if len(gone) >= _FEWEST_MISSING and (
        anchored or (claim.first_person and not any(passage.holds_any(FIRST_PERSON) for passage in passages))
    ):
        return "anchors"
    return "many words" if len(gone) >= _MANY_MISSING else "few words"


def _same_language(claim: ClaimText, passage: Prepared) -> bool:
    return claim.prepared.language.code == passage.language.code


def _quote(passage: Prepared, words: tuple[int, int]) -> tuple[int, int]:
    """The sentences that hold the words, where they are short enough to read, else the words themselves."""
    edges = passage.edges
    first, last = edges[passage.sentence_of(words[0])], edges[passage.sentence_of(words[1] - 1) + 1]
    start, end = passage.quote_span(first, last)
    return (start, end) if end - start <= _LONGEST_QUOTE else passage.quote_span(*words)
