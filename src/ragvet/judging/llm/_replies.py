"""The forms of the model's replies, from which their JSON Schemas are made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, create_model
from pydantic.json_schema import GenerateJsonSchema

from ragvet.records import ObservedBehaviour


class Part(BaseModel):
    """A piece of a reply: nothing more and nothing else than what is asked."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class StatedClaim(Part):
    text: str
    needs_evidence: bool


class SentenceClaims(Part):
    id: str
    claims: list[StatedClaim]


class PassageEvidence(Part):
    passage: str
    quote: str
    verdict: Literal["supported", "partial", "contradicted", "unsupported"]
    missing_qualification: bool


class StatementEvidence(Part):
    id: str
    evidence: list[PassageEvidence]


class ConflictFound(Part):
    first_passage: str
    second_passage: str
    about: str
    surfaced: bool


class CoverageFound(Part):
    id: str
    quote: str
    verdict: Literal["covered", "partial", "contradicted", "missing"]


class AgreementFound(Part):
    id: str
    verdict: Literal["agree", "contradict", "extra"]


class RelevanceFound(Part):
    id: str
    addresses: bool


FIELDS: dict[str, tuple[str, Any]] = {
    "behaviour": ("behaviour", ObservedBehaviour),
    "claims": ("sentences", list[SentenceClaims]),
    "support": ("statements", list[StatementEvidence]),
    "conflicts": ("conflicts", list[ConflictFound]),
    "coverage": ("coverage", list[CoverageFound]),
    "agreement": ("agreement", list[AgreementFound]),
    "relevance": ("relevance", list[RelevanceFound]),
    "addressed": ("addresses_question", bool),
}
"""Topic → the field of the reply that answers it, and its form."""


class _Untitled(GenerateJsonSchema):
    """Schemas without the titles that repeat each name: they cost tokens and say nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the signature is pydantic's
        return False

    def model_schema(self, schema: Any) -> dict[str, Any]:
        return {name: value for name, value in super().model_schema(schema).items() if name != "title"}


@lru_cache(maxsize=64)
def reply_form(topics: tuple[str, ...]) -> type[Part]:
    """The form of a reply to a request about these topics."""
    fields: dict[str, Any] = {"key": (str, ...)} | {FIELDS[topic][0]: (FIELDS[topic][1], ...) for topic in topics}
    return create_model("Reply", __base__=Part, **fields)


@lru_cache(maxsize=64)
def reply_schema(topics: tuple[str, ...]) -> dict[str, Any]:
    """The JSON Schema of that form: every field required, no other allowed, as strict servers demand."""
    return reply_form(topics).model_json_schema(schema_generator=_Untitled)


def narrowed(
    schema: Mapping[str, Any], ids: Mapping[str, list[str]], passages: list[str], *, key: str
) -> dict[str, Any]:
    """The schema with the ids each field must name, the passages there are, and the pattern of the key."""
    exact = deepcopy(dict(schema))
    exact["properties"]["key"]["pattern"] = key
    for field, known in ids.items():
        rows = exact["properties"][field]
        rows["minItems"] = rows["maxItems"] = len(known)
        exact["$defs"][rows["items"]["$ref"].rpartition("/")[2]]["properties"]["id"]["enum"] = known
    for row in exact.get("$defs", {}).values():
        for name in ("passage", "first_passage", "second_passage"):
            if name in row["properties"]:
                row["properties"][name]["enum"] = passages
    return exact


_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n[ \t]*```\Z", re.DOTALL)
_THOUGHT = re.compile(r"\A<think>.*?</think>", re.DOTALL)


def json_text(reply: str) -> str:
    """The one JSON text a reply consists of: a code fence around it or a thinking section before it is taken off.

    Nothing is searched for inside a reply: JSON that the model merely repeats from the judged text is never found.
    """
    bare = _THOUGHT.sub("", reply.removeprefix("\ufeff").strip()).strip()
    fenced = _FENCED.match(bare)
    return fenced.group(1) if fenced else bare
