"""Judged facts about one answer. Every metric of answers is arithmetic over these; none asks a judge itself."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, NonNegativeInt

from ragvet.records._record import Record
from ragvet.records._trace import ObservedBehaviour, Usage

SupportVerdict = Literal["supported", "partial", "contradicted", "unsupported", "undecided", "unverified"]
"""`unverified`: a judge said supported, partial or contradicted, but the quote it gave does not show it."""

CoverageVerdict = Literal["covered", "partial", "missing", "contradicted", "undecided"]
AgreementVerdict = Literal["agree", "contradict", "extra", "undecided"]


class Quote(Record):
    """Words of a text that code has found there: `start`/`end` span that text."""

    text: str
    start: NonNegativeInt
    end: NonNegativeInt
    edit_distance: NonNegativeInt = 0


class Claim(Record):
    """One statement of the answer, with its span in the answer text."""

    id: str
    text: str
    start: NonNegativeInt
    end: NonNegativeInt
    needs_evidence: bool = True
    addresses_question: bool | None = Field(default=None, description="None: not judged.")


class Decided(Record):
    """Something that was put to a judge, a rule or a person and decided, and how."""

    question: str | None = Field(
        default=None, description="Hash of all that whoever decided was shown. None: nobody was asked, code knows."
    )
    stage: str | None = Field(default=None, description="What decided: rules, or the fingerprint of a model.")
    score: float | None = Field(default=None, ge=0, le=1, description="How sure it was, where it says so.")
    rater: str | None = Field(default=None, description="The person who decided, where it was one.")


class Support(Decided):
    """What one passage says about one claim. `passage` is a chunk id of the trace's supplied context."""

    claim: str
    passage: str
    verdict: SupportVerdict
    quote: Quote | None = Field(default=None, description="Verified words of the passage.")
    missing_qualification: bool = Field(
        default=False, description="The passage holds a scope, number, date or condition the claim dropped."
    )
    reason: str | None = None


class CitationVerdict(Decided):
    """What one citation is worth. `citation` is its index in the answer. None: could not be checked."""

    citation: NonNegativeInt
    claims: tuple[str, ...] = Field(default=(), description="The claims it backs.")
    resolves: bool | None = Field(description="Points at a chunk or document that exists.")
    retrieved: bool | None = Field(description="Points at something this trace retrieved or supplied.")
    right_version: bool | None = Field(description="Points at the document version that held on the effective date.")
    permitted: bool | None = Field(default=None, description="The caller may open it.")
    verdict: SupportVerdict = Field(description="Does it support every claim it backs?")
    quote: Quote | None = None
    reason: str | None = None


class Coverage(Decided):
    """Whether the answer makes one required claim. The quote is from the answer."""

    required_claim: str
    verdict: CoverageVerdict
    quote: Quote | None = None
    reason: str | None = None


class Agreement(Decided):
    """How one claim of the answer stands to the reference answer."""

    claim: str
    verdict: AgreementVerdict
    reason: str | None = None


class ReferenceSupport(Decided):
    """Whether the supplied context supports one statement of the reference answer."""

    statement: str
    verdict: SupportVerdict
    passage: str | None = None
    quote: Quote | None = None


class BehaviourVerdict(Record):
    """What the system did, and how that is known: its own flag, a phrase, a judge. None: undecided."""

    observed: ObservedBehaviour | None
    source: str


class SourceConflict(Record):
    """Two passages that disagree about one thing; `surfaced` says whether the answer tells the reader."""

    passages: tuple[str, str]
    about: str
    surfaced: bool | None = None


class Verdicts(Record):
    """Everything judged about one trace by one judge."""

    case_id: str
    repeat: NonNegativeInt = 0
    judge: str = Field(description="Fingerprint of the judge.")
    behaviour: BehaviourVerdict
    claims: tuple[Claim, ...] = ()
    support: tuple[Support, ...] = ()
    citations: tuple[CitationVerdict, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    agreement: tuple[Agreement, ...] = ()
    reference_support: tuple[ReferenceSupport, ...] | None = Field(default=None, description="None: not judged.")
    conflicts: tuple[SourceConflict, ...] | None = Field(default=None, description="None: not judged.")
    addresses_question: bool | None = Field(default=None, description="None: undecided or not judged.")
    support_score: float | None = Field(default=None, description="Orders review queues; never a metric.")
    usage: Usage | None = None
    members: tuple[Verdicts, ...] = Field(default=(), description="Of a panel: what each judge said, in their order.")

    @property
    def key(self) -> tuple[str, int]:
        """What identifies the judged trace inside its run: case id and repeat."""
        return self.case_id, self.repeat


class JudgeFailure(Record):
    """A judge failed on this trace: an item that counts as failed, never as a low or a high score."""

    case_id: str
    repeat: NonNegativeInt = 0
    judge: str
    error: str
    raw: str | None = None
    usage: Usage | None = None

    @property
    def key(self) -> tuple[str, int]:
        """What identifies the judged trace inside its run: case id and repeat."""
        return self.case_id, self.repeat
