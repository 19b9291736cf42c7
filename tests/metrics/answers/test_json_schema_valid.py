import json

import pytest
from tests.metrics.answers.make import case, measure, reason, value

from ragvet.metrics.answers import REGISTRY
from ragvet.records import Failed

SCHEMA = {"type": "object", "required": ["total"], "properties": {"total": {"type": "number", "minimum": 0}}}


def valid(text, schema=SCHEMA):
    return measure("json_schema_valid", asked=case(output_contract={"json_schema": schema}), answer={"text": text})


def test_a_value_is_valid_or_not_under_the_schema():
    assert value(valid('{"total": 3}')) == 1.0
    assert value(valid('{"total": -3}')) == 0.0
    assert value(valid("{}")) == 0.0


def test_formats_are_checked():
    assert value(valid('"2026-02-30"', {"type": "string", "format": "date"})) == 0.0


def test_a_check_that_did_not_run_is_no_pass():
    assert reason(valid("not json")) == "the answer is not JSON"
    assert reason(valid("")) == "the answer is blank"


def test_a_broken_schema_is_a_failure_and_not_the_answers_fault():
    outcome = valid("{}", {"type": "objekt"})
    assert outcome.status == "failed"
    assert "JSON Schema is not valid" in outcome.error


def test_a_schema_that_points_to_the_network_is_never_fetched():
    outcome = valid("{}", {"$ref": "https://example.org/schema.json"})
    assert outcome.status == "failed"
    assert "https://example.org/schema.json" in outcome.error


def test_nesting_beyond_what_can_be_followed_is_a_failure_of_the_check():
    nested = "[" * 300 + "]" * 300
    outcome = valid(nested, {"type": "array", "items": {"$ref": "#"}})
    assert outcome.status == "failed"
    assert "nested too deeply" in outcome.error


def test_only_cases_with_a_schema_are_eligible():
    metric = REGISTRY["json_schema_valid"]
    assert metric.applies(case(output_contract={"json_schema": SCHEMA}))
    assert not metric.applies(case(output_contract={"fields": {"total": 3}}))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^(a|aa|aaa)+$"},
        {"type": "object", "patternProperties": {"^(a|aa|aaa)+$": {}}},
        {"type": "object", "patternProperties": {"^(a|aa|aaa)+$": {}}, "additionalProperties": False},
    ],
)
def test_a_pattern_that_never_ends_is_given_up_with_its_cause(schema):
    long = "a" * 60 + "!"
    text = json.dumps(long if schema["type"] == "string" else {long: 1})
    outcome = measure("json_schema_valid", asked=case(output_contract={"json_schema": schema}), answer={"text": text})
    assert isinstance(outcome, Failed)
    assert "without repetition inside repetition" in outcome.error


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        ({"pattern": "^a+$"}, "aaa", "aab"),
        ({"patternProperties": {"^n": {"type": "number"}}}, {"n1": 1, "x": "y"}, {"n1": "1"}),
        ({"patternProperties": {"^n": {}}, "properties": {"k": {}}, "additionalProperties": False}, {"n": 1}, {"x": 1}),
        ({"additionalProperties": {"type": "number"}}, {"a": 1}, {"a": "b"}),
    ],
)
def test_patterns_decide_as_in_any_validator(schema, right, wrong):
    from jsonschema import Draft202012Validator

    for held in (right, wrong, 3, [right]):
        asked = case(output_contract={"json_schema": schema})
        outcome = measure("json_schema_valid", asked=asked, answer={"text": json.dumps(held)})
        assert outcome.value == Draft202012Validator(schema).is_valid(held)
