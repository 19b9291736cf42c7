"""Which questions an answer takes: written once, for rules, models, panels and people."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ragvet.judging._citations import PlacedCitation, place_citations
from ragvet.judging._context import SuppliedContext, supplied_context
from ragvet.judging._languages import answer_language, language_of
from ragvet.judging._markers import KnownItems, read_markers
from ragvet.judging._protocol import Scope
from ragvet.judging._register import Register
from ragvet.records import (
    Answer,
    Case,
    Claim,
    Place,
    Question,
    QuestionKind,
    Segmentation,
    Setting,
    ShownText,
    Trace,
)
from ragvet.text import without_surrogates

Spans = tuple[tuple[int, int], ...]

NO_ANSWER = frozenset({"refused", "clarified", "routed"})
"""Behaviours that leave no answer to hold against anything."""

ANSWER, REFERENCE = "answer", "reference"
"""Ids of the texts of these names."""

_SENTENCES_BEFORE = 3


@dataclass(frozen=True)
class Inquiry:
    """One answer and all that is asked about it.

    Attributes:
        case, trace, answer: what is judged.
        segmentation: what the answer claims.
        scope: what whoever decides is to be asked.
        register: where citations are looked up.
    """

    case: Case
    trace: Trace
    answer: Answer
    segmentation: Segmentation
    scope: Scope
    register: Register | None = None

    @cached_property
    def text(self) -> str:
        """The answer; empty where there is none."""
        return self.answer.text or ""

    @property
    def blank(self) -> bool:
        """Whether the answer shows nothing."""
        return not self.text.strip()

    @cached_property
    def is_answered(self) -> bool:
        """Whether there is an answer to ask about: of blank ones never, of others as the scope has it."""
        if self.blank:
            return False
        segmentation = self.segmentation
        states = bool(segmentation.claims or segmentation.sentences)
        return (states and segmentation.behaviour.observed not in NO_ANSWER) or self.scope.free

    @cached_property
    def context(self) -> SuppliedContext:
        """What the answer is held against."""
        return supplied_context(self.answer)

    @cached_property
    def stated(self) -> tuple[Claim, ...]:
        """The claims that need evidence."""
        return tuple(claim for claim in self.segmentation.claims if claim.needs_evidence)

    @cached_property
    def placed(self) -> tuple[PlacedCitation, ...]:
        """The citations, with what code knows of each, on the claims that need evidence."""
        if self.segmentation.sentences is None:
            return place_citations(self.case, self.trace, self.stated, self.register)
        return tuple(_on_sentences(self.case, self.trace, self.segmentation, self.register))

    @cached_property
    def asks_reference(self) -> bool:
        """Whether the context is held against the reference; of what was not answered, where it should have been."""
        if "reference" not in self.scope.kinds or self.segmentation.reference is None:
            return False
        if self.is_answered or self.scope.free:
            return True
        return self.case.expected_behaviour == "answer" and not self.blank

    @cached_property
    def read(self) -> tuple[ShownText, ...]:
        """Everything there is to read: what the model saw, and what else the answer cites."""
        return (*self._passages, *self._cited.values())

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """All that is asked, kind by kind, claims in the order of the answer."""
        return tuple(self._questions())

    def _questions(self) -> Iterator[Question]:
        of_answers: dict[QuestionKind, Callable[[], Iterator[Question]]] = {
            "support": self._support,
            "citation": self._citations,
            "conflicts": self._conflicts,
            "coverage": self._coverage,
            "addressed": self._addressed,
            "agreement": self._agreement,
            "relevance": self._relevance,
        }
        if self.asks_reference:
            yield from self._reference()
        if self.is_answered:
            for kind, asked in of_answers.items():
                if kind in self.scope.kinds:
                    yield from asked()

    def _reference(self) -> Iterator[Question]:
        """Each statement of the reference against all that was supplied."""
        language = self.segmentation.reference_language or language_of(self.case.reference_answer or "")
        for number, statement in enumerate(self.segmentation.reference or (), start=1):
            if self._passages:
                place = Place(self.case.id, self.trace.repeat, number=number)
                yield Question("reference", place, self._setting, statement, texts=self._passages, language=language)

    def _support(self) -> Iterator[Question]:
        """Each claim that needs evidence against all that was supplied."""
        if self._passages or self.scope.free:
            for claim in self.stated:
                yield self._about("support", claim, self._passages)

    def _citations(self) -> Iterator[Question]:
        """Each claim against what is cited for it and was not supplied; for an answer as a whole, all of its claims."""
        by_id = {claim.id: claim for claim in self.stated}
        held = {(id(one.claims), item.chunk_id): one for one in self.placed for item in one.items}
        asked: set[tuple[str, str]] = set()
        for (_, chunk), one in held.items():
            for claim in (one.claims if one.placed else by_id) if chunk in self._cited else ():
                if (claim, chunk) not in asked:
                    asked.add((claim, chunk))
                    yield self._about("citation", by_id[claim], (self._cited[chunk],))

    def _conflicts(self) -> Iterator[Question]:
        """The sources against each other."""
        if len(self.read) > 1:
            yield Question("conflicts", self._place, self._setting, texts=(self._answer, *self.read))

    def _coverage(self) -> Iterator[Question]:
        """The answer against each claim it had to make."""
        for index, required in enumerate(self.case.required_claims):
            yield Question(
                "coverage",
                replace(self._place, number=index + 1, required_claim=self.case.claim_id(index)),
                self._setting,
                required.text,
                texts=(self._answer,),
                note=required.accept,
            )

    def _addressed(self) -> Iterator[Question]:
        """The answer against the question."""
        yield Question("addressed", self._place, self._setting, texts=(self._answer,))

    def _agreement(self) -> Iterator[Question]:
        """Each claim that needs evidence against the reference answer."""
        reference = self.case.reference_answer
        if reference and reference.strip():
            shown = (ShownText(REFERENCE, reference),)
            for claim in self.stated:
                yield self._about("agreement", claim, shown)

    def _relevance(self) -> Iterator[Question]:
        """Each claim against the question."""
        for claim in self.segmentation.claims:
            yield self._about("relevance", claim, ())

    def _about(self, kind: QuestionKind, claim: Claim, texts: tuple[ShownText, ...]) -> Question:
        place, before, markers = self._of_claim[claim.id]
        language = self._language
        return Question(kind, place, self._setting, claim.text, before, texts, (), language, markers)

    @cached_property
    def _of_claim(self) -> dict[str, tuple[Place, str, Spans]]:
        """Claim id → where it stands, what stands before it, and the citation markers in it."""
        cited: dict[str, dict[str, None]] = {}
        for one in self.placed:
            for claim in one.claims:
                cited.setdefault(claim, {}).update((item.chunk_id, None) for item in one.items)
        starts = sorted({claim.start for claim in self.segmentation.claims})
        markers = self._markers if self.segmentation.claims else ()
        return {
            claim.id: (
                Place(
                    self.case.id,
                    self.trace.repeat,
                    claim=claim.id,
                    number=number,
                    span=(claim.start, claim.end),
                    cited=tuple(cited.get(claim.id, ())),
                ),
                self._before(claim, starts),
                _within(claim, markers, self.text),
            )
            for number, claim in enumerate(self.segmentation.claims, start=1)
        }

    def _before(self, claim: Claim, starts: Sequence[int]) -> str:
        place = bisect_left(starts, claim.start)
        return self.text[starts[max(place - _SENTENCES_BEFORE, 0)] : claim.start].strip()

    @cached_property
    def _markers(self) -> Spans:
        """The spans of the citation markers in the answer, in order."""
        found = read_markers(self.answer, KnownItems.of(self.answer))
        return tuple(sorted({(marker.position, marker.position + len(marker.text)) for marker in found}))

    @cached_property
    def _place(self) -> Place:
        return Place(self.case.id, self.trace.repeat)

    @cached_property
    def _language(self) -> str:
        return self.segmentation.language or answer_language(self.case, self.text)

    @cached_property
    def _setting(self) -> Setting:
        return Setting(self.case.question, self.case.history)

    @cached_property
    def _answer(self) -> ShownText:
        return ShownText(ANSWER, self.text)

    @cached_property
    def _passages(self) -> tuple[ShownText, ...]:
        return tuple(ShownText(item.chunk_id, item.text or "", item.title) for item in self.context.passages)

    @cached_property
    def _cited(self) -> dict[str, ShownText]:
        """Chunk id → what the answer cites and was not supplied, as far as its text is known."""
        seen = {item.chunk_id for item in self.context.passages}
        return {
            item.chunk_id: ShownText(item.chunk_id, item.text, item.title)
            for one in self.placed
            for item in one.items
            if item.text and item.text.strip() and item.chunk_id not in seen
        }


def _on_sentences(
    case: Case, trace: Trace, segmentation: Segmentation, register: Register | None
) -> Iterator[PlacedCitation]:
    """Citations placed on sentences, moved to the claims of these sentences that need evidence.

    A sentence counts whether or not it makes such a claim: a citation that stands in it is placed there.
    """
    sentences = segmentation.sentences or ()
    evident = {claim.id for claim in segmentation.claims if claim.needs_evidence}
    backed = {str(number): [id_ for id_ in one.claims if id_ in evident] for number, one in enumerate(sentences)}
    stretches = [Claim(id=str(number), text="", start=one.start, end=one.end) for number, one in enumerate(sentences)]
    moved: dict[int, tuple[str, ...]] = {}  # citations that stand together go on sharing one sequence
    for one in place_citations(case, trace, stretches, register):
        if id(one.claims) not in moved:
            moved[id(one.claims)] = tuple(id_ for sentence in one.claims for id_ in backed[sentence])
        yield replace(one, claims=moved[id(one.claims)])


def _within(claim: Claim, markers: Spans, answer: str) -> Spans:
    """The markers inside a claim, counted from its beginning; none where it is not the words of the answer."""
    first = bisect_left(markers, claim.start, key=lambda span: span[1])
    if first == len(markers) or markers[first][0] >= claim.end:
        return ()
    if claim.text != without_surrogates(answer[claim.start : claim.end]):
        return ()
    length = claim.end - claim.start
    met = (span for span in markers[first:] if span[0] < claim.end)
    return tuple((max(start - claim.start, 0), min(end - claim.start, length)) for start, end in met)
