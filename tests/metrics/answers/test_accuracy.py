import pytest
from tests.metrics.answers.make import bounds, claims, measure, reason, value


def stands(*verdicts):
    return [{"claim": f"c{number}", "verdict": verdict} for number, verdict in enumerate(verdicts, start=1)]


def accuracy(*verdicts):
    return measure("accuracy", claims=claims(len(verdicts)), agreement=stands(*verdicts))


def test_accuracy_is_agreeing_over_agreeing_and_contradicting():
    outcome = accuracy("agree", "contradict", "agree", "extra")
    assert value(outcome) == pytest.approx(2 / 3)
    assert (outcome.numerator, outcome.denominator) == (2, 3)


def test_an_undecided_claim_may_agree_contradict_or_go_beyond():
    # agree/agree 2/2; agree/contradict 1/2; agree/extra 1/1: from 1/2 to 1.
    assert bounds(accuracy("agree", "undecided", "extra")) == (0.5, 1.0)
    # The one contradiction stays: contradict+contradict 0/2, contradict+agree 1/2, contradict+extra 0/1.
    assert bounds(accuracy("contradict", "undecided")) == (0.0, 0.5)


def test_a_claim_nobody_compared_is_open():
    outcome = measure("accuracy", claims=claims(2), agreement=stands("agree"))
    assert bounds(outcome) == (0.5, 1.0)


def test_where_every_claim_goes_beyond_the_reference_there_is_no_accuracy():
    assert reason(accuracy("extra", "extra")) == "every claim goes beyond the reference"


def test_without_a_comparison_it_is_undefined():
    assert reason(measure("accuracy", claims=claims(1))) == "agreement with the reference was not judged"
