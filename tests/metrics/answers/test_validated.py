"""Tested, produced, validated: coverage, quality and success of answers."""

import pytest
from tests.metrics.answers.make import CITED, bounds, case, measure, reason, validating, value

from ragvet.metrics.answers import REGISTRY, Condition

METRICS = ["answer_quality", "answer_success"]
every_metric = pytest.mark.parametrize("metric", METRICS)


def test_an_answer_was_produced_where_the_system_answered_with_text():
    assert [value(measure("answer_coverage", seen)) for seen in ("answered", "refused", "clarified", "routed")] == [
        *(1.0, 0.0, 0.0, 0.0)
    ]
    assert value(measure("answer_coverage", "answered", answer={"text": "\u200b "})) == 0.0  # whatever was flagged
    assert bounds(measure("answer_coverage", None)) == (0.0, 1.0)


@every_metric
def test_a_produced_answer_is_validated_when_every_condition_holds(metric):
    assert value(validating(metric)) == 1.0
    assert value(validating(metric, agreement="contradict")) == 0.0
    assert value(validating(metric, cited="unsupported")) == 0.0


@every_metric
def test_one_condition_that_fails_settles_it_and_one_that_is_open_leaves_it_open(metric):
    assert value(validating(metric, agreement="contradict", cited="undecided")) == 0.0
    assert bounds(validating(metric, cited="undecided")) == (0.0, 1.0)


@every_metric
def test_a_check_that_did_not_run_is_no_pass_unless_the_declaration_says_so(metric):
    assert bounds(validating(metric, agreement=None)) == (0.0, 1.0)  # undefined: nobody compared
    assert bounds(validating(metric, asked=case())) == (0.0, 1.0)  # not eligible: the case has no reference
    for undefined, expected in ((True, 1.0), (False, 0.0)):
        lenient = Condition(REGISTRY["accuracy"], low=1.0, undefined=undefined)
        assert value(validating(metric, agreement=None, validated=(lenient, CITED))) == expected


@every_metric
def test_an_upper_end_counts_like_a_lower_one(metric):
    assert value(validating(metric, validated=(Condition(REGISTRY["stale_source"], high=0.0),))) == 1.0


@every_metric
def test_without_a_declaration_nothing_is_validated(metric):
    assert reason(validating(metric, validated=())) == "the config does not declare what validated means"


def test_what_was_not_produced_is_no_success_and_not_in_the_denominator_of_quality():
    assert value(validating("answer_success", "refused")) == 0.0
    assert reason(validating("answer_quality", "refused")) == "no answer was produced"


def test_an_undecided_behaviour_matters_to_success_only_where_the_answer_could_be_valid():
    assert bounds(validating("answer_success", None)) == (0.0, 1.0)
    assert value(validating("answer_success", None, agreement="contradict")) == 0.0
    # Of quality it is 0, or not in the denominator at all.
    found = validating("answer_quality", None, agreement="contradict")
    assert (bounds(found), found.may_drop) == ((0.0, 0.0), True)
