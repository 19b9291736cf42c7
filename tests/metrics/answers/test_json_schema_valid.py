from tests.metrics.answers.make import case, measure, reason, value

from ragvet.metrics.answers import REGISTRY

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
