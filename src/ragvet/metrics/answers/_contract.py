"""Structured answers: what parses, what the schema says, what each field says."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, cast

import numpy as np

from ragvet.files import json_value
from ragvet.metrics.answers._batch import AnsweredCase, Batch
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.metrics.answers._outcomes import Outcomes, each, share_of
from ragvet.records import Case, Failed, MetricDeclaration, Outcome, Scored, Undefined
from ragvet.records.facts import Facts

__all__ = ["METRICS"]

_UNDEFINED_WHEN = "the answer is blank or does not parse: the check did not run, which is no pass"

_NO_CONTRACT = "the case has no output contract"

FieldOutcome = Literal["agreeing", "contradicting", "missing", "unavailable"]
_ABSENT = object()


def _has_contract(case: Case) -> bool:
    return case.output_contract is not None


def _has_schema(case: Case) -> bool:
    return case.output_contract is not None and case.output_contract.json_schema is not None


def _has_fields(case: Case) -> bool:
    return case.output_contract is not None and bool(case.output_contract.fields)


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A JSON value, or none."""

    valid: bool
    value: Any = None


@lru_cache(maxsize=2048)  # six metrics read the same answers
def _parse(text: str) -> _Parsed:
    """The JSON value the whole text is; strictly: not valid for anything around it or a repeated key."""
    try:
        return _Parsed(True, json_value(text, limits=False))
    except ValueError:
        return _Parsed(False)


def _not_parsed(one: AnsweredCase) -> str | None:
    """Why a check of the parsed value cannot run, or None."""
    if one.blank:
        return "the answer is blank"
    return None if _parse(one.answer.text or "").valid else "the answer is not JSON"


def _under(schema: Mapping[str, Any], value: Any) -> Outcome:
    """1 or 0 for a value under a schema; failed where the check breaks down: a faulty schema, or no end to it."""
    import regex  # noqa: PLC0415 - heavy, for cases with a schema only
    from jsonschema import Draft202012Validator, SchemaError  # noqa: PLC0415
    from jsonschema.validators import validator_for  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    from ragvet.metrics.answers._patterns import PATIENCE, patient  # noqa: PLC0415

    dialect = validator_for(schema, default=Draft202012Validator)
    nowhere: Registry[Any] = Registry()  # a schema that points at another address must not be fetched
    try:
        dialect.check_schema(dict(schema))
        validator = patient(dialect)(dict(schema), registry=nowhere, format_checker=dialect.FORMAT_CHECKER)
        return _yes_or_no(validator.is_valid(value))
    except RecursionError:
        return Failed(error="the answer is nested too deeply to be held against the case's JSON Schema")
    except TimeoutError:
        said = f"a pattern of the case's JSON Schema took more than {PATIENCE} s on the answer"
        return Failed(error=f"{said}; write it without repetition inside repetition")
    except regex.error as error:
        return Failed(error=f"a pattern of the case's JSON Schema is none: {error}")
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


def _fields(outcome: FieldOutcome) -> Callable[[Batch], Outcomes]:
    """Fields with this outcome / fields of the contract.

    A field left out (or null) is *missing* where an annotated passage was before the model and *unavailable* where not.
    """

    def measure(one: AnsweredCase) -> Outcome:
        missing = _not_parsed(one)
        contract = one.case.output_contract
        if missing or contract is None:
            return Undefined(reason=missing or _NO_CONTRACT)
        value = _parse(one.answer.text or "").value
        facts = [
            _field_is(outcome, _lookup(value, place), right, one.evidence_shown)
            for place, right in contract.fields.items()
        ]
        return share_of(
            Facts.of(facts),
            np.zeros(len(facts), np.intp),
            missing=[None],
            empty="the contract lists no field",
            unknown="whether evidence was before the model is unknown",
        )[0]

    return lambda batch: each(batch.answers, measure)


def _parses(one: AnsweredCase) -> Outcome:
    if one.case.output_contract is None or one.blank:
        return Undefined(reason="the answer is blank" if one.blank else _NO_CONTRACT)
    return _yes_or_no(_parse(one.answer.text or "").valid)


def _valid(one: AnsweredCase) -> Outcome:
    contract = one.case.output_contract
    if contract is None or contract.json_schema is None:
        return Undefined(reason="the case has no JSON Schema")
    missing = _not_parsed(one)
    return Undefined(reason=missing) if missing else _under(contract.json_schema, _parse(one.answer.text or "").value)


