"""From an answer to its claims and from questions to rulings, by whatever completes requests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ragvet.errors import JudgeError
from ragvet.judging._behaviour import observe_behaviour
from ragvet.judging._claims import split_claims
from ragvet.judging._inquiry import NO_ANSWER, Inquiry
from ragvet.judging._model_settings import ModelSettings, Topic
from ragvet.judging._protocol import Scope
from ragvet.judging.llm import _rulings as read
from ragvet.judging.llm._batching import Batching, Cited, claim_text, required_id
from ragvet.judging.llm._passages import NamedText, PassagePart, passage_groups, passage_parts
from ragvet.judging.llm._replies import Part
from ragvet.judging.llm._session import Completes, Session, both, every
from ragvet.judging.llm._transport import TransportError
from ragvet.records import (
    AddressedRuling,
    AgreementRuling,
    Answer,
    BehaviourVerdict,
    Case,
    ConflictsRuling,
    Question,
    QuestionKind,
    Ruling,
    Rulings,
    Segmentation,
    Sentence,
    Setting,
    SourceConflict,
    SupportRuling,
    Trace,
)

_KINDS: Mapping[Topic, tuple[QuestionKind, ...]] = {
    "support": ("support", "citation"),
    "conflicts": ("conflicts",),
    "reference": ("reference",),
    "coverage": ("coverage",),
    "agreement": ("agreement",),
    "relevance": ("relevance", "addressed"),
}
_FLAG = "target"


def asked_of(settings: ModelSettings) -> Scope:
    """What a model under these settings is asked."""
    return Scope(frozenset(kind for topic in settings.ask for kind in _KINDS[topic]))


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What a model judge does, whoever completes its requests: the server, what is kept, a rehearsal.

    Attributes:
        settings: of the judge.
        completions: gets the reply to a request.
        stage: what decided, as verdicts tell it: the fingerprint of the judge.
    """

    settings: ModelSettings
    completions: Completes
    stage: str

    @property
    def scope(self) -> Scope:
        """What the model is asked."""
        return asked_of(self.settings)

    async def segment(self, case: Case, trace: Trace) -> Segmentation:
        """The claims and the behaviour: of rules where they tell all or nothing is left to ask, else of the model."""
        answer = trace.answer or Answer()
        by_rule = _by_rule(case, answer)
        sentences = by_rule.claims
        if not sentences or by_rule.behaviour.observed in NO_ANSWER or not self._leaves_open(case, trace, by_rule):
            return by_rule
        session, setting = Session(self.completions), Setting(case.question, case.history)
        flagged = by_rule.behaviour.source == _FLAG
        with session.charged():
            requests = self._batching.claims(setting, answer.text or "", sentences, behaviour=not flagged)
            replies = await session.get(requests)
        known = " ".join((answer.text or "", case.question, *(turn.content for turn in case.history)))
        claims = read.stated_claims(sentences, _rows(replies, "sentences"), known)
        told = [getattr(reply, "behaviour", None) for reply in replies]
        observed = next((one for one in told if one is not None), None)
        return replace(
            by_rule,
            behaviour=BehaviourVerdict(observed=observed, source="model") if observed else by_rule.behaviour,
            claims=tuple(claim for stated in claims for claim in stated),
            sentences=tuple(
                Sentence(sentence.start, sentence.end, tuple(claim.id for claim in stated))
                for sentence, stated in zip(sentences, claims, strict=True)
            ),
            usage=session.usage,
            servers=session.servers,
        )

    def _leaves_open(self, case: Case, trace: Trace, by_rule: Segmentation) -> bool:
        """Whether there is anything to read or to ask about: any of the sentences may be a claim."""
        claims = tuple(claim.model_copy(update={"needs_evidence": True}) for claim in by_rule.claims)
        rough = replace(by_rule, claims=claims, sentences=None)
        inquiry = Inquiry(case, trace, trace.answer or Answer(), rough, self.scope)
        return bool(inquiry.read or inquiry.questions)

    async def decide(self, questions: Sequence[Question]) -> Rulings:
        """The rulings on questions about one answer: in two requests at once, more where its context is long."""
        of: defaultdict[str, list[Question]] = defaultdict(list)
        for question in questions:
            of[question.kind].append(question)
        session = Session(self.completions)
        with session.charged():
            evidence, compared = await both(self._evidence(session, of), session.get(self._batching.comparison(of)))
        comparison = _Comparison.of(compared)
        return Rulings(
            tuple(self._ruling(question, evidence, comparison) for question in questions),
            usage=session.usage,
            servers=session.servers,
        )

    @property
    def _batching(self) -> Batching:
        return Batching(self.settings.questions == "single")

    async def _evidence(self, session: Session, of: Mapping[str, Sequence[Question]]) -> _Looked:
        """What the passages of all questions say about the statements of all of them."""
        about_claims = [*of["support"], *of["citation"]]
        statements = dict(map(claim_text, about_claims))
        statements |= {required_id(one): one.statement or "" for one in of["reference"]}
        cited = {claim_text(one)[0]: frozenset(one.place.cited) for one in about_claims if one.place.cited}
        conflicts = next(iter(of["conflicts"]), None)
        shown = [*(text for one in (*about_claims, *of["reference"]) for text in one.texts)]
        shown += [] if conflicts is None else conflicts.texts[1:]
        passages = {text.id: text for text in shown}
        longest = self.settings.context_characters
        look = _Look(session, self._batching, tuple(statements.items()), conflicts, cited)
        groups = list(passage_groups(passage_parts(passages.values(), longest), longest))
        return _Looked.merged(await every(look.at(group) for group in groups)) if groups else _Looked()

    def _ruling(self, question: Question, evidence: _Looked, comparison: _Comparison) -> Ruling | None:
        id_ = required_id(question) if question.kind in ("reference", "coverage") else claim_text(question)[0]
        ruling: Ruling | None
        match question.kind:
            case "support" | "citation" | "reference":
                shown = {text.id for text in question.texts}
                said = evidence.found.get(id_, {})
                ruling = SupportRuling(tuple(one for one in said.values() if one.passage in shown), self.stage)
            case "conflicts":
                ruling = ConflictsRuling(evidence.conflicts, self.stage)
            case "coverage":
                ruling = read.coverage_ruling(comparison.coverage[id_], question.texts[0].text, self.stage)
            case "agreement":
                ruling = AgreementRuling(comparison.agreement[id_].verdict, stage=self.stage)
            case "relevance":
                ruling = AddressedRuling(comparison.relevance[id_].addresses, self.stage)
            case "addressed":
                ruling = AddressedRuling(comparison.addressed, self.stage)
        return ruling


