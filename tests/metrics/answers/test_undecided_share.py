from tests.metrics.answers.make import claims, measure, reason, support, value


def test_undecided_share_counts_claims_whose_verdict_hangs_on_an_undecided_passage():
    # c1 is settled by p2; c2 hangs on p1; c3 only on a quote that was not found: that is unverified_share.
    rows = support(c1="p1:undecided p2:supported", c2="p1:undecided p2:partial", c3="p1:unverified")
    assert value(measure("undecided_share", claims=claims(4), support=rows)) == 0.25


def test_where_there_is_no_claim_nothing_is_undecided_and_nothing_is_measured():
    assert reason(measure("undecided_share", "refused", claims=claims(2))) == "the system refused"
