"""What people write: cases of the golden set and the evidence they name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, NonNegativeInt, field_validator, model_validator

from ragvet.records._record import Day, Record

Behaviour = Literal["answer", "refuse", "clarify", "route"]
Split = Literal["dev", "holdout", "calibration"]
JudgmentScope = Literal["exhaustive", "listed"]
"""`exhaustive`: what is not listed is non-relevant. `listed`: only what is listed is judged, the rest is unknown."""

Filled = Annotated[str, Field(min_length=1, pattern=r"\S")]
"""Text that is not blank."""


class Turn(Record):
    """One earlier turn of a conversation."""

    role: Literal["user", "assistant", "system"]
    content: str


class Identity(Record):
    """The caller on whose behalf the question is asked: trusted access context, never taken from the question."""

    id: str
    groups: tuple[str, ...] = ()
    attributes: Mapping[str, str] = Field(default_factory=dict)


class Passage(Record):
    """Gold evidence: a span of one document version, independent of any chunking.

    It is located by the most exact of what is given: `chunk_ids`, else `start`/`end`, else `quote`, else the whole
    document. `grade` 0 says: judged, and not relevant. Passages sharing `any_of` are alternatives: one of them
    reached is enough, and is worth as much as the best of them. Passages sharing `all_of` count only when every one of
    them is reached.
    """

    doc_id: str = Field(min_length=1)
    doc_version: str | None = None
    locator: str | None = Field(default=None, description="Where a human finds it: page, section, heading.")
    quote: str | None = Field(default=None, description="Verbatim text of the passage.")
    start: NonNegativeInt | None = Field(default=None, description="First character in the document version.")
    end: NonNegativeInt | None = Field(default=None, description="One past the last character.")
    chunk_ids: tuple[str, ...] = ()
    grade: NonNegativeInt = Field(default=1, le=100, description="Graded relevance; 0 is judged non-relevant.")
    any_of: str | None = None
    all_of: str | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.start is None) != (self.end is None):
            raise ValueError("start and end go together: give both or neither")
        if self.start is not None and self.end is not None and self.end <= self.start:
            raise ValueError(f"end ({self.end}) must be greater than start ({self.start})")
        if self.any_of is not None and self.all_of is not None:
            raise ValueError("a passage belongs to one group: give any_of or all_of, not both")
        return self


class RequiredClaim(Record):
    """A statement the answer must make."""

    id: str | None = Field(default=None, description="Stable id; by default its place in the list: 1, 2, …")
    text: str = Field(min_length=1)
    materiality: Literal["material", "minor"] = "material"
    kind: Literal["fact", "prerequisite", "exception", "next_action"] = "fact"
    accept: tuple[str, ...] = Field(
        default=(),
        description=(
            "Wordings that say it. They decide: one found verbatim in an answer covers the claim, and where none is "
            "found the offline judge takes it for missing unless it can settle it otherwise."
        ),
    )


class OutputContract(Record):
    """What a structured (JSON) answer must look like and say."""

    json_schema: Mapping[str, Any] | None = None
    fields: Mapping[str, Any] = Field(
        default_factory=dict, description="JSON pointer (/total/amount) or top-level name → the right value."
    )

    @model_validator(mode="after")
    def _plain_json(self) -> Self:
        try:
            json.dumps([self.json_schema, self.fields], default=dict, allow_nan=False, ensure_ascii=False).encode()
        except (TypeError, ValueError, RecursionError):
            raise ValueError("plain JSON: finite numbers, whole characters, nothing inside itself") from None
        return self


class Adjudication(Record):
    """Who reviewed the case and whether they agreed. Not agreed means the case is ambiguous: data, not a failure."""

    reviewers: tuple[str, ...] = ()
    agreed: bool = Field(description="Whether the reviewers agreed: true or false, there is no default.")
    note: str | None = None


_BESIDE = {"id", "category", "labels", "source", "adjudication", "group", "split", "added"}
"""Fields of a case that are no part of the exam."""


class Case(Record):
    """One question with its expectations."""

    id: Filled
    question: Filled = Field(description="Verbatim user wording.")
    history: tuple[Turn, ...] = ()
    category: Filled = Field(description="The default stratum.")
    labels: Mapping[str, str] = Field(
        default_factory=dict, description="Further strata: risk, language, question type, synthetic or real …"
    )
    expected_behaviour: Behaviour
    reference_answer: str | None = None
    required_claims: tuple[RequiredClaim, ...] = ()
    reference_passages: tuple[Passage, ...] = ()
    output_contract: OutputContract | None = None
    must_not_contain: tuple[Filled, ...] = Field(
        default=(), description="Text no answer may repeat: the marker of a planted instruction, a secret."
    )
    corpus_snapshot: str | None = None
    identity: Identity | None = None
    effective_date: Day | None = None
    source: str | None = Field(default=None, description="Where the question comes from.")
    adjudication: Adjudication | None = None
    group: str | None = Field(default=None, description="Paraphrases and same-source questions share one.")
    split: Split | None = None
    added: Day | None = None

    @field_validator("labels", mode="after")
    @classmethod
    def _strata_of_their_own(cls, labels: Mapping[str, str]) -> Mapping[str, str]:
        if "category" in labels:
            raise ValueError("labels beside the category, which is a field of its own")
        if any("=" in name or not name.strip() for name in labels):
            raise ValueError("names of labels that are not blank and hold no '=': a stratum is written label=value")
        return labels

    @property
    def ambiguous(self) -> bool:
        """True where the reviewers did not agree; such a case is reported on its own line, outside pass and fail."""
        return self.adjudication is not None and not self.adjudication.agreed

    @property
    def unmarked(self) -> bool:
        """True where it is to be answered and nobody has marked what from: nobody can tell what should be retrieved."""
        return self.expected_behaviour == "answer" and not self.reference_passages

    @property
    def strata(self) -> dict[str, str]:
        """Every slice the case belongs to, the category first: {"category": "billing", "risk": "high"}."""
        return {"category": self.category, **self.labels}

    @property
    def fingerprint(self) -> str:
        """Of what is asked and what is expected, 16 hexadecimal digits.

        Two cases of one id are the same exam where it is equal. What people note beside it (category, labels, source,
        reviewers, group, split, date) may change.
        """
        said = self.model_dump_json(exclude=_BESIDE, exclude_defaults=True)
        return hashlib.sha256(json.dumps(json.loads(said), sort_keys=True).encode()).hexdigest()[:16]

    def claim_id(self, index: int) -> str:
        """The id of the required claim at `index`: its own, or its place counted from 1."""
        return self.required_claims[index].id or str(index + 1)
