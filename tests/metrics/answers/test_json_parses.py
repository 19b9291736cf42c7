import pytest
from tests.metrics.answers.make import case, measure, reason, value

from ragvet.metrics.answers import REGISTRY

ASKED = case(output_contract={})


def parses(text):
    return measure("json_parses", None, asked=ASKED, answer={"text": text})


@pytest.mark.parametrize("text", ['{"a": 1}', " [1, 2]\n", "null", '"x"', "1e3", '{"a": "\\ud800"}'])
def test_one_json_value_parses(text):
    assert value(parses(text)) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "{'a': 1}",
        '```json\n{"a": 1}\n```',
        'Here you are: {"a": 1}',
        '{"a": 1} {"a": 2}',
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": 1, "a": 2}',  # which one counts is undefined
        "\ufeff{}",
        "[" * 100_000,
        "9" * 10_000,  # longer than Python will read
    ],
)
def test_anything_else_does_not(text):
    assert value(parses(text)) == 0.0


def test_a_blank_answer_was_not_checked():
    assert reason(parses(" ")) == "the answer is blank"


def test_it_needs_no_judge_and_only_cases_with_a_contract():
    metric = REGISTRY["json_parses"]
    assert not metric.judged
    assert metric.applies(ASKED)
    assert not metric.applies(case())
