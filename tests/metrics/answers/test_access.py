"""Whether what was retrieved, and what the model saw, was the caller's to read."""

import pytest
from tests.metrics.answers.make import JudgedAnswer, bounds, case, judged, reason, value

from ragvet.metrics.answers import REGISTRY, ChunkGrades


def measured(metric, permitted, **given):
    one = judged(**given)
    evidence = ChunkGrades({}, permitted=permitted)
    return JudgedAnswer(one.case, one.trace, evidence=evidence).measured(REGISTRY[metric])


@pytest.mark.parametrize("metric", ["retrieved_permitted", "supplied_permitted"])
def test_items_the_caller_may_read_are_counted_and_unstated_ones_are_a_range(metric):
    assert value(measured(metric, {"p1": True, "p2": True, "p3": False})) == pytest.approx(2 / 3)
    assert bounds(measured(metric, {"p1": True, "p2": None, "p3": False})) == pytest.approx((1 / 3, 2 / 3))
    assert "is not stated" in reason(measured(metric, {}))


def test_what_is_not_reported_is_not_measured():
    silent = {"text": "So.", "retrievals": [], "supplied": None}
    assert reason(measured("retrieved_permitted", {}, answer=silent)) == "the target did not report what it retrieved"
    assert reason(measured("supplied_permitted", {}, answer=silent)) == "the target did not report what it supplied"
    assert reason(measured("supplied_permitted", {}, answer={"supplied": []})) == "nothing was supplied"


def test_it_is_asked_of_every_case_and_needs_no_judge():
    for metric in ("retrieved_permitted", "supplied_permitted"):
        assert REGISTRY[metric].applies(case(expected_behaviour="refuse"))
        assert not REGISTRY[metric].judged
