"""What pydantic found wrong with a value, in words its author can act on."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ragvet.errors import Problem
from ragvet.text import nearest, plain, shown

NOT_REPEATED = "not_repeated"
"""The kind of a fault whose value may be secret."""
_FIELDS = "fields and their values"
_NAMES: tuple[tuple[type | types.UnionType, str], ...] = (
    (types.NoneType, "no value"),
    (bool, "a truth value"),
    (int | float, "a number"),
    (str, "text"),
    (Mapping, _FIELDS),
    (list, "a list"),
)

_KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": _FIELDS,
    "mapping_type": _FIELDS,
    "model_type": _FIELDS,
    "model_attributes_type": _FIELDS,
}


def faults(error: ValidationError, model: type[BaseModel], source: str, record: str | None = None) -> list[Problem]:
    """Everything pydantic found wrong, in words the author of the value can act on."""
    return [_problem(detail, model, source, record) for detail in _telling(error, model)]


def _telling(error: ValidationError, model: type[BaseModel]) -> list[ErrorDetails]:
    """The errors that say something of their own: a field is not missing where its misspelling is named."""
    details = error.errors(include_url=False)
    misspelt = {
        (*place, nearest(str(name), _fields_at(model, place)))
        for *place, name in (detail["loc"] for detail in details if detail["type"] == "extra_forbidden")
    }
    return [detail for detail in details if detail["type"] != "missing" or detail["loc"] not in misspelt]


def _problem(detail: ErrorDetails, model: type[BaseModel], source: str, record: str | None) -> Problem:
    found, expected, action = _words(detail, model)
    field = dotted(_walk(model, detail["loc"])[0])
    if detail["type"] == "union_tag_invalid":
        field += f".{_tag_of(detail)}"
    return Problem(source, found, expected, action, record=record, field=field or None)


def _tag_of(detail: ErrorDetails) -> str:
    """The name of the field that says which of several kinds a table is."""
    return str(detail.get("ctx", {}).get("discriminator", "")).strip("'")


def dotted(path: Sequence[int | str]) -> str:
    """A path as people write it: `reference_passages[0].doc_id`."""
    return plain("".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix("."))


def _words(detail: ErrorDetails, model: type[BaseModel]) -> tuple[str, str, str]:  # noqa: C901, PLR0911, PLR0912 - one case a kind
    """What was found, what was expected, and what to do."""
    value: Any = detail["input"]
    match detail["type"]:
        case "extra_forbidden":
            return _unknown_field(str(detail["loc"][-1]), _fields_at(model, detail["loc"][:-1]))
        case kind if kind == NOT_REPEATED:
            return (
                "a value that may be secret",
                detail["msg"],
                "Set a variable to it and name that.",
            )
        case "missing":
            return "nothing", _wanted(model, detail["loc"]), "Add the field."
        case "literal_error":
            return _unknown_word(value, str(detail.get("ctx", {}).get("expected", "")))
        case "union_tag_invalid" | "union_tag_not_found":
            return _wrong_kind(detail)
        case "string_unicode":
            return torn(value)
        case "string_too_short":
            return "an empty text", "some text", "Fill in the field."
        case "string_pattern_mismatch" if not value.strip():
            return "a blank text", "some text", "Fill in the field."
        case "string_pattern_mismatch":
            return shown(value), f"a text of the form {detail.get('ctx', {}).get('pattern')}", "Correct the value."
        case "string_type" if isinstance(value, bool | int | float | date):
            return f"{shown(value)}, {_kind_of(value)}", "text", "Put it in quotes."
        case kind if kind in _KINDS:
            expected = _KINDS[kind] + _shape(model, detail["loc"]) * (_KINDS[kind] == _FIELDS)
            return f"{shown(value)}, {_kind_of(value)}", expected, "Correct the value."
        case kind if kind.startswith("date") or "YYYY-MM-DD" in detail["msg"]:
            return shown(value), "a day written YYYY-MM-DD", "Correct the date."
        case _:
            return shown(value), _sentence(detail["msg"]), "Correct the value."


def _wrong_kind(detail: ErrorDetails) -> tuple[str, str, str]:
    """Of a table that may be one of several kinds, and is none of them or does not say which."""
    tag = _tag_of(detail)
    if detail["type"] == "union_tag_not_found":
        return f"no {tag!r}", f"{tag!r}, which says what kind this is", "Add it."
    return _unknown_word(detail["input"][tag], str(detail.get("ctx", {}).get("expected_tags", "")))


def torn(text: object) -> tuple[str, str, str]:
    """What was found, what was expected, and what to do, of a text with half a character in it."""
    return f"half a character: {shown(text)}", "whole characters", "Write the text again whole."


def _unknown_field(name: str, known: Sequence[str]) -> tuple[str, str, str]:
    meant = nearest(name, known)
    if meant:
        return "a field with this name", f"{meant!r}", "Rename it."
    action = "Remove it; a stratum of your own goes under labels." if "labels" in known else "Remove it."
    return "a field with this name", f"one of {', '.join(known)}" if known else "no such field", action


def _unknown_word(value: object, allowed: str) -> tuple[str, str, str]:
    words = re.findall(r"'([^']+)'", allowed)
    meant = nearest(value, words) if isinstance(value, str) else None
    return shown(value), ", ".join(words), f"Did you mean {meant!r}?" if meant else "Write one of them."


def _sentence(message: str) -> str:
    cleaned = message.removeprefix("Value error, ").removeprefix("Input should be ").removeprefix("give ")
    return cleaned[:1].lower() + cleaned[1:]


def _kind_of(value: object) -> str:
    return next((words for kind, words in _NAMES if isinstance(value, kind)), f"a {type(value).__name__}")


def _fields_at(model: type[BaseModel], path: Sequence[int | str]) -> tuple[str, ...]:
    """The names of the fields a record may have at `path` inside `model`."""
    inner = _model_at(model, path)
    return () if inner is None else tuple(inner.model_fields)


def _wanted(model: type[BaseModel], path: Sequence[int | str]) -> str:
    """What a missing field is there to say."""
    holder = _model_at(model, path[:-1])
    field = None if holder is None else holder.model_fields.get(str(path[-1]))
    if field is None:
        return "a value"
    words = (field.description or "").rstrip(".")
    allowed = typing.get_args(field.annotation) if typing.get_origin(field.annotation) is Literal else ()
    return ", ".join(map(str, allowed)) or words[:1].lower() + words[1:] or "a value"


def _shape(model: type[BaseModel], path: Sequence[int | str]) -> str:
    """What must at least stand at `path`, as an example; empty where any names may."""
    inner = _model_at(model, path)
    needed = [] if inner is None else [name for name, field in inner.model_fields.items() if field.is_required()]
    return f", e.g. {{{', '.join(f'{name}: …' for name in needed)}}}" if needed else ""


def _model_at(model: type[BaseModel], path: Sequence[int | str]) -> type[BaseModel] | None:
    """The model of the record at `path` inside `model`; None where there is none."""
    return _walk(model, path)[1]


def _walk(model: type[BaseModel], path: Sequence[int | str]) -> tuple[tuple[int | str, ...], type[BaseModel] | None]:
    """The path as people write it, without the kinds pydantic puts in for tables of several, and the model there."""
    written: list[int | str] = []
    kinds: dict[str, type[BaseModel]] = {}
    here: type[BaseModel] | None = model
    keyed = False
    for part in path:
        if isinstance(part, str) and part in kinds:
            here, kinds = kinds[part], {}
            continue
        written.append(part)
        if isinstance(part, int) or keyed:  # a place in a list, a key of a mapping
            keyed = False
            continue
        field = None if here is None else here.model_fields.get(part)
        here = None if field is None else _model_in(field.annotation)
        kinds = {} if field is None else dict(_kinds_in(field.annotation))
        keyed = field is not None and typing.get_origin(field.annotation) is Mapping
    return tuple(written), here


def _kinds_in(annotation: Any) -> Iterator[tuple[str, type[BaseModel]]]:
    """Each model of a union with the word its `kind` field must hold."""
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        kind = annotation.model_fields.get("kind") if issubclass(annotation, BaseModel) else None
        for word in typing.get_args(kind.annotation) if kind is not None else ():
            yield str(word), annotation
    else:
        for argument in typing.get_args(annotation):
            yield from _kinds_in(argument)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model inside `tuple[Model, ...]`, `Model | None` and the like."""
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return annotation if issubclass(annotation, BaseModel) else None
    return next((found for arg in typing.get_args(annotation) if (found := _model_in(arg)) is not None), None)
