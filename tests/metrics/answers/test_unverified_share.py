from tests.metrics.answers.make import claims, measure, reason, support, value


def test_unverified_share_counts_claims_that_hang_on_unverified_quotes_alone():
    # c1 alone: c2 hangs on an undecided passage too, c3 is settled by p2.
    rows = support(c1="p1:unverified", c2="p1:unverified p2:undecided", c3="p1:unverified p2:supported")
    assert value(measure("unverified_share", claims=claims(4), support=rows)) == 0.25


def test_without_claims_it_is_undefined():
    assert reason(measure("unverified_share")) == "the answer makes no claim that needs evidence"
