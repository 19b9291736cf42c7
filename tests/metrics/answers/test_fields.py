"""What all metrics of contract fields promise alike."""

from itertools import product

import pytest
from tests.metrics.answers.make import FOUR_FIELDS, bounds, case, measure, reason, value, written

from ragvet.metrics.answers import REGISTRY

METRICS = ["field_agreement", "field_contradiction", "field_missing", "field_unavailable"]
every_metric = pytest.mark.parametrize("metric", METRICS)

SEEN, UNSEEN = {"p1": 1, "p2": 0, "p3": 0}, {"p1": 0, "p2": 0, "p3": 0}


@pytest.mark.parametrize(("evidence", "quarters"), [(SEEN, (1, 1, 2, 0)), (UNSEEN, (1, 1, 0, 2))])
def test_by_hand(evidence, quarters):
    # total agrees (12.50 is 12.5), currency is wrong, the item is not there, paid is null: the last two are missing
    # where the evidence was at hand, and unavailable where it was not.
    text = '{"invoice": {"total": 12.50}, "currency": "USD", "lines": [], "paid": null}'
    assert tuple(4 * value(written(metric, text, evidence)) for metric in METRICS) == quarters


@every_metric
def test_a_check_that_did_not_run_is_no_pass(metric):
    assert reason(written(metric, "oops", SEEN)) == "the answer is not JSON"
    assert reason(written(metric, " ", SEEN)) == "the answer is blank"


@every_metric
def test_only_cases_that_list_fields_are_eligible(metric):
    assert REGISTRY[metric].applies(FOUR_FIELDS)
    assert not REGISTRY[metric].applies(case(output_contract={"json_schema": {}}))


@every_metric
@pytest.mark.parametrize("known", [{}, {"p1": 0}, {"p1": 0, "p2": 0}, {"p2": 1}])
def test_a_range_is_exactly_what_the_unjoined_passages_may_make_of_it(metric, known):
    text = '{"currency": "EUR", "paid": false}'
    unknown = sorted({"p1", "p2", "p3"} - known.keys())
    completed = [
        value(written(metric, text, known | dict(zip(unknown, grades, strict=True))))
        for grades in product((0, 1), repeat=len(unknown))
    ]
    outcome = written(metric, text, known)
    found = bounds(outcome) if outcome.status == "bounded" else (value(outcome),) * 2
    assert found == (min(completed), max(completed))


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
