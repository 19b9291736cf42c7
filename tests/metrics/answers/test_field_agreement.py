import pytest
from tests.metrics.answers.make import case, measure, reason, value

from ragvet.metrics.answers import REGISTRY

FIELDS = {"/invoice/total": 12.5, "currency": "EUR", "/lines/0/item": "café", "paid": True}
ASKED = case(output_contract={"fields": FIELDS})
SEEN, UNSEEN = {"p1": 1, "p2": 0, "p3": 0}, {"p1": 0, "p2": 0, "p3": 0}


def found(text, evidence=SEEN):
    return measure("field_agreement", asked=ASKED, answer={"text": text}, evidence=evidence)


def test_field_agreement_by_hand():
    # total agrees (12.50 is 12.5), currency is wrong, the item is not there, paid is null: with evidence at hand
    # 1 agrees, 1 contradicts, 2 are missing, 0 unavailable; without it the two are unavailable and not missing.
    text = '{"invoice": {"total": 12.50}, "currency": "USD", "lines": [], "paid": null}'
    assert value(found(text)) == 1 / 4
    assert value(found(text, UNSEEN)) == 1 / 4


def test_a_check_that_did_not_run_is_no_pass():
    assert reason(found("oops")) == "the answer is not JSON"
    assert reason(found(" ")) == "the answer is blank"


def test_only_cases_that_list_fields_are_eligible():
    assert REGISTRY["field_agreement"].applies(ASKED)
    assert not REGISTRY["field_agreement"].applies(case(output_contract={"json_schema": {}}))


@pytest.mark.parametrize(
    ("right", "written", "agrees"),
    [
        (1, "1.0", True),
        (1, "true", False),
        (True, "true", True),
        (0, "false", False),
        ("café", '"cafe\\u0301"', True),  # composed and decomposed are one word
        ("a", '"A"', False),
        ([1, 2], "[1, 2]", True),
        ([1, 2], "[2, 1]", False),
        ({"a": 1, "b": [True]}, '{"b": [true], "a": 1}', True),
        ({"a": 1}, '{"a": 1, "b": 2}', False),
        (None, "null", True),
        (None, "0", False),
    ],
)
def test_values_agree_as_json_values_do(right, written, agrees):
    asked = case(output_contract={"fields": {"x": right}})
    outcome = measure("field_agreement", asked=asked, answer={"text": f'{{"x": {written}}}'})
    assert value(outcome) == float(agrees)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("/a~1b/m~0n", '{"a/b": {"m~n": 1}}'),
        ("/rows/1", '{"rows": [0, 1]}'),
        ("plain/name", '{"plain/name": 1}'),
    ],
)
def test_places_are_json_pointers_or_top_level_names(place, text):
    asked = case(output_contract={"fields": {place: 1}})
    assert value(measure("field_agreement", asked=asked, answer={"text": text})) == 1.0
