"""`ragvet schema`."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any

import typer

__all__ = ["schema"]


class _File(StrEnum):
    GOLDEN = "golden"
    CORPUS = "corpus"
    TRACE = "trace"
    LABELS = "labels"
    POLICY = "policy"
    CONFIG = "config"


def schema(
    file: Annotated[
        _File | None, typer.Argument(help="Which file; trace: one recorded trace. None: all, by name.")
    ] = None,
) -> None:
    """Print the JSON Schema of the files people write, for editors and for checks of your own.

    JSON Lines hold one record of the schema's list a line; TOML and YAML files follow it as well.
    """
    schemas: dict[_File, Callable[[], dict[str, Any]]] = {
        _File.GOLDEN: _golden,
        _File.CORPUS: _corpus,
        _File.TRACE: _trace,
        _File.LABELS: _labels,
        _File.POLICY: _policy,
        _File.CONFIG: _config,
    }
    printed = {name: _dialect(make()) for name, make in schemas.items()} if file is None else _dialect(schemas[file]())
    print(json.dumps(printed, ensure_ascii=False, indent=2))


def _dialect(made: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _golden() -> dict[str, Any]:
    from ragvet.dataset import golden_set_schema

    return golden_set_schema()


def _corpus() -> dict[str, Any]:
    from ragvet.dataset import corpus_schema

    return corpus_schema()


def _trace() -> dict[str, Any]:
    """A full trace, or an answer's fields beside the id of its case; with the short forms that are read as well."""
    from ragvet.records import Trace

    full = Trace.model_json_schema()
    parts = full.pop("$defs")
    text = {"type": "string"}
    item, answer, own = parts["RetrievedItem"], parts["Answer"]["properties"], full["properties"]
    answer["retrieved"] = {"type": "array", "items": {"$ref": "#/$defs/RetrievedItem"}}
    item["properties"]["id"] = item["properties"]["chunk_id"]
    item["anyOf"] = _one_of("chunk_id", "id")
    del item["required"]
    for name in ("RetrievedItem", "Citation", "CacheLookup", "ToolCall"):
        parts[name] = {"anyOf": [text, parts[name]]}
    answer["cache_hits"] = {"type": "array", "items": text}
    answer["retries"]["anyOf"].append({"type": "integer", "minimum": 0})
    short = {
        "title": "Recorded answer",
        "type": "object",
        "properties": {
            **answer,
            "case": text,
            "case_id": text,
            "question": text,
            "answer": {"anyOf": [text, {"$ref": "#/$defs/Answer"}]},
            "error": {"anyOf": [text, own["error"]]},
            **{name: own[name] for name in ("repeat", "identity", "attempts", "started_at", "latency")},
        },
        "anyOf": _one_of("case", "case_id"),
        "additionalProperties": False,
    }
    return {"title": "Recorded trace", "anyOf": [full, short], "$defs": parts}


def _one_of(*names: str) -> list[dict[str, Any]]:
    return [{"required": [name]} for name in names]


def _labels() -> dict[str, Any]:
    from pydantic import TypeAdapter

    from ragvet.runs import Label

    return TypeAdapter(list[Label]).json_schema() | {"title": "Declared labels"}


def _policy() -> dict[str, Any]:
    from ragvet.gate import policy_schema

    return policy_schema()


def _config() -> dict[str, Any]:
    from ragvet.runs import Config

    return Config.model_json_schema()
