"""What the shares of claims by verdict promise alike; faithfulness has more of its own."""

import pytest
from tests.metrics.answers.make import bounds, claims, measure, reason, support, value

METRICS = {"contradicted_share": "contradicted", "partial_share": "partial", "unsupported_share": "unsupported"}
OPEN = ["undecided_share", "unverified_share"]


@pytest.mark.parametrize(("metric", "thirds"), list(zip(METRICS, (1, 1, 2), strict=True)))
def test_each_counts_the_claims_of_its_verdict_and_no_row_at_all_shows_nothing(metric, thirds):
    # c1 has the verdict, c2 another one, c3 no row: it is unsupported.
    rows = support(c1=f"p1:{METRICS[metric]}", c2="p2:supported")
    outcome = measure(metric, claims=claims(3), support=rows)
    assert (outcome.numerator, outcome.denominator) == (thirds, 3)


@pytest.mark.parametrize("metric", METRICS)
def test_an_undecided_passage_keeps_open_only_what_it_can_still_change(metric):
    # p2 may support c1 or say the same as p1: c1 counts in one completion and not in the other. c2 is settled.
    rows = support(c1=f"p1:{METRICS[metric]} p2:undecided", c2="p1:supported")
    assert bounds(measure(metric, claims=claims(2), support=rows)) == (0.0, 0.5)


def test_undecided_share_counts_claims_whose_verdict_hangs_on_an_undecided_passage():
    # c1 is settled by p2; c2 hangs on p1; c3 only on a quote that was not found: that is unverified_share.
    rows = support(c1="p1:undecided p2:supported", c2="p1:undecided p2:partial", c3="p1:unverified")
    assert value(measure("undecided_share", claims=claims(4), support=rows)) == 0.25


def test_unverified_share_counts_claims_that_hang_on_unverified_quotes_alone():
    # c1 alone: c2 hangs on an undecided passage too, c3 is settled by p2.
    rows = support(c1="p1:unverified", c2="p1:unverified p2:undecided", c3="p1:unverified p2:supported")
    assert value(measure("unverified_share", claims=claims(4), support=rows)) == 0.25


@pytest.mark.parametrize("metric", [*METRICS, *OPEN])
def test_where_there_is_no_claim_nothing_is_measured(metric):
    assert reason(measure(metric)) == "the answer makes no claim that needs evidence"
    assert reason(measure(metric, "refused", claims=claims(2))) == "the system refused"
