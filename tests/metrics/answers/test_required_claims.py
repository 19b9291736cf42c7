"""What all metrics of required claims promise alike."""

import pytest
from tests.metrics.answers.make import FOUR_CLAIMS, case, covering, measure, reason, value

from ragvet.metrics.answers import REGISTRY

METRICS = [
    "completeness",
    "completeness_material",
    "nugget_all",
    "nugget_vital",
    "nugget_weighted",
    "nugget_weighted_strict",
]
every_metric = pytest.mark.parametrize("metric", METRICS)


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
