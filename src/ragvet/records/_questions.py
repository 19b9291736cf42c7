"""What a judge is asked and what it replies: one question holds all that whoever decides is shown, and nothing else."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ragvet.records._case import Turn
from ragvet.records._trace import Usage
from ragvet.records._verdicts import (
    AgreementVerdict,
    BehaviourVerdict,
    Claim,
    CoverageVerdict,
    Quote,
    SourceConflict,
    SupportVerdict,
    Verdicts,
)

QuestionKind = Literal[
    "support", "citation", "reference", "conflicts", "coverage", "addressed", "agreement", "relevance"
]
"""What is asked.

`support`: what each supplied passage says about a claim. `citation`: what a passage that is only cited says about it.
`reference`: what the supplied passages say about a statement of the reference. `conflicts`: where passages disagree.
`coverage`: does the answer make a required claim. `addressed`: does the answer respond to the question. `agreement`:
how a claim stands to the reference. `relevance`: does a claim address the question.
"""

_HASH_DIGITS = 16


def _digest(*parts: object) -> str:
    content = json.dumps(parts, separators=(",", ":"))  # ASCII, so that half a character pair can be hashed too
    return hashlib.sha256(content.encode()).hexdigest()[:_HASH_DIGITS]


@dataclass(frozen=True)
class ShownText:
    """A text that is shown: a passage with its title, an answer, a reference. `id` says whence, and is not shown."""

    id: str = field(compare=False)
    text: str
    title: str | None = None

    @cached_property
    def digest(self) -> str:
        """Of what is shown; worked out once for all questions that show it."""
        return _digest(self.title, self.text)


@dataclass(frozen=True)
class Setting:
    """What an answer was given to: the question and the conversation before it."""

    question: str
    history: tuple[Turn, ...] = ()

    @cached_property
    def digest(self) -> str:
        """Of question and conversation."""
        return _digest(self.question, [(turn.role, turn.content) for turn in self.history])


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question comes from, kept beside it: the same question may come from other places in another run.

    Attributes:
        case_id, repeat: the trace.
        claim: id of the claim it is about, and `number`, the place of this claim in the answer, from 1.
        span: of the claim in the answer.
        required_claim: id of the required claim it is about.
        cited: ids of the passages that the answer cites for the claim: on them a row must come back.
    """

    case_id: str
    repeat: int
    claim: str | None = None
    number: int = 0
    span: tuple[int, int] | None = None
    required_claim: str | None = None
    cited: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """One question to whoever decides.

    Attributes:
        kind: what is asked.
        place: where it comes from; no part of what it is.
        setting: what the answer was given to.
        statement: the claim, the required claim or the statement of the reference that is judged; None: none is.
        before: the last sentences before the claim in its answer, as far as they help to understand it.
        texts: what is looked at: the passages, the answer, the reference.
        note: how to grade: other wordings that say the same as the statement.
        language: the code of the language the statement is in, where whoever cut it out of its text found one.
        markers: spans of citation markers inside the statement; they say nothing about the world.
    """

    kind: QuestionKind
    place: Place = field(compare=False)
    setting: Setting
    statement: str | None = None
    before: str = ""
    texts: tuple[ShownText, ...] = ()
    note: tuple[str, ...] = ()
    language: str | None = None
    markers: tuple[tuple[int, int], ...] = ()

    @cached_property
    def hash(self) -> str:
        """What identifies the question wherever it comes from: 16 hexadecimal digits of the SHA-256 of its content."""
        shown = [text.digest for text in self.texts]
        said = (self.statement, self.before, self.note, self.language, self.markers)
        return _digest(self.kind, self.setting.digest, shown, said)

    @property
    def bare(self) -> str:
        """The statement with its citation markers blanked, at the same length."""
        said = self.statement or ""
        for start, end in self.markers:
            said = said[:start] + " " * (end - start) + said[end:]
        return said


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of an answer and the ids of the claims it makes; a citation that stands in it backs them."""

    start: int
    end: int
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Segmentation:
    """What an answer claims, in order, and what it does, as one judge sees it.

    Attributes:
        behaviour: what the system did.
        claims: the statements of the answer, each with its span.
        sentences: what citations are placed on; None: on the claims that need evidence.
        language: the code of the language of the answer; None: not found out.
        reference: the statements of the reference; None: the case has none.
        reference_language: theirs.
        support_score: how well supported the answer is where it makes no claim to ask about; None: not scored.
        usage: what finding this out cost.
        servers: fingerprints the model servers gave with their replies.
        members: of a panel, what each of its judges saw.
        whole: of a judge that judges whole answers at once, all it said of this one.
    """

    behaviour: BehaviourVerdict
    claims: tuple[Claim, ...] = ()
    sentences: tuple[Sentence, ...] | None = None
    language: str | None = None
    reference: tuple[str, ...] | None = None
    reference_language: str | None = None
    support_score: float | None = None
    usage: Usage | None = None
    servers: frozenset[str] = frozenset()
    members: tuple[Segmentation, ...] = ()
    whole: Verdicts | None = None


@dataclass(frozen=True, slots=True)
class PassageRuling:
    """What one passage says about a statement; `score` is how strongly it supports it, from 0 to 1."""

    passage: str
    verdict: SupportVerdict
    quote: Quote | None = None
    missing_qualification: bool = False
    reason: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class SupportRuling:
    """On `support`, `citation` and `reference`: a row for each passage that says something, in order."""

    passages: tuple[PassageRuling, ...]
    stage: str | None = None


@dataclass(frozen=True, slots=True)
class CoverageRuling:
    """On `coverage`; the quote is from the answer."""

    verdict: CoverageVerdict
    quote: Quote | None = None
    reason: str | None = None
    stage: str | None = None


@dataclass(frozen=True, slots=True)
class AgreementRuling:
    """On `agreement`."""

    verdict: AgreementVerdict
    reason: str | None = None
    stage: str | None = None


@dataclass(frozen=True, slots=True)
class AddressedRuling:
    """On `addressed` and `relevance`; None: undecided."""

    addresses: bool | None
    stage: str | None = None


@dataclass(frozen=True, slots=True)
class ConflictsRuling:
    """On `conflicts`; None: there may be some between passages that nobody saw together."""

    conflicts: tuple[SourceConflict, ...] | None
    stage: str | None = None


Ruling = SupportRuling | CoverageRuling | AgreementRuling | AddressedRuling | ConflictsRuling


@dataclass(frozen=True, slots=True)
class Rulings:
    """What one judge replied to some questions, in their order; None: it does not decide such a question.

    Attributes:
        support_score: how well supported the answer is that the support questions are about; None: not scored.
        usage: what the replies cost.
        servers: fingerprints the model servers gave with them.
        members: of a panel, what each of its judges replied to the same questions.
    """

    rulings: tuple[Ruling | None, ...]
    support_score: float | None = None
    usage: Usage | None = None
    servers: frozenset[str] = frozenset()
    members: tuple[Rulings, ...] = ()
