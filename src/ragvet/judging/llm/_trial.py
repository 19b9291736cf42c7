from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ragvet.errors import JudgeError
from ragvet.judging._citations import citation_verdict
from ragvet.judging.llm import _facts as facts
from ragvet.judging.llm._docket import NO_ANSWER, Docket
from ragvet.judging.llm._hearing import Hearing, both, every
from ragvet.judging.llm._material import Block, PassagePart, passage_groups, passage_parts
from ragvet.judging.llm._questionnaire import Questionnaire
from ragvet.judging.llm._replies import Part
from ragvet.judging.llm._wire import WireError
from ragvet.records import Agreement, BehaviourVerdict, Claim, Coverage, SourceConflict, Support, Verdicts

Rows = Mapping[tuple[str, str], Support]

_NOT_ASKED = "it was not asked"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the passages say: (statement id, chunk id) → verdict, and where they contradict each other.

    `read` says whether anybody looked.
    """

    rows: Rows = field(default_factory=dict[tuple[str, str], Support])
    conflicts: tuple[SourceConflict, ...] | None = None
    read: bool = False

    @classmethod
    def merged(cls, pieces: Sequence[Evidence]) -> Evidence:
        """Of pieces of one context. Passages that were never seen together may conflict: then none found is unknown."""
        if len(pieces) == 1:
            return pieces[0]
        found = tuple(conflict for piece in pieces for conflict in piece.conflicts or ())
        return cls(facts.strongest(piece.rows for piece in pieces), found or None, read=True)


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

    docket: Docket
    hearing: Hearing

    async def verdicts(self, sign: Callable[[frozenset[str]], str]) -> Verdicts:
        """The verdicts, signed with the fingerprint that `sign` makes of the servers that replied."""
        behaviour = self.docket.behaviour
        claims: Mapping[str, Sequence[Claim]] = {sentence.id: (sentence,) for sentence in self.docket.sentences}
        if self.docket.needs_a_model:
            behaviour, claims = await self._claims()
            if behaviour.observed not in NO_ANSWER:
                evidence, comparison = await both(self._evidence(claims), self._comparison(_flat(claims)))
                return self._together(sign, behaviour, claims, evidence, comparison)
        return self._together(sign, behaviour, claims, await self._reference(), None)

    async def _reference(self) -> Evidence:
        """What the context says about the reference alone, where the answer makes no claim to judge.

        Whether the evidence was there tells a wrong refusal apart from a retrieval that left nothing to say. A blank
        answer is never sent anywhere, nor is the reference beside it.
        """
        docket = self.docket
        wanted = docket.case.expected_behaviour == "answer" and docket.text.strip()
        if not (wanted and docket.reference and docket.context.passages):
            return Evidence()
        parts = passage_parts(docket.context.passages, docket.settings.context_characters)
        groups = list(passage_groups(parts, docket.settings.context_characters))
        ask = replace(docket.questionnaire, ask=docket.questionnaire.ask - {"conflicts"})
        return Evidence.merged(await every(self._said(ask, group, docket.reference, {}) for group in groups))

    async def _claims(self) -> tuple[BehaviourVerdict, Mapping[str, Sequence[Claim]]]:
        docket = self.docket
        replies = await self.hearing.ask(docket.questionnaire.claims(docket.sentences, behaviour=not docket.flagged))
        known = " ".join((docket.text, docket.case.question, *(turn.content for turn in docket.case.history)))
        claims = facts.stated_claims(docket.sentences, _rows(replies, "sentences"), known)
        behaviour = docket.behaviour
        for reply in replies:
            if (observed := getattr(reply, "behaviour", None)) is not None:
                behaviour = BehaviourVerdict(observed=observed, source="model")
        return behaviour, claims

    async def _evidence(self, claims: Mapping[str, Sequence[Claim]]) -> Evidence:
        asked = [claim for claim in _flat(claims) if claim.needs_evidence and "support" in self.docket.settings.ask]
        statements = [*((claim.id, claim.text) for claim in asked), *self.docket.reference]
        cited: dict[str, set[str]] = {}
        for one in facts.on_claims(self.docket.placed, claims):
            for claim in one.claims:
                cited.setdefault(claim, set()).update(item.chunk_id for item in one.items)
        groups = list(passage_groups(self.docket.parts, self.docket.settings.context_characters))
        if not groups:
            return Evidence()
        return Evidence.merged(
            await every(self._said(self.docket.questionnaire, group, statements, cited) for group in groups)
        )

    async def _said(
        self,
        ask: Questionnaire,
        parts: Sequence[PassagePart],
        statements: Sequence[Block],
        cited: Mapping[str, set[str]],
    ) -> Evidence:
        """What these passages say; where the server finds them too long, what each half says."""
        try:
            replies = await self.hearing.ask(ask.support(statements, parts, cited))
        except WireError as error:
            if not error.too_long:
                raise
            if len(parts) == 1:
                advice = "one passage is too long for the model's context window; lower context_characters"
                raise JudgeError(f"{advice} ({error})", raw=error.raw, usage=error.usage) from error
            middle = len(parts) // 2
            halves = (self._said(ask, half, statements, cited) for half in (parts[:middle], parts[middle:]))
            return Evidence.merged(await every(halves))
        conflicts = None
        if any(hasattr(reply, "conflicts") for reply in replies):
            conflicts = tuple(facts.conflict_rows(_rows(replies, "conflicts"), parts))
        return Evidence(facts.support_rows(_rows(replies, "statements"), statements, parts), conflicts, read=True)

    async def _comparison(self, claims: Sequence[Claim]) -> Comparison:
        replies = await self.hearing.ask(self.docket.questionnaire.comparison(claims, self.docket.required))
        ask = self.docket.settings.ask
        unasked = () if "agreement" in ask or not self.docket.case.reference_answer else claims
        addressed = [getattr(reply, "addresses_question", None) for reply in replies]
        return Comparison(
            tuple(facts.coverage_rows(_rows(replies, "coverage"), self.docket.required_ids, self.docket.text)),
            (*facts.agreement_rows(_rows(replies, "agreement")), *facts.open_agreement(unasked)),
            {row.id: row.addresses for row in _rows(replies, "relevance")},
            next((said for said in addressed if said is not None), None),
        )

    def _together(
        self,
        sign: Callable[[frozenset[str]], str],
        behaviour: BehaviourVerdict,
        claims: Mapping[str, Sequence[Claim]],
        evidence: Evidence,
        compared: Comparison | None,
    ) -> Verdicts:
        comparison = compared or Comparison()
        stated = _flat(claims)
        supplied = {item.chunk_id for item in self.docket.context.passages}
        of_claims = {claim.id for claim in stated}
        judged = {place: row for place, row in evidence.rows.items() if place[0] in of_claims}
        from_context = {place: row for place, row in evidence.rows.items() if place[1] in supplied}
        placed = facts.on_claims(self.docket.placed, claims)
        return Verdicts(
            case_id=self.docket.trace.case_id,
            repeat=self.docket.trace.repeat,
            judge=sign(self.hearing.servers),
            behaviour=behaviour,
            claims=_relevant(stated, comparison.addresses),
            support=tuple(row for row in from_context.values() if row.claim in of_claims) + self._unread(stated),
            citations=tuple(citation_verdict(one, judged, stated) for one in placed),
            coverage=self._coverage(comparison, answered=compared is not None),
            agreement=comparison.agreement,
            reference_support=facts.reference_rows(self.docket.reference, from_context)
            if evidence.read and supplied and self.docket.reference
            else None,
            conflicts=evidence.conflicts,
            addresses_question=comparison.addresses_question,
            usage=self.hearing.usage(),
        )

    def _unread(self, claims: Sequence[Claim]) -> tuple[Support, ...]:
        """What may support a claim and was not read: passages without text in the trace, all of them if not asked."""
        context = self.docket.context
        unread = [(passage, "the text of this passage is not in the trace") for passage in context.silent]
        if "support" not in self.docket.settings.ask:
            unread += [(item.chunk_id, _NOT_ASKED) for item in context.passages]
        return tuple(
            Support(claim=claim.id, passage=passage, verdict="undecided", reason=reason)
            for claim in claims
            if claim.needs_evidence
            for passage, reason in unread
        )

    def _coverage(self, comparison: Comparison, *, answered: bool) -> tuple[Coverage, ...]:
        """In the order of the required claims: missing where there is no answer, undecided where it was not asked."""
        known = {row.required_claim: row for row in comparison.coverage}
        verdict, reason = (
            ("undecided", _NOT_ASKED) if answered else ("missing", "there is no answer that could make it")
        )
        return tuple(
            known.get(id_) or Coverage(required_claim=id_, verdict=verdict, reason=reason)
            for id_ in self.docket.required_ids.values()
        )


def _relevant(claims: Sequence[Claim], addresses: Mapping[str, bool]) -> tuple[Claim, ...]:
    """The claims with what was said about their use for the question, where that was asked."""
    return tuple(
        claim.model_copy(update={"addresses_question": addresses[claim.id]}) if claim.id in addresses else claim
        for claim in claims
    )


def _flat(claims: Mapping[str, Sequence[Claim]]) -> tuple[Claim, ...]:
    return tuple(claim for of_sentence in claims.values() for claim in of_sentence)


def _rows(replies: Iterable[Part], field_: str) -> list[Any]:
    """The rows of that field over all replies that have it."""
    return [row for reply in replies for row in getattr(reply, field_, ())]
