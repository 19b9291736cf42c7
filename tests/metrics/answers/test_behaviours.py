"""What was done instead of what should have been: missed and wrong refusals, clarifications, hand-overs."""

from itertools import product

import pytest
from tests.metrics.answers.make import bounds, case, measure, reason, value

from ragvet.metrics.answers import REGISTRY

OBSERVED = ("answered", "refused", "clarified", "routed")
METRICS = {
    "missed_refusal": ("refuse", "answered"),
    "missed_clarification": ("clarify", "answered"),
    "missed_routing": ("route", "answered"),
    "wrong_refusal": ("answer", "refused"),
    "wrong_clarification": ("answer", "clarified"),
    "wrong_routing": ("answer", "routed"),
}
"""Metric: what was expected, and what counts."""
every_metric = pytest.mark.parametrize("metric", METRICS)


def did(metric, observed, **answer):
    expected, _ = METRICS[metric]
    return measure(metric, observed, asked=case(expected_behaviour=expected), answer=answer)


@every_metric
def test_one_behaviour_counts_and_no_other(metric):
    assert [seen for seen in OBSERVED if value(did(metric, seen)) == 1.0] == [METRICS[metric][1]]


@every_metric
def test_an_undecided_behaviour_is_open(metric):
    assert bounds(did(metric, None)) == (0.0, 1.0)


@every_metric
def test_a_blank_answer_is_no_behaviour_unless_the_system_says_so(metric):
    _, counted = METRICS[metric]
    assert reason(did(metric, None, text=" ")) == "the answer is blank"
    assert value(did(metric, counted, text="", behaviour=counted)) == 1.0


@every_metric
def test_each_expectation_is_a_denominator_of_its_own(metric):
    applies = REGISTRY[metric].applies
    eligible = [one for one in ("answer", "refuse", "clarify", "route") if applies(case(expected_behaviour=one))]
    assert eligible == [METRICS[metric][0]]


WITH, WITHOUT = "wrong_refusal_with_evidence", "wrong_refusal_without_evidence"
SEEN, UNSEEN = {"p1": 1, "p2": 0, "p3": 0}, {"p1": 0, "p2": 0, "p3": 0}


def split(observed, **given):
    """The wrong refusal with evidence, and without."""
    return [measure(metric, observed, **given) for metric in (WITH, WITHOUT)]


def test_a_wrong_refusal_had_evidence_before_the_model_or_had_not():
    assert list(map(value, split("refused", evidence=SEEN))) == [1.0, 0.0]
    assert list(map(value, split("refused", evidence=UNSEEN))) == [0.0, 1.0]
    assert list(map(value, split("answered", evidence=SEEN))) == [0.0, 0.0]


def test_evidence_retrieved_and_not_supplied_was_not_before_the_model():
    far = {"retrieved": ["p1", "p9"], "supplied": ["p1"]}
    assert list(map(value, split("refused", answer=far, evidence={"p1": 0, "p9": 2}))) == [0.0, 1.0]


def test_refusing_on_an_empty_shortlist_is_a_fault_of_retrieval():
    assert list(map(value, split("refused", answer={"retrieved": [], "supplied": []}))) == [0.0, 1.0]


@pytest.mark.parametrize("observed", ["refused", "answered"])
@pytest.mark.parametrize("known", [{}, {"p1": 0}, {"p1": 0, "p2": 0}, {"p2": 1}])
def test_the_split_is_exactly_as_open_as_the_passages_that_were_not_joined(observed, known):
    unknown = sorted({"p1", "p2", "p3"} - known.keys())
    grades = [known | dict(zip(unknown, drawn, strict=True)) for drawn in product((0, 1), repeat=len(unknown))]
    for metric in (WITH, WITHOUT):
        completed = {value(measure(metric, observed, evidence=whole)) for whole in grades}
        outcome = measure(metric, observed, evidence=known)
        found = set(bounds(outcome)) if outcome.status == "bounded" else {value(outcome)}
        assert found == completed