@dataclass(frozen=True, slots=True)
class _Looked:
    """What passages say about statements, and where they contradict each other; None: nobody looked."""

    found: read.Found = field(default_factory=dict[str, dict[str, Any]])
    conflicts: tuple[SourceConflict, ...] | None = None

    @classmethod
    def merged(cls, pieces: Sequence[_Looked]) -> _Looked:
        """Of pieces of one context. Passages that were never seen together may conflict: then none found is unknown."""
        if len(pieces) == 1:
            return pieces[0]
        conflicts = tuple(conflict for piece in pieces for conflict in piece.conflicts or ())
        return cls(read.merged(piece.found for piece in pieces), conflicts or None)


@dataclass(frozen=True, slots=True)
class _Look:
    """A look at passages: what they say about these statements, and, where it is asked, whether they conflict."""

    session: Session
    batching: Batching
    statements: tuple[NamedText, ...]
    conflicts: Question | None
    cited: Cited

    async def at(self, parts: Sequence[PassagePart]) -> _Looked:
        """What these passages say; where the server finds them too long, what each half says."""
        try:
            replies = await self.session.get(self.batching.support(self.statements, parts, self.conflicts, self.cited))
        except TransportError as error:
            if not error.too_long:
                raise
            if len(parts) == 1:
                advice = "one passage is too long for the model's context window; lower context_characters"
                raise JudgeError(f"{advice} ({error})", raw=error.raw, usage=error.usage) from error
            middle = len(parts) // 2
            return _Looked.merged(await every(self.at(half) for half in (parts[:middle], parts[middle:])))
        conflicts = None
        if any(hasattr(reply, "conflicts") for reply in replies):
            conflicts = tuple(read.conflicts_between(_rows(replies, "conflicts"), parts))
        return _Looked(read.passage_rulings(_rows(replies, "statements"), self.statements, parts), conflicts)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """What was replied about the answer against what it had to say, the reference and the question, by id."""

    coverage: Mapping[str, Any]
    agreement: Mapping[str, Any]
    relevance: Mapping[str, Any]
    addressed: bool | None

    @classmethod
    def of(cls, replies: Sequence[Part]) -> _Comparison:
        """Of all replies together."""
        addressed = [getattr(reply, "addresses_question", None) for reply in replies]
        return cls(
            *({row.id: row for row in _rows(replies, name)} for name in ("coverage", "agreement", "relevance")),
            addressed=next((said for said in addressed if said is not None), None),
        )


def _by_rule(case: Case, answer: Answer) -> Segmentation:
    """The answer before a model sees it: its sentences, and what its flag and its words say that it does.

    The reference are the statements of the reference answer, else the required claims.
    """
    sentences = split_claims(answer.text or "")
    stated = [claim.text for claim in split_claims(case.reference_answer or "") if claim.needs_evidence]
    reference = stated or [claim.text for claim in case.required_claims]
    return Segmentation(
        observe_behaviour(answer),
        sentences,
        tuple(Sentence(sentence.start, sentence.end, (sentence.id,)) for sentence in sentences),
        reference=tuple(reference) or None,
    )


def _rows(replies: Iterable[Part], field_: str) -> list[Any]:
    """The rows of that field over all replies that have it."""
    return [row for reply in replies for row in getattr(reply, field_, ())]
