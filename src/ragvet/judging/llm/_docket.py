from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ragvet.judging._behaviour import observe_behaviour
from ragvet.judging._citations import PlacedCitation, place_citations
from ragvet.judging._claims import split_claims
from ragvet.judging._context import SuppliedContext, supplied_context
from ragvet.judging._quotes import find_quote
from ragvet.judging.llm._material import Block, PassagePart, passage_groups, passage_parts
from ragvet.judging.llm._question import Question
from ragvet.judging.llm._questionnaire import Questionnaire
from ragvet.judging.llm._settings import ModelSettings
from ragvet.records import Answer, BehaviourVerdict, Case, Claim, Coverage, RetrievedItem, Trace

NO_ANSWER = frozenset({"refused", "clarified", "routed"})
_FLAG = "target"


@dataclass(frozen=True)
class Docket:
    """One answer before a model sees it: what rules decide about it, and what there is to ask."""

    settings: ModelSettings
    case: Case
    trace: Trace
    answer: Answer

    @cached_property
    def behaviour(self) -> BehaviourVerdict:
        """What the system did, as far as its flag and its words tell."""
        return observe_behaviour(self.answer)

    @property
    def flagged(self) -> bool:
        """Whether the target said itself what it did."""
        return self.behaviour.source == _FLAG

    @cached_property
    def text(self) -> str:
        """The answer; empty where it is blank."""
        return self.answer.text or ""

    @cached_property
    def sentences(self) -> tuple[Claim, ...]:
        """The statements of the answer under s1, s2, …; none for a blank answer."""
        return tuple(
            sentence.model_copy(update={"id": f"s{number}"})
            for number, sentence in enumerate(split_claims(self.text), start=1)
        )

    @cached_property
    def context(self) -> SuppliedContext:
        """What the answer is held against."""
        return supplied_context(self.answer)

    @cached_property
    def required(self) -> Mapping[str, tuple[str, str]]:
        """r1, r2, … → the id and the text of each required claim."""
        claims = self.case.required_claims
        return {f"r{i + 1}": (self.case.claim_id(i), claim.text) for i, claim in enumerate(claims)}

    @cached_property
    def worded(self) -> tuple[Coverage, ...]:
        """Required claims the answer makes in one of the accepted wordings."""
        found = (
            (self.case.claim_id(i), quote)
            for i, claim in enumerate(self.case.required_claims)
            for quote in (find_quote(wording, self.text) for wording in claim.accept)
            if quote is not None and quote.edit_distance == 0
        )
        return tuple(
            Coverage(required_claim=id_, verdict="covered", quote=quote, reason="an accepted wording")
            for id_, quote in dict(found).items()
        )

    @cached_property
    def open_required(self) -> tuple[Block, ...]:
        """Required claims for which no accepted wording was found: to be asked about."""
        worded = {row.required_claim for row in self.worded}
        return tuple((short, text) for short, (id_, text) in self.required.items() if id_ not in worded)

    @cached_property
    def reference(self) -> tuple[Block, ...]:
        """The statements of the reference: the required claims, else the sentences of the reference answer."""
        if "reference" not in self.settings.ask:
            return ()
        if self.required:
            return tuple((short, text) for short, (_, text) in self.required.items())
        sentences = split_claims(self.case.reference_answer or "")
        return tuple((f"r{number}", sentence.text) for number, sentence in enumerate(sentences, start=1))

    @cached_property
    def placed(self) -> tuple[PlacedCitation, ...]:
        """The citations, placed on sentences: a sentence counts whether or not a claim in it needs evidence."""
        all_count = [sentence.model_copy(update={"needs_evidence": True}) for sentence in self.sentences]
        return place_citations(self.case, self.trace, all_count)

    @cached_property
    def parts(self) -> tuple[PassagePart, ...]:
        """Everything there is to read: what the model saw, and what else the answer cites."""
        seen = {item.chunk_id for item in self.context.passages}
        cited: dict[str, RetrievedItem] = {
            item.chunk_id: item
            for one in self.placed
            for item in one.items
            if item.text and item.text.strip() and item.chunk_id not in seen
        }
        return passage_parts((*self.context.passages, *cited.values()), self.settings.context_characters)

    @cached_property
    def questionnaire(self) -> Questionnaire:
        """How the answer is asked about."""
        return Questionnaire.about(self.case, self.text, self.settings)

    @cached_property
    def needs_a_model(self) -> bool:
        """Whether rules leave anything open.

        Never for a blank answer, one that states nothing, a refusal, a question back or a hand-over; nor where nothing
        was supplied and there is nothing else to compare the answer with.
        """
        if not self.sentences or self.behaviour.observed in NO_ANSWER:
            return False
        return bool(self.parts) or any(self.questionnaire.comparison(self.sentences, self.open_required))

    def foreseen(self) -> Iterator[Question]:
        """The questions this answer will take, with its sentences standing in for its claims."""
        if not self.needs_a_model:
            return
        ask, claims = self.questionnaire, self.sentences
        yield from ask.claims(claims, behaviour=not self.flagged)
        asked = claims if "support" in self.settings.ask else ()
        statements = (*((claim.id, claim.text) for claim in asked if claim.needs_evidence), *self.reference)
        for group in passage_groups(self.parts, self.settings.context_characters):
            yield from ask.support(statements, group, {})
        yield from ask.comparison(claims, self.open_required)
