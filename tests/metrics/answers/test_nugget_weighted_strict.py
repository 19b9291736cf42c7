import pytest
from tests.metrics.answers.make import bounds, case, measure, reason, value

from ragvet.metrics.answers import REGISTRY

ASKED = case(
    required_claims=[
        {"text": "a"},
        {"id": "exception", "text": "b", "kind": "exception"},
        {"text": "c", "materiality": "minor"},
        {"text": "d", "materiality": "minor"},
    ]
)


def found(**verdicts):
    rows = [{"required_claim": claim.strip("_"), "verdict": verdict} for claim, verdict in verdicts.items()]
    return measure("nugget_weighted_strict", asked=ASKED, coverage=rows)


def test_nugget_weighted_strict_by_hand():
    # Material: claim 1 covered, `exception` partly. Minor: claim 3 covered, claim 4 missing.
    # minor at half weight, nothing for partial: (1 + 0 + 0.5 + 0) / 3
    assert value(found(_1="covered", exception="partial", _3="covered", _4="missing")) == pytest.approx(1.5 / 3)


def test_contradicting_a_required_claim_covers_nothing():
    assert value(found(_1="contradicted", exception="missing", _3="missing", _4="contradicted")) == 0.0


def test_undecided_and_unjudged_claims_make_a_range():
    # claim 1 covered; `exception` undecided; nobody judged 3 and 4.
    outcome = found(_1="covered", exception="undecided")
    assert bounds(outcome) == (pytest.approx(1 / 3), 1.0)


def test_without_any_verdict_or_with_a_refusal_it_is_undefined():
    assert reason(found()) == "coverage of the required claims was not judged"
    assert reason(measure("nugget_weighted_strict", "refused", asked=ASKED)) == "the system refused"


def test_only_cases_with_such_claims_are_eligible():
    metric = REGISTRY["nugget_weighted_strict"]
    assert metric.applies(ASKED)
    assert not metric.applies(case())
    assert not metric.applies(case(expected_behaviour="refuse", required_claims=[{"text": "a"}]))
