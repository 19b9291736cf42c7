from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ragvet.judging._behaviour import observe_behaviour
from ragvet.judging._citations import PlacedCitation, place_citations
from ragvet.judging._claims import split_claims
from ragvet.judging._context import SuppliedContext, supplied_context
from ragvet.judging._register import Register
from ragvet.judging.llm._material import Block, PassagePart, passage_parts
from ragvet.judging.llm._questionnaire import Questionnaire
from ragvet.judging.llm._settings import ModelSettings
from ragvet.records import Answer, BehaviourVerdict, Case, Claim, RetrievedItem, Trace

NO_ANSWER = frozenset({"refused", "clarified", "routed"})
_FLAG = "target"


@dataclass(frozen=True)
class Docket:
    """One answer before a model sees it: what rules decide about it, and what there is to ask."""

    settings: ModelSettings
    case: Case
    trace: Trace
    answer: Answer
    register: Register | None = None

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
            Claim(id=f"s{number}", text=one.text, start=one.start, end=one.end, needs_evidence=one.needs_evidence)
            for number, one in enumerate(split_claims(self.text), start=1)
        )

    @cached_property
    def context(self) -> SuppliedContext:
        """What the answer is held against."""
        return supplied_context(self.answer)

    @cached_property
    def required(self) -> tuple[Block, ...]:
        """The required claims as r1, r2, …, each with the other wordings the case accepts."""
        return tuple(
            (f"r{number}", "\nor: ".join((claim.text, *claim.accept)))
            for number, claim in enumerate(self.case.required_claims, start=1)
        )

    @cached_property
    def required_ids(self) -> dict[str, str]:
        """r1, r2, … → the id of the required claim."""
        return {f"r{index + 1}": self.case.claim_id(index) for index in range(len(self.case.required_claims))}

    @cached_property
    def reference(self) -> tuple[Block, ...]:
        """The statements of the reference: those of the reference answer, else the required claims."""
        if "reference" not in self.settings.ask:
            return ()
        stated = [claim.text for claim in split_claims(self.case.reference_answer or "") if claim.needs_evidence]
        texts = stated or [claim.text for claim in self.case.required_claims]
        return tuple((f"r{number}", text) for number, text in enumerate(texts, start=1))

    @cached_property
    def placed(self) -> tuple[PlacedCitation, ...]:
        """The citations, placed on sentences: a sentence counts whether or not a claim in it needs evidence."""
        all_count = (sentence.model_copy(update={"needs_evidence": True}) for sentence in self.sentences)
        return place_citations(self.case, self.trace, all_count, self.register)

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
        return bool(self.parts) or any(self.questionnaire.comparison(self.sentences, self.required))
