from tests.metrics.answers.make import bounds, claims, measure, reason, support, value


def rows(**verdicts):
    flagged = support(**verdicts)
    flagged[0]["missing_qualification"] = True
    return flagged


def test_missing_qualification_share_counts_flagged_claims():
    outcome = measure("missing_qualification_share", claims=claims(2), support=rows(c1="p1:partial", c2="p1:supported"))
    assert value(outcome) == 0.5


def test_an_undecided_claim_is_not_clean_yet():
    outcome = measure("missing_qualification_share", claims=claims(2), support=rows(c1="p1:partial", c2="p1:undecided"))
    assert bounds(outcome) == (0.5, 1.0)


def test_a_refusal_drops_nothing():
    assert reason(measure("missing_qualification_share", "refused")) == "the system refused"
