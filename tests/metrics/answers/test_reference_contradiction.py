from tests.metrics.answers.make import bounds, claims, measure, reason, value


def stands(*verdicts):
    return [{"claim": f"c{number}", "verdict": verdict} for number, verdict in enumerate(verdicts, start=1)]


def test_reference_contradiction_is_the_share_of_claims_that_contradict():
    given = stands("agree", "contradict", "extra", "contradict")
    assert value(measure("reference_contradiction", claims=claims(4), agreement=given)) == 0.5


def test_an_undecided_claim_makes_a_range():
    given = stands("undecided", "contradict")
    assert bounds(measure("reference_contradiction", claims=claims(2), agreement=given)) == (0.5, 1.0)


def test_without_a_comparison_or_claims_it_is_undefined():
    assert reason(measure("reference_contradiction", claims=claims(1))) == "agreement with the reference was not judged"
    assert (
        reason(measure("reference_contradiction", agreement=stands("agree")))
        == "the answer makes no claim that needs evidence"
    )
