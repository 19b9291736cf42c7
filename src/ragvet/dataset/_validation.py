"""Raw records → records of one model, and every reason why some are not, in words their author can act on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from ragvet.errors import Problem
from ragvet.files import RawRecord
from ragvet.records import dotted, faults, torn
from ragvet.text import shown

R = TypeVar("R", bound=BaseModel)

_SURROGATE = re.compile("[\ud800-\udfff]")


def validate(
    model: type[R], raw: Sequence[RawRecord], source: str, *, id_field: str = "id"
) -> tuple[list[tuple[R, RawRecord]], list[Problem]]:
    """The records that are good, each with where it stands, and every problem of the others.

    A null in an optional field stands for a field that is not given. A text with half a character in it, which no file
    can hold, is a problem.
    """
    many = _many(model)
    try:
        records = many.validate_python([record.value for record in raw])
        many.dump_json(records)
    except (ValidationError, PydanticSerializationError):
        return _validate_each(model, raw, source, id_field)
    return list(zip(records, raw, strict=True)), []


def repeated(raw: Sequence[RawRecord], source: str, expected: str, *, id_field: str = "id") -> list[Problem]:
    """Every record with the id of an earlier one, whatever else is wrong with either."""
    first: dict[str, RawRecord] = {}
    return [
        Problem(
            source,
            f"the {id_field} {shown(name)} already used by {earlier.name(id_field)}",
            expected,
            "Rename one of them, or remove the copy.",
            record=record.name(id_field),
            field=id_field,
        )
        for record in raw
        if (name := record.id(id_field)) is not None and (earlier := first.setdefault(name, record)) is not record
    ]


def _many(model: type[R]) -> TypeAdapter[list[R]]:
    return TypeAdapter(list[model])  # pyright: ignore[reportInvalidTypeForm] - the model is known at run time only


def _validate_each(
    model: type[R], raw: Sequence[RawRecord], source: str, id_field: str
) -> tuple[list[tuple[R, RawRecord]], list[Problem]]:
    good: list[tuple[R, RawRecord]] = []
    problems: list[Problem] = []
    for record in raw:
        name = record.name(id_field)
        try:
            valid = _validate_one(model, record.value)
        except ValidationError as error:
            problems += faults(error, model, source, name)
            continue
        broken = [
            Problem(source, *torn(text), record=name, field=dotted(place))
            for place, text in _texts(valid.model_dump(), ())
            if _SURROGATE.search(text)
        ]
        problems += broken
        if not broken:
            good.append((valid, record))
    return good, problems


def _texts(value: Any, place: tuple[int | str, ...]) -> Iterator[tuple[tuple[int | str, ...], str]]:
    """Every text inside a value, names of fields included, and where it stands."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, inner in cast("Mapping[Any, Any]", value).items():
            yield (*place, str(key)), str(key)
            yield from _texts(inner, (*place, str(key)))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(cast("Sequence[Any]", value)):
            yield from _texts(inner, (*place, index))


def _validate_one(model: type[R], value: Any) -> R:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        nulls = [detail["loc"] for detail in error.errors(include_url=False) if detail["input"] is None]
        if not nulls:
            raise
        return model.model_validate(_without(value, nulls))


def _without(value: Any, places: Sequence[tuple[int | str, ...]]) -> Any:
    """A copy of `value` without the keys at `places`."""
    here = {place[0] for place in places if len(place) == 1}
    deeper: dict[int | str, list[tuple[int | str, ...]]] = {}
    for place in places:
        if len(place) > 1:
            deeper.setdefault(place[0], []).append(place[1:])
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value)
        return {k: _without(v, deeper[k]) if k in deeper else v for k, v in fields.items() if k not in here}
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return [_without(item, deeper[index]) if index in deeper else item for index, item in enumerate(items)]
    return value
