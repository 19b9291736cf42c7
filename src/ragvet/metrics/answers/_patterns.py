"""JSON Schema with patterns that end: a search that takes too long is given up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import regex
from jsonschema import ValidationError, validators

__all__ = ["PATIENCE", "patient"]

PATIENCE = 0.5
"""Seconds for one search: a thousand times what an honest pattern needs on a long answer."""


def patient(dialect: Any) -> Any:
    """The dialect with every keyword that searches by a pattern; a search beyond `PATIENCE` raises `TimeoutError`."""
    keywords = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    }
    return cast("Any", validators).extend(dialect, keywords)


def _found(pattern: str, text: str) -> bool:
    return regex.search(pattern, text, timeout=PATIENCE) is not None


def _pattern(validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(value, "string") and not _found(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], value: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not validator.is_type(value, "object"):
        return
    for pattern, inner in patterns.items():
        for name, held in value.items():
            if _found(pattern, name):
                yield from validator.descend(held, inner, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, inner: Any, value: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    if not validator.is_type(value, "object"):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for name, held in value.items():
        if name in known or any(_found(pattern, name) for pattern in patterns):
            continue
        if validator.is_type(inner, "object"):
            yield from validator.descend(held, inner, path=name)
        elif not inner:
            yield ValidationError(f"{name!r} is not allowed")
