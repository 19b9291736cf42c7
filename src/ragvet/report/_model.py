"""What a report says, before anyone decides how it looks. `ragvet report --json` prints exactly this."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt

from ragvet.gate import Decision
from ragvet.records import Behaviour, MetricDeclaration, ObservedBehaviour, Record, Summary

__all__ = [
    "AmbiguousCase",
    "BehaviourCell",
    "CaseToSee",
    "Depths",
    "FailureCause",
    "Latency",
    "MetricReport",
    "Observed",
    "Production",
    "Report",
    "RunFacts",
    "StageUsage",
]

Observed = ObservedBehaviour | Literal["undecided", "failed"]
"""What the system did; `undecided`: no rule or judge could tell, `failed`: there is no answer or no verdict."""


class RunFacts(Record):
    """What was run: enough to run it again, and to see whether two reports may be compared."""

    run_id: str
    started_at: datetime
    seconds: NonNegativeFloat | None
    dataset: str
    dataset_fingerprint: str
    judgments: str | None
    corpus_fingerprint: str | None
    target: str
    target_fingerprint: str
    judges: tuple[str, ...] = Field(description="Fingerprint of every judge whose verdicts the run holds.")
    config_fingerprint: str
    supplied_k: NonNegativeInt
    deep_k: NonNegativeInt
    repeats: NonNegativeInt
    seed: int
    code: str | None
    versions: Mapping[str, str]
    system_versions: Mapping[str, tuple[str, ...]] = Field(
        description="What the target said of itself: embedding, index, model … Several: it changed meanwhile."
    )
    cases: NonNegativeInt
    items: NonNegativeInt = Field(description="Cases times repeats.")
    answered: NonNegativeInt
    target_failures: NonNegativeInt
    judge_failures: NonNegativeInt
    unmarked: NonNegativeInt = Field(default=0, description="Cases to be answered without marked evidence.")
    left_out: Mapping[str, NonNegativeInt] = Field(
        default_factory=dict, description="Split → cases of the golden set that were not asked."
    )
    stale_annotations: NonNegativeInt
    unplaced_chunks: NonNegativeInt = 0


class MetricReport(Record):
    """One metric: what it is, over all cases, and per stratum."""

    declaration: MetricDeclaration
    overall: Summary
    strata: Mapping[str, tuple[Summary, ...]] = Field(
        description="Label → its strata, the worst first. The category comes before other labels."
    )
    ambiguous: Summary | None = Field(default=None, description="Cases reviewers disagree about: outside the others.")

    @property
    def measured(self) -> bool:
        """False where every eligible case is undefined: the run holds nothing this metric could look at."""
        return self.overall.low is not None or self.overall.failed > 0


class Depths(Record):
    """One metric at the depth the model sees and at the deeper one; the gap is what a reranker can win."""

    metric: str = Field(description="Without its depth: recall.")
    stratum: str
    supplied: Summary
    deep: Summary
    gap_low: float | None = Field(description="Smallest possible gain of the deeper one; None: undefined.")
    gap_high: float | None


class BehaviourCell(Record):
    """Items with one expected and one observed behaviour, joined to what retrieval had brought.

    An item has evidence where at least one gold passage of grade 1 or more was supplied, or stands in the supplied
    depth where the target did not report what it supplied. `no_gold` are items whose case names no gold passage: there
    was nothing to find. `not_reported` are items that failed, whose target did not say what it retrieved, or of
    which nobody marked the evidence although they are to be answered.
    `nothing_shown` are those of all these whose target reported that no passage was before the model, `judge_failed`
    those it answered and nobody could judge.
    """

    expected: Behaviour
    observed: Observed
    items: NonNegativeInt
    with_evidence: NonNegativeInt
    without_evidence: NonNegativeInt
    no_gold: NonNegativeInt
    not_reported: NonNegativeInt = 0
    nothing_shown: NonNegativeInt = 0
    judge_failed: NonNegativeInt = 0
    case_ids: tuple[str, ...]


class Production(Record):
    """Tested, produced, validated; answers and abstentions have their own sets and are never added up.

    Produced is an answer with text; among expected abstentions it is an answer that should not have been given.
    `…_undecided` are items of which nobody could tell: the count lies between the number and the number plus these.
    """

    family: Literal["answer", "abstention"] = Field(description="What was expected.")
    tested: NonNegativeInt
    produced: NonNegativeInt
    produced_undecided: NonNegativeInt = 0
    validated: NonNegativeInt | None = Field(description="None: nothing declares when an answer is valid.")
    validated_undecided: NonNegativeInt = 0


class FailureCause(Record):
    """Items that failed for one cause with one message; a cause's rarer messages stand together in its last row."""

    stage: Literal["target", "judge"]
    cause: str
    example: str | None = Field(description="The message of the first of them; it may quote the target's reply.")
    messages: PositiveInt = Field(default=1, description="Distinct messages of these items, the example among them.")
    items: NonNegativeInt
    case_ids: tuple[str, ...]

    @property
    def said(self) -> str | None:
        """The message, or how many there are and one of them; None: messages are left out."""
        if self.example is None or self.messages == 1:
            return self.example
        return f"{self.messages:,} further messages, e.g. {self.example}"


class CaseToSee(Record):
    """A case something is certainly wrong with."""

    case_id: str
    critical: bool = Field(description="Whether it breaks a critical rule of the policy.")
    wrong: tuple[str, ...] = Field(description="What is wrong with it in words, the gravest first.")

    @property
    def said(self) -> str:
        """All of it in one line."""
        return ("critical: " if self.critical else "") + "; ".join(self.wrong)


class AmbiguousCase(Record):
    """A case whose reviewers did not agree: data, outside pass and fail."""

    case_id: str
    reviewers: tuple[str, ...]
    note: str | None


class Latency(Record):
    """Seconds of one stage over the items that reported it."""

    stage: str
    n: NonNegativeInt
    p50: NonNegativeFloat
    p95: NonNegativeFloat
    p99: NonNegativeFloat
    maximum: NonNegativeFloat


class StageUsage(Record):
    """Tokens and money of one stage. None: nobody reported it, which is not zero."""

    stage: str
    spender: Literal["target", "judge"]
    items: NonNegativeInt = Field(description="Items that could have reported.")
    priced: NonNegativeInt = Field(description="Items that reported a cost; the sum is over these.")
    cost: NonNegativeFloat | None
    input_tokens: NonNegativeInt | None
    output_tokens: NonNegativeInt | None


class Report(Record):
    """Everything a report says about a run apart from its single cases. Holds no document text."""

    format: Literal["ragvet.report/1"] = "ragvet.report/1"
    run: RunFacts
    gate: Decision | None = Field(default=None, description="What the gate decided, where it was asked.")
    retrieval: tuple[MetricReport, ...]
    answers: tuple[MetricReport, ...]
    depths: tuple[Depths, ...]
    behaviours: tuple[BehaviourCell, ...]
    production: tuple[Production, ...]
    failures: tuple[FailureCause, ...]
    ambiguous: tuple[AmbiguousCase, ...]
    look_first: tuple[CaseToSee, ...] = Field(default=(), description="The worst cases, at most eight.")
    amiss: NonNegativeInt = Field(default=0, description="Cases something is certainly wrong with, these among them.")
    latency: tuple[Latency, ...]
    usage: tuple[StageUsage, ...]
