import pytest
from tests.metrics.answers.make import bounds, claims, measure, support, value


def test_contradicted_share_is_the_share_of_contradicted_claims():
    # c1 contradicted; c2 another verdict; c3 has no row at all, so nothing shows it.
    outcome = measure("contradicted_share", claims=claims(3), support=support(c1="p1:contradicted", c2="p2:partial"))
    assert value(outcome) == pytest.approx(1 / 3)
    assert (outcome.numerator, outcome.denominator) == (1, 3)


def test_an_undecided_passage_keeps_open_only_what_it_can_still_change():
    # c1 is contradicted by p1 and open in p2: p2 may support it, so it counts in one completion and not in the other.
    outcome = measure(
        "contradicted_share", claims=claims(2), support=support(c1="p1:contradicted p2:undecided", c2="p1:supported")
    )
    assert bounds(outcome) == (0.0, 0.5)
