"""What the shares of claims by their stand to the reference promise alike."""

import pytest
from tests.metrics.answers.make import bounds, claims, measure, reason, value

METRICS = {"reference_agreement": "agree", "reference_contradiction": "contradict", "reference_extra": "extra"}
every_metric = pytest.mark.parametrize(("metric", "verdict"), METRICS.items())


def stands(*verdicts):
    return [{"claim": f"c{number}", "verdict": verdict} for number, verdict in enumerate(verdicts, start=1)]


@every_metric
def test_each_is_the_share_of_claims_with_its_verdict(metric, verdict):
    others = [other for other in METRICS.values() if other != verdict]
    given = stands(verdict, *others, verdict)
    assert value(measure(metric, claims=claims(4), agreement=given)) == 0.5


@every_metric
def test_an_undecided_claim_makes_a_range(metric, verdict):
    # Nobody judged c3: it is as open as c2.
    given = stands(verdict, "undecided")
    assert bounds(measure(metric, claims=claims(3), agreement=given)) == (pytest.approx(1 / 3), 1.0)


@every_metric
def test_without_a_comparison_or_claims_it_is_undefined(metric, verdict):
    assert reason(measure(metric, claims=claims(1))) == "agreement with the reference was not judged"
    assert reason(measure(metric, agreement=stands(verdict))) == "the answer makes no claim that needs evidence"
