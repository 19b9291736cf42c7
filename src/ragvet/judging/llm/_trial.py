from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ragvet.errors import JudgeError
from ragvet.judging._behaviour import observe_behaviour
from ragvet.judging._citations import PlacedCitation, citation_verdict, place_citations
from ragvet.judging._claims import split_claims
from ragvet.judging._context import SuppliedContext, supplied_context
from ragvet.judging._quotes import find_quote
from ragvet.judging.llm import _facts as facts
from ragvet.judging.llm._hearing import Hearing, both, every
from ragvet.judging.llm._material import Block, PassagePart, passage_groups, passage_parts
from ragvet.judging.llm._questionnaire import Questionnaire
from ragvet.judging.llm._replies import Part
from ragvet.judging.llm._settings import ModelSettings
from ragvet.judging.llm._wire import WireError
from ragvet.records import (
    Agreement,
    Answer,
    BehaviourVerdict,
    Case,
    Claim,
    Coverage,
    RetrievedItem,
    SourceConflict,
    Support,
    Trace,
    Verdicts,
)

Rows = Mapping[tuple[str, str], Support]

_FLAG = "target"
_NO_ANSWER = frozenset({"refused", "clarified", "routed"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the passages say: (statement id, chunk id) → verdict, and where they contradict each other."""

    rows: Rows = field(default_factory=dict[tuple[str, str], Support])
    conflicts: tuple[SourceConflict, ...] | None = None

    @classmethod
    def merged(cls, pieces: Sequence[Evidence]) -> Evidence:
        """Of pieces of one context. Passages that were never seen together may conflict: then none found is unknown."""
        if len(pieces) == 1:
            return pieces[0]
        found = tuple(conflict for piece in pieces for conflict in piece.conflicts or ())
        return cls(facts.strongest(piece.rows for piece in pieces), found or None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the answer stands to what it had to say, to the reference and to the question."""

    coverage: tuple[Coverage, ...] = ()
    agreement: tuple[Agreement, ...] = ()
    addresses: Mapping[str, bool] = field(default_factory=dict[str, bool])
    addresses_question: bool | None = None


@dataclass(frozen=True)
class Trial:
    """One answer on its way to verdicts: what rules decide, what is asked, and how the replies come together."""

    settings: ModelSettings
    case: Case
    trace: Trace
    answer: Answer
    hearing: Hearing

    async def verdicts(self, sign: Callable[[frozenset[str]], str]) -> Verdicts:
        """The verdicts, signed with the fingerprint that `sign` makes of the servers that replied."""
        behaviour = observe_behaviour(self.answer)
        claims: Mapping[str, Sequence[Claim]] = {sentence.id: (sentence,) for sentence in self._sentences}
        heard: tuple[Evidence, Comparison] | None = None
        if self._sentences and behaviour.observed not in _NO_ANSWER and self._anything_to_ask:
            behaviour, claims = await self._claims(behaviour)
            if behaviour.observed not in _NO_ANSWER:
                heard = await both(self._evidence(claims), self._comparison(_flat(claims)))
        return self._together(sign, behaviour, claims, heard)

    # What rules decide

    @cached_property
    def _text(self) -> str:
        return self.answer.text or ""

    @cached_property
    def _sentences(self) -> tuple[Claim, ...]:
        """The statements of the answer under s1, s2, …; none for a blank answer."""
        return tuple(
            sentence.model_copy(update={"id": f"s{number}"})
            for number, sentence in enumerate(split_claims(self._text), start=1)
        )

    @cached_property
    def _context(self) -> SuppliedContext:
        return supplied_context(self.answer)

    @cached_property
    def _required(self) -> Mapping[str, tuple[str, str]]:
        """r1, r2, … → the id and the text of each required claim."""
        claims = self.case.required_claims
        return {f"r{i + 1}": (self.case.claim_id(i), claim.text) for i, claim in enumerate(claims)}

    @cached_property
    def _worded(self) -> tuple[Coverage, ...]:
        """Required claims the answer makes in one of the accepted wordings."""
        found = (
            (self.case.claim_id(i), quote)
            for i, claim in enumerate(self.case.required_claims)
            for quote in (find_quote(wording, self._text) for wording in claim.accept)
            if quote is not None and quote.edit_distance == 0
        )
        return tuple(
            Coverage(required_claim=id_, verdict="covered", quote=quote, reason="an accepted wording")
            for id_, quote in dict(found).items()
        )

    @cached_property
    def _open_required(self) -> tuple[Block, ...]:
        worded = {row.required_claim for row in self._worded}
        return tuple((short, text) for short, (id_, text) in self._required.items() if id_ not in worded)

    @cached_property
    def _reference(self) -> tuple[Block, ...]:
        """The statements of the reference: the required claims, else the sentences of the reference answer."""
        if "reference" not in self.settings.ask:
            return ()
        if self._required:
            return tuple((short, text) for short, (_, text) in self._required.items())
        sentences = split_claims(self.case.reference_answer or "")
        return tuple((f"r{number}", sentence.text) for number, sentence in enumerate(sentences, start=1))

    @cached_property
    def _placed(self) -> tuple[PlacedCitation, ...]:
        """The citations, placed on sentences: a sentence counts whether or not a claim in it needs evidence."""
        all_count = [sentence.model_copy(update={"needs_evidence": True}) for sentence in self._sentences]
        return place_citations(self.case, self.trace, all_count)

    @cached_property
    def _parts(self) -> tuple[PassagePart, ...]:
        """Everything there is to read: what the model saw, and what else the answer cites."""
        seen = {item.chunk_id for item in self._context.passages}
        cited: dict[str, RetrievedItem] = {
            item.chunk_id: item
            for one in self._placed
            for item in one.items
            if item.text and item.text.strip() and item.chunk_id not in seen
        }
        return passage_parts((*self._context.passages, *cited.values()), self.settings.context_characters)

    @cached_property
    def _questionnaire(self) -> Questionnaire:
        return Questionnaire.about(self.case, self._text, self.settings)

    @cached_property
    def _anything_to_ask(self) -> bool:
        """Whether a model is needed: not where nothing was supplied and there is nothing to compare with."""
        return bool(self._parts) or any(self._questionnaire.comparison(self._sentences, self._open_required))

    # What is asked

    async def _claims(self, behaviour: BehaviourVerdict) -> tuple[BehaviourVerdict, Mapping[str, Sequence[Claim]]]:
        unknown = behaviour.source != _FLAG
        replies = await self.hearing.ask(self._questionnaire.claims(self._sentences, behaviour=unknown))
        claims = facts.stated_claims(self._sentences, _rows(replies, "sentences"))
        for reply in replies:
            if (observed := getattr(reply, "behaviour", None)) is not None:
                behaviour = BehaviourVerdict(observed=observed, source="model")
        return behaviour, claims

    async def _evidence(self, claims: Mapping[str, Sequence[Claim]]) -> Evidence:
        asked = [claim for claim in _flat(claims) if claim.needs_evidence and "support" in self.settings.ask]
        statements = [*((claim.id, claim.text) for claim in asked), *self._reference]
        cited: dict[str, set[str]] = {}
        for one in facts.on_claims(self._placed, claims):
            for claim in one.claims:
                cited.setdefault(claim, set()).update(item.chunk_id for item in one.items)
        groups = list(passage_groups(self._parts, self.settings.context_characters))
        if not groups:
            return Evidence()
        return Evidence.merged(await every(self._said(group, statements, cited) for group in groups))

    async def _said(
        self, parts: Sequence[PassagePart], statements: Sequence[Block], cited: Mapping[str, set[str]]
    ) -> Evidence:
        """What these passages say; where the server finds them too long, what each half says."""
        try:
            replies = await self.hearing.ask(self._questionnaire.support(statements, parts, cited))
        except WireError as error:
            if not error.too_long:
                raise
            if len(parts) == 1:
                advice = "one passage is too long for the model's context window; lower context_characters"
                raise JudgeError(f"{advice} ({error})", raw=error.raw, usage=error.usage) from error
            middle = len(parts) // 2
            halves = (self._said(half, statements, cited) for half in (parts[:middle], parts[middle:]))
            return Evidence.merged(await every(halves))
        conflicts = None
        if any(hasattr(reply, "conflicts") for reply in replies):
            conflicts = tuple(facts.conflict_rows(_rows(replies, "conflicts"), parts))
        return Evidence(facts.support_rows(_rows(replies, "statements"), parts), conflicts)

    async def _comparison(self, claims: Sequence[Claim]) -> Comparison:
        replies = await self.hearing.ask(self._questionnaire.comparison(claims, self._open_required))
        names = {short: id_ for short, (id_, _) in self._required.items()}
        addressed = [getattr(reply, "addresses_question", None) for reply in replies]
        return Comparison(
            tuple(facts.coverage_rows(_rows(replies, "coverage"), names, self._text)),
            tuple(facts.agreement_rows(_rows(replies, "agreement"))),
            {row.id: row.addresses for row in _rows(replies, "relevance")},
            next((said for said in addressed if said is not None), None),
        )

    # How it comes together

    def _together(
        self,
        sign: Callable[[frozenset[str]], str],
        behaviour: BehaviourVerdict,
        claims: Mapping[str, Sequence[Claim]],
        heard: tuple[Evidence, Comparison] | None,
    ) -> Verdicts:
        evidence, comparison = heard or (Evidence(), Comparison())
        stated = _flat(claims)
        supplied = {item.chunk_id for item in self._context.passages}
        of_claims = {claim.id for claim in stated}
        judged = {place: row for place, row in evidence.rows.items() if place[0] in of_claims}
        from_context = {place: row for place, row in evidence.rows.items() if place[1] in supplied}
        placed = facts.on_claims(self._placed, claims)
        return Verdicts(
            case_id=self.trace.case_id,
            repeat=self.trace.repeat,
            judge=sign(self.hearing.servers),
            behaviour=behaviour,
            claims=tuple(
                claim.model_copy(update={"addresses_question": comparison.addresses.get(claim.id)}) for claim in stated
            ),
            support=tuple(row for row in from_context.values() if row.claim in of_claims) + self._unread(stated),
            citations=tuple(citation_verdict(one, judged, stated) for one in placed),
            coverage=self._coverage(comparison, answered=heard is not None),
            agreement=comparison.agreement,
            reference_support=facts.reference_rows(self._reference, from_context) if heard and self._parts else None,
            conflicts=evidence.conflicts,
            addresses_question=comparison.addresses_question,
            usage=self.hearing.usage(),
        )

    def _unread(self, claims: Sequence[Claim]) -> tuple[Support, ...]:
        """Claims may stand in supplied passages whose text the trace does not have: undecided there."""
        reason = "the text of this passage is not in the trace"
        return tuple(
            Support(claim=claim.id, passage=passage, verdict="undecided", reason=reason)
            for claim in claims
            if claim.needs_evidence
            for passage in self._context.silent
        )

    def _coverage(self, comparison: Comparison, *, answered: bool) -> tuple[Coverage, ...]:
        """In the order of the required claims; an answer that is none makes none of them."""
        if "coverage" not in self.settings.ask:
            return ()
        known = {row.required_claim: row for row in (*comparison.coverage, *self._worded)}
        if not answered:
            nothing = "there is no answer that could make it"
            missing = (
                Coverage(required_claim=id_, verdict="missing", reason=nothing) for id_, _ in self._required.values()
            )
            return tuple(known.get(row.required_claim, row) for row in missing)
        return tuple(known[id_] for id_, _ in self._required.values() if id_ in known)


def _flat(claims: Mapping[str, Sequence[Claim]]) -> tuple[Claim, ...]:
    return tuple(claim for of_sentence in claims.values() for claim in of_sentence)


def _rows(replies: Iterable[Part], field_: str) -> list[Any]:
    """The rows of that field over all replies that have it."""
    return [row for reply in replies for row in getattr(reply, field_, ())]
