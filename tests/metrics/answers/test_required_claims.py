"""What all metrics of required claims promise alike."""

import pytest
from tests.metrics.answers.make import FOUR_CLAIMS, bounds, case, covering, measure, reason, value

from ragvet.metrics.answers import REGISTRY

METRICS = {
    "completeness": (2 / 4, 1 / 4),  # strict, all four: 2 of 4
    "completeness_material": (1 / 2, 1 / 2),  # strict, the two material ones: 1 of 2
    "nugget_all": (2.5 / 4, 1 / 4),  # half credit for partial: (1 + 0.5 + 1 + 0) / 4
    "nugget_vital": (1.5 / 2, 1 / 2),  # material only: (1 + 0.5) / 2
    "nugget_weighted": (2 / 3, 1 / 3),  # minor at half weight: (1 + 0.5 + 0.5 + 0) / (1 + 1 + 0.5 + 0.5)
    "nugget_weighted_strict": (1.5 / 3, 1 / 3),  # and nothing for partial: (1 + 0 + 0.5 + 0) / 3
}
"""Metric: its value by hand, and its low end where only the first claim is settled."""
every_metric = pytest.mark.parametrize("metric", METRICS)


@every_metric
def test_by_hand(metric):
    # Material: claim 1 covered, `exception` partly. Minor: claim 3 covered, claim 4 missing.
    outcome = covering(metric, _1="covered", exception="partial", _3="covered", _4="missing")
    assert value(outcome) == pytest.approx(METRICS[metric][0])


@every_metric
def test_undecided_and_unjudged_claims_make_a_range(metric):
    # claim 1 covered; `exception` undecided; nobody judged 3 and 4.
    outcome = covering(metric, _1="covered", exception="undecided")
    assert bounds(outcome) == (pytest.approx(METRICS[metric][1]), 1.0)


@every_metric
def test_contradicting_a_required_claim_covers_nothing(metric):
    outcome = covering(metric, _1="contradicted", exception="missing", _3="missing", _4="contradicted")
    assert value(outcome) == 0.0


@every_metric
def test_without_any_verdict_or_with_a_refusal_it_is_undefined(metric):
    assert reason(covering(metric)) == "coverage of the required claims was not judged"
    assert reason(measure(metric, "refused", asked=FOUR_CLAIMS)) == "the system refused"


@every_metric
def test_only_cases_to_be_answered_with_such_claims_are_eligible(metric):
    applies = REGISTRY[metric].applies
    assert applies(FOUR_CLAIMS)
    assert not applies(case())
    assert not applies(FOUR_CLAIMS.model_copy(update={"expected_behaviour": "refuse"}))


def test_metrics_of_material_claims_need_one():
    minor = case(required_claims=[{"text": "a", "materiality": "minor"}])
    applying = [metric for metric in METRICS if REGISTRY[metric].applies(minor)]
    assert applying == ["completeness", "nugget_all", "nugget_weighted", "nugget_weighted_strict"]
