"""What the system under test did for one case."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, Self, cast

from pydantic import AliasChoices, Field, NonNegativeFloat, NonNegativeInt, model_validator

from ragvet.records._case import Identity
from ragvet.records._record import Record

ObservedBehaviour = Literal["answered", "refused", "clarified", "routed"]


class RetrievedItem(Record):
    """One chunk the system retrieved. A bare string stands for its `chunk_id`."""

    chunk_id: str = Field(min_length=1, validation_alias=AliasChoices("chunk_id", "id"))
    doc_id: str | None = None
    doc_version: str | None = None
    title: str | None = None
    text: str | None = None
    start: NonNegativeInt | None = Field(default=None, description="First character of the chunk in the document.")
    end: NonNegativeInt | None = None
    score: float | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_id(cls, value: object) -> object:
        return {"chunk_id": value} if isinstance(value, str) else value


class RetrievalCall(Record):
    """One query to the index and the ranking it gave, best first."""

    query: str | None = Field(default=None, description="As sent to the index; None: the question itself.")
    items: tuple[RetrievedItem, ...]
    reranked: tuple[RetrievedItem, ...] | None = Field(
        default=None, description="The order after reranking, where there is such a stage."
    )
    filters: Mapping[str, Any] = Field(default_factory=dict)

    @property
    def ranking(self) -> tuple[RetrievedItem, ...]:
        """The final order of this call: reranked where that stage exists."""
        return self.items if self.reranked is None else self.reranked


class Citation(Record):
    """A pointer from (a part of) the answer to evidence. `start`/`end` span the answer text it backs, if known."""

    chunk_id: str | None = None
    doc_id: str | None = None
    doc_version: str | None = None
    marker: str | None = Field(default=None, description="As it stands in the answer, e.g. [2].")
    start: NonNegativeInt | None = None
    end: NonNegativeInt | None = None
    quote: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_id(cls, value: object) -> object:
        return {"chunk_id": value} if isinstance(value, str) else value


class Usage(Record):
    """Tokens and money of one stage. None: not reported, which is not zero."""

    input_tokens: NonNegativeInt | None = None
    output_tokens: NonNegativeInt | None = None
    cost: NonNegativeFloat | None = Field(default=None, description="In US dollars.")


class CacheLookup(Record):
    """One look of a stage into its cache. A bare string stands for a hit of that stage."""

    stage: str = Field(min_length=1, description="The stage that looked, e.g. retrieval or generation.")
    hit: bool = Field(description="Whether it found what it looked for.")
    key: str | None = Field(default=None, description="What it looked up.")
    scope: str | None = Field(default=None, description="Who shares the cache, e.g. a user, a tenant, everybody.")

    @model_validator(mode="before")
    @classmethod
    def _from_stage(cls, value: object) -> object:
        return {"stage": value, "hit": True} if isinstance(value, str) else value


class ToolCall(Record):
    """One call of a tool by the model, and what came of it. A bare string stands for its `name`."""

    name: str = Field(min_length=1)
    arguments: Any = Field(default=None, description="As called: an object, or the text where it is none.")
    result: Any = Field(default=None, description="What the tool gave. None: not reported.")

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, value: object) -> object:
        return {"name": value} if isinstance(value, str) else value


UNKNOWN_STAGE = "unknown"
"""Stands where a target counts what it did, but not at which stage."""


class Answer(Record):
    """What a target returns for one question.

    `retrieved=[…]` is accepted as short for one retrieval call: `retrievals=[{"items": […]}]`, `cache_hits=[…]` for
    stages that hit their cache, and a whole number of `retries` for retries at a stage nobody names. An empty
    `cache_hits` and 0 `retries` are what earlier versions wrote where nothing was reported.
    """

    text: str | None = None
    retrievals: tuple[RetrievalCall, ...] = ()
    supplied: tuple[RetrievedItem, ...] | None = Field(
        default=None,
        description="What the model saw, in order. None: not reported. Empty: nothing was supplied.",
    )
    context: str | None = Field(default=None, description="The exact assembled context.")
    citations: tuple[Citation, ...] | None = Field(default=None, description="None: not reported.")
    behaviour: ObservedBehaviour | None = Field(default=None, description="The system's own flag, if it has one.")
    usage: Mapping[str, Usage] = Field(default_factory=dict, description="By stage, e.g. generation, embedding.")
    timings: Mapping[str, NonNegativeFloat] = Field(default_factory=dict, description="Seconds by stage.")
    versions: Mapping[str, str] = Field(
        default_factory=dict, description="embedding, index, chunk size, reranker, prompt, model, decoding …"
    )
    cache: tuple[CacheLookup, ...] | None = Field(default=None, description="None: not reported. Empty: no cache.")
    tool_calls: tuple[ToolCall, ...] | None = Field(
        default=None, description="In order. None: not reported. Empty: no tool was called."
    )
    finish_reason: str | None = Field(
        default=None, description="Why the model ended, in its server's words, e.g. stop or length."
    )
    session: str | None = Field(default=None, description="Id of the conversation the system kept the question in.")
    retries: Mapping[str, NonNegativeInt] | None = Field(
        default=None, description="The system's own, by stage. None: not reported."
    )

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        fields = cast("dict[str, Any]", value).copy()
        if "retrieved" in fields:
            if fields.pop("retrievals", None):
                raise ValueError("retrieved (one call) or retrievals (several), not both")
            fields["retrievals"] = ({"items": fields.pop("retrieved")},)
        if "cache_hits" in fields and (hits := fields.pop("cache_hits")):
            if fields.get("cache"):
                raise ValueError("cache_hits (stages alone) or cache (each look), not both")
            fields["cache"] = hits
        retries = fields.get("retries")
        if isinstance(retries, int) and not isinstance(retries, bool):
            fields["retries"] = {UNKNOWN_STAGE: retries} if retries else None
        return fields

    @model_validator(mode="after")
    def _no_duplicates(self) -> Self:
        for number, call in enumerate(self.retrievals, start=1):
            for stage, items in (("items", call.items), ("reranked", call.reranked or ())):
                if len({item.chunk_id for item in items}) < len(items):
                    seen: set[str] = set()
                    twice = next(i.chunk_id for i in items if i.chunk_id in seen or seen.add(i.chunk_id))
                    raise ValueError(
                        f"each chunk once in a ranking; {twice!r} is ranked twice in retrieval call {number}, {stage}"
                    )
        return self


class TraceError(Record):
    """Why a case has no answer."""

    kind: str = Field(description="Name of the exception, e.g. TargetTimeout.")
    message: str


class Trace(Record):
    """Everything the target did for one case and repeat. Exactly one of `answer` and `error` is set."""

    case_id: str
    repeat: NonNegativeInt = 0
    question: str
    identity: Identity | None = None
    answer: Answer | None = None
    error: TraceError | None = None
    attempts: NonNegativeInt = 1
    started_at: datetime | None = None
    latency: NonNegativeFloat | None = Field(default=None, description="Seconds, as measured by the caller.")

    @model_validator(mode="after")
    def _one_outcome(self) -> Self:
        if (self.answer is None) == (self.error is None):
            raise ValueError("an answer or an error, exactly one of them")
        return self

    @property
    def key(self) -> tuple[str, int]:
        """What identifies the trace inside its run: case id and repeat."""
        return self.case_id, self.repeat
