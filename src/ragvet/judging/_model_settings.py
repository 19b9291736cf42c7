"""The `[judge]` table of `ragvet.toml` for a model judge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    model_validator,
)

from ragvet.records import EnvironmentName, Record

Mode = Literal["json_schema", "json_object_schema", "tool", "json_object", "text"]
"""How a server is told the form of its reply, the strictest first; a probe finds out which one it can do."""

Topic = Literal["support", "conflicts", "reference", "coverage", "agreement", "relevance"]
TOPICS: tuple[Topic, ...] = ("support", "conflicts", "reference", "coverage", "agreement", "relevance")


class Price(Record):
    """What the server charges, in US dollars per million tokens, where the public price list does not know it."""

    input: NonNegativeFloat
    output: NonNegativeFloat


class ModelSettings(Record):
    """Which model judges, how it is asked, and what it may cost. There is no default vendor and no default model.

    Give `base_url` for a server that speaks the OpenAI-compatible wire (vLLM, llama.cpp, Ollama, most vendors), or
    `provider` for one that does not (needs the extra `llm`).
    """

    model_config = ConfigDict(protected_namespaces=())

    kind: Literal["model"] = "model"
    model: Annotated[str, Field(min_length=1, description="As the server names it.")]
    base_url: str | None = Field(
        default=None, pattern=r"^https?://", description="Up to and without /chat/completions."
    )
    provider: Literal["anthropic", "google", "bedrock"] | None = None
    api_key_env: EnvironmentName | None = Field(
        default=None, description="Name of the environment variable with the key."
    )

    mode: Mode | Literal["auto"] = Field(default="auto", description="auto: probed once and recorded.")
    temperature: NonNegativeFloat | None = Field(default=0.0, description="None: not sent; some models refuse it.")
    seed: int | None = None
    max_output_tokens: PositiveInt = 4096
    output_limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    extra_body: Mapping[str, Any] = Field(default_factory=dict, description="Further fields of every request.")

    ask: tuple[Topic, ...] = Field(default=TOPICS, min_length=1, description="Claims and behaviour are always asked.")
    questions: Literal["grouped", "single"] = Field(
        default="grouped",
        description="grouped: at most 3 requests an answer. single: one question each, for small models.",
    )
    context_characters: PositiveInt = Field(
        default=60_000, ge=1000, description="Longest run of passages in one request; longer contexts become several."
    )
    language: str = Field(default="en", pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$", description="Of the prompts.")
    prompts: Path | None = Field(default=None, description="Folder whose files replace the built-in prompts.")
    repeat: NonNegativeInt = Field(default=0, description="Ask the same again as the n-th independent repetition.")

    concurrency: PositiveInt = Field(
        default=16, description="Requests, and answers, at once; fewer after timeouts and overloads."
    )
    timeout: PositiveFloat = Field(default=120.0, description="Seconds for one attempt, to the last byte.")
    deadline: PositiveFloat = Field(
        default=600.0, description="Seconds for one request with all its attempts and waits."
    )
    attempts: PositiveInt = Field(default=4, description="How often a request is sent when the server fails.")
    proxy_from_environment: bool = Field(default=False, description="Honour HTTP_PROXY, HTTPS_PROXY and NO_PROXY.")

    price: Price | None = Field(default=None, description="Overrides the public price list.")
    budget: NonNegativeFloat | None = Field(
        default=None, allow_inf_nan=False, description="US dollars; judging stops cleanly before it."
    )

    @property
    def identity(self) -> dict[str, Any]:
        """What decides the reply besides prompt and mode: server, model and decoding; never the key."""
        where = {"base_url": self.base_url} if self.provider is None else {"provider": self.provider}
        decoding = {"model", "temperature", "seed", "max_output_tokens", "extra_body"}
        return {**where, **self.model_dump(include=decoding, mode="json")}

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.base_url is None) == (self.provider is None):
            raise ValueError(
                "give base_url (an OpenAI-compatible server) or provider (a vendor's own API): exactly one"
            )
        return self
