"""Numbers, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, NonNegativeInt, model_validator

from ragvet.records._record import Record


class Scored(Record):
    """A value that is defined and identical under every assignment of what is unknown."""

    status: Literal["scored"] = "scored"
    value: float
    numerator: float | None = None
    denominator: float | None = None


class Bounded(Record):
    """The exact range over all assignments of what is unknown under which the metric is defined."""

    status: Literal["bounded"] = "bounded"
    low: float
    high: float
    reason: str
    may_drop: bool = Field(
        default=False, description="Under some assignment it is not defined: then it drops out of a mean."
    )

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low > self.high:
            raise ValueError(f"low ({self.low}) must not exceed high ({self.high})")
        return self


class Undefined(Record):
    """There is nothing to measure here; the reason says what is missing."""

    status: Literal["undefined"] = "undefined"
    reason: str


class Failed(Record):
    """It should have been measured and could not be: the target or the judge failed."""

    status: Literal["failed"] = "failed"
    error: str


Outcome = Annotated[Scored | Bounded | Undefined | Failed, Field(discriminator="status")]


class Score(Record):
    """One metric on one case and repeat."""

    metric: str = Field(description="As printed, with its parameters: nDCG@10.")
    version: NonNegativeInt
    case_id: str
    repeat: NonNegativeInt = 0
    outcome: Outcome


Family = Literal[
    "Retrieval",
    "Faithfulness to the context",
    "Citations",
    "Completeness and accuracy",
    "Refusal, clarification, routing",
    "Use of context and sources",
    "Text that must not appear",
    "Tested, produced, validated",
    "Structured answers",
    "Time and money",
]
"""What a metric is about: where reports show it, in this order."""


Stage = Literal[
    "annotation valid",
    "in the corpus",
    "permitted",
    "in force",
    "retrieved",
    "above the cut",
    "supplied",
    "used",
    "supported",
    "on the question",
    "complete",
    "cited",
    "behaved",
    "contract",
    "judged",
]
"""Where a case can break, in the order in which evidence travels; what each means stands with `evidence_path`."""


class Fault(Record):
    """When a metric shows, whatever is unknown, that something is wrong with a case: what *look first* is made of."""

    says: str = Field(description="What is wrong, in words: answered where it should have refused.")
    gravity: NonNegativeInt = Field(description="0 is the gravest; cases are ordered by it.")
    above: float | None = Field(default=None, description="Wrong where the whole range lies above this.")
    below: float | None = Field(default=None, description="Wrong where the whole range lies below this.")
    at_most: float | None = Field(default=None, description="Wrong where the whole range lies at or below this.")
    counts: str | None = Field(
        default=None, description="What the numerator counts, where the words want a number before them: claim."
    )
    depth: Literal["supplied"] | None = Field(
        default=None, description="supplied: of a metric with a cutoff, only at the depth the model was given."
    )


class MetricDeclaration(Record):
    """What a metric is, apart from who computes it. What is done with a metric hangs on this, never on its name."""

    name: str
    version: NonNegativeInt
    title: str = Field(description="One line: what the reader learns from it.")
    direction: Literal["higher", "lower", "none"] = Field(
        description="Which way is better; none: a description, not a quality."
    )
    low: float | None = Field(default=0.0, description="Smallest possible value; None: unbounded.")
    high: float | None = Field(default=1.0, description="Largest possible value; None: unbounded.")
    family: Family = Field(description="Where reports show it.")
    headline: NonNegativeInt | None = Field(
        default=None, description="Its place among what a reader sees first, 0 before all; None: with the others."
    )
    stage: Stage | None = Field(
        default=None,
        description="Which stage of the evidence path it shows: passed where its whole range lies at its better end.",
    )
    fault: Fault | None = Field(default=None, description="When it shows that something is wrong with a case.")
    akin_to: str | None = Field(
        default=None, description="A metric that says nearly the same: where there is no room for both, that is shown."
    )
    production: Literal["produced", "validated"] | None = Field(
        default=None, description="What its 1 says of a tested case in the table of what was produced and validated."
    )
    grows_with_depth: bool = Field(
        default=False,
        description="It can only grow with its cutoff: a better order may win what a depth lacks.",
    )
    applies_to: str = Field(
        default="every case with reference passages",
        description="Which cases are eligible; it hangs on the case alone, never on what the system did.",
    )
    needs: str = Field(description="What must be there: judgments, answer, supplied context …")
    undefined_when: str
    does_not_catch: str = Field(description="The failure this number is blind to; shown beside it.")
    formula: str
    reference: str = Field(description="Where the definition comes from.")


class Summary(Record):
    """One metric in one stratum.

    `low`/`high` are the means with every unknown at its worst and its best, and cases that may drop out of the mean in
    it or out of it, whichever is worse or better; `mean` is set only where nothing is unknown.
    `failed_low`/`failed_high` are the same with the failed items put at the ends of the metric's range.
    Means are over cases: repeats of a case are averaged first.
    """

    metric: str
    version: NonNegativeInt
    stratum: str = Field(description="'all', or label=value, e.g. category=billing.")
    eligible: NonNegativeInt
    scored: NonNegativeInt
    bounded: NonNegativeInt
    may_drop: NonNegativeInt = Field(
        default=0, description="Of the bounded ones those that may turn out undefined, and drop out of the mean."
    )
    undefined: Mapping[str, NonNegativeInt] = Field(default_factory=dict, description="Reason → cases.")
    failed: NonNegativeInt
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    failed_low: float | None = None
    failed_high: float | None = None
