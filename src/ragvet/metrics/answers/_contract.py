"""Structured answers: what parses, what the schema says, what each field says."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Literal, cast

from ragvet.files import json_value
from ragvet.metrics.answers._metric import JudgedAnswer
from ragvet.metrics.answers._share import flag, share_of
from ragvet.records import Case, Failed, Outcome, Undefined

__all__ = [
    "CONTRACT_UNDEFINED_WHEN",
    "field_share",
    "has_contract",
    "has_fields",
    "has_schema",
    "not_checked",
    "parse",
    "schema_outcome",
]

CONTRACT_UNDEFINED_WHEN = "the answer is blank or does not parse: the check did not run, which is no pass"

FieldOutcome = Literal["agreeing", "contradicting", "missing", "unavailable"]
_ABSENT = object()


def has_contract(case: Case) -> bool:
    """True for cases with an output contract."""
    return case.output_contract is not None


def has_schema(case: Case) -> bool:
    """True for cases whose output contract has a JSON Schema."""
    return case.output_contract is not None and case.output_contract.json_schema is not None


def has_fields(case: Case) -> bool:
    """True for cases whose output contract lists fields."""
    return case.output_contract is not None and bool(case.output_contract.fields)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value, or none."""

    valid: bool
    value: Any = None


@lru_cache(maxsize=64)  # six metrics read the same answer
def parse(text: str) -> Parsed:
    """The JSON value the whole text is; strictly: not valid for anything around it or a repeated key."""
    try:
        return Parsed(True, json_value(text, limits=False))
    except ValueError:
        return Parsed(False)


def not_checked(answer: JudgedAnswer) -> str | None:
    """Why a check of the parsed value cannot run, or None."""
    if answer.blank:
        return "the answer is blank"
    return None if parse(answer.answer.text or "").valid else "the answer is not JSON"


def schema_outcome(schema: Mapping[str, Any], value: Any) -> Outcome:
    """1 or 0 for a value under a schema; failed where the check breaks down: a faulty schema, or no end to nesting."""
    from jsonschema import Draft202012Validator, SchemaError  # noqa: PLC0415 - heavy, for cases with a schema only
    from jsonschema.validators import validator_for  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    dialect = validator_for(schema, default=Draft202012Validator)
    nowhere: Registry[Any] = Registry()  # a schema that points at another address must not be fetched
    try:
        dialect.check_schema(dict(schema))
        validator = dialect(dict(schema), registry=nowhere, format_checker=dialect.FORMAT_CHECKER)
        return flag(validator.is_valid(value))
    except RecursionError:
        return Failed(error="the answer is nested too deeply to be held against the case's JSON Schema")
    except SchemaError as error:
        return Failed(error=f"the case's JSON Schema is not valid: {error.message}")
    except Unresolvable as error:
        return Failed(error=f"the case's JSON Schema points at what it does not hold: {error.ref}")


def _lookup(value: object, pointer: str) -> object:
    """The value at a JSON pointer (RFC 6901) or under a top-level name; `_ABSENT` where there is none."""
    steps = (
        [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
        if pointer.startswith("/")
        else [pointer]
    )
    for step in steps:
        if isinstance(value, dict):
            value = cast("dict[str, object]", value).get(step, _ABSENT)
        elif (
            isinstance(value, list)
            and step.isascii()
            and step.isdigit()
            and int(step) < len(cast("list[object]", value))
        ):
            value = cast("list[object]", value)[int(step)]
        else:
            return _ABSENT
    return value


def _same(found: object, right: object) -> bool:
    """JSON equality: numbers by value, true is not 1, strings in one Unicode normal form, objects in any order."""
    match found, right:
        case (bool(), _) | (_, bool()):
            return found is right
        case str(), str():
            return unicodedata.normalize("NFC", found) == unicodedata.normalize("NFC", right)
        case dict(), dict():
            left, other = cast("dict[str, object]", found), cast("dict[str, object]", right)
            return left.keys() == other.keys() and all(_same(left[key], other[key]) for key in left)
        case list() | tuple(), list() | tuple():
            items, others = cast("list[object]", found), cast("list[object]", right)
            return len(items) == len(others) and all(map(_same, items, others))
        case _:
            return found == right


def _field_is(outcome: FieldOutcome, found: object, right: object, shown: bool | None) -> bool | None:  # noqa: FBT001 - three-valued fact
    if found is _ABSENT or (found is None and right is not None):
        if outcome in {"agreeing", "contradicting"}:
            return False
        return shown if outcome == "missing" or shown is None else not shown
    agrees = _same(found, right)
    return (outcome == "agreeing" and agrees) or (outcome == "contradicting" and not agrees)


def _field_share(outcome: FieldOutcome, answer: JudgedAnswer) -> Outcome:
    missing = not_checked(answer)
    if missing:
        return Undefined(reason=missing)
    value = parse(answer.answer.text or "").value
    contract = answer.case.output_contract
    fields = contract.fields.items() if contract is not None else ()
    return share_of(
        (_field_is(outcome, _lookup(value, place), right, answer.evidence_shown) for place, right in fields),
        empty="the contract lists no field",
        unknown="whether evidence was before the model is unknown",
    )


def field_share(outcome: FieldOutcome) -> partial[Outcome]:
    """The arithmetic of "fields with this outcome / fields of the contract".

    A field left out (or null) is *missing* where an annotated passage was before the model and *unavailable* where not.
    """
    return partial(_field_share, outcome)
