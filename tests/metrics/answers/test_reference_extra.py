from tests.metrics.answers.make import bounds, claims, measure, reason, value


def stands(*verdicts):
    return [{"claim": f"c{number}", "verdict": verdict} for number, verdict in enumerate(verdicts, start=1)]


def test_reference_extra_is_the_share_of_claims_that_extra():
    given = stands("agree", "contradict", "extra", "extra")
    assert value(measure("reference_extra", claims=claims(4), agreement=given)) == 0.5


def test_an_undecided_claim_makes_a_range():
    given = stands("undecided", "extra")
    assert bounds(measure("reference_extra", claims=claims(2), agreement=given)) == (0.5, 1.0)


def test_without_a_comparison_or_claims_it_is_undefined():
    assert reason(measure("reference_extra", claims=claims(1))) == "agreement with the reference was not judged"
    assert (
        reason(measure("reference_extra", agreement=stands("agree"))) == "the answer makes no claim that needs evidence"
    )