def _yes_or_no(fact: bool) -> Outcome:  # noqa: FBT001 - the fact is what is measured
    return Scored(value=float(fact), numerator=float(fact), denominator=1.0)


JSON_PARSES = AnswerMetric(
    MetricDeclaration(
        name="json_parses",
        version=1,
        title="Whether the answer is JSON, and nothing but JSON.",
        family="Structured answers",
        stage="contract",
        direction="higher",
        applies_to="cases with an output contract",
        needs="an output contract; the answer text",
        undefined_when="the answer is blank",
        does_not_catch="Well-formed JSON of the wrong shape or with wrong values.",
        formula="1 if the whole text is one RFC 8259 value without NaN, Infinity or repeated keys, else 0",
        reference="RFC 8259",
    ),
    measure=lambda batch: each(batch.answers, _parses),
    applies=_has_contract,
    judged=False,
)


JSON_SCHEMA_VALID = AnswerMetric(
    MetricDeclaration(
        name="json_schema_valid",
        version=1,
        title="Whether the JSON answer satisfies the case's JSON Schema.",
        family="Structured answers",
        stage="contract",
        direction="higher",
        applies_to="cases whose output contract has a JSON Schema",
        needs="a JSON Schema; an answer that parses",
        undefined_when="the answer is blank or does not parse: the check did not run, which is no pass",
        does_not_catch="Values of the right type that are wrong.",
        formula="1 if the value is valid under the schema, else 0",
        reference="JSON Schema 2020-12 (or the dialect named by $schema)",
    ),
    measure=lambda batch: each(batch.answers, _valid),
    applies=_has_schema,
    judged=False,
)


FIELD_AGREEMENT = AnswerMetric(
    MetricDeclaration(
        name="field_agreement",
        version=1,
        title="The share of contract fields that have the right value.",
        family="Structured answers",
        headline=19,
        stage="contract",
        direction="higher",
        applies_to="cases whose output contract lists fields",
        needs="fields with their right values; an answer that parses",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Fields the contract does not list; a right value with a wrong source.",
        formula="agreeing fields / fields of the contract",
        reference="ragvet",
    ),
    measure=_fields("agreeing"),
    applies=_has_fields,
    judged=False,
)


FIELD_MISSING = AnswerMetric(
    MetricDeclaration(
        name="field_missing",
        version=2,
        title="The share of contract fields left out although their evidence was at hand.",
        family="Structured answers",
        direction="lower",
        applies_to="cases whose output contract lists fields",
        needs="fields with their right values; an answer that parses; annotated passages; the ranking",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Fields the contract does not list.",
        formula="missing fields / fields of the contract",
        reference="ragvet",
    ),
    measure=_fields("missing"),
    applies=_has_fields,
    judged=False,
)


FIELD_CONTRADICTION = AnswerMetric(
    MetricDeclaration(
        name="field_contradiction",
        version=1,
        title="The share of contract fields that have a wrong value.",
        family="Structured answers",
        direction="lower",
        applies_to="cases whose output contract lists fields",
        needs="fields with their right values; an answer that parses",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="How wrong the value is: a typo and a wrong total count alike.",
        formula="contradicting fields / fields of the contract",
        reference="ragvet",
    ),
    measure=_fields("contradicting"),
    applies=_has_fields,
    judged=False,
)


FIELD_UNAVAILABLE = AnswerMetric(
    MetricDeclaration(
        name="field_unavailable",
        version=2,
        title="The share of contract fields left out while no evidence was before the model.",
        family="Structured answers",
        direction="lower",
        applies_to="cases whose output contract lists fields",
        needs="fields with their right values; an answer that parses; annotated passages; the ranking",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Which field's evidence was missing: evidence is joined per case.",
        formula="unavailable fields / fields of the contract",
        reference="ragvet",
    ),
    measure=_fields("unavailable"),
    applies=_has_fields,
    judged=False,
)


METRICS = (
    JSON_PARSES,
    JSON_SCHEMA_VALID,
    FIELD_AGREEMENT,
    FIELD_MISSING,
    FIELD_CONTRADICTION,
    FIELD_UNAVAILABLE,
)
