import pytest
from tests.metrics.answers.make import bounds, claims, measure, support, value


def test_partial_share_is_the_share_of_partial_claims():
    # c1 partial; c2 another verdict; c3 has no row at all, so nothing shows it.
    outcome = measure("partial_share", claims=claims(3), support=support(c1="p1:partial", c2="p2:supported"))
    assert value(outcome) == pytest.approx(1 / 3)
    assert (outcome.numerator, outcome.denominator) == (1, 3)


def test_an_undecided_passage_keeps_open_only_what_it_can_still_change():
    # c1 is partial by p1 and open in p2: p2 may support or contradict it, so it counts in one completion
    # and not in another.
    outcome = measure(
        "partial_share", claims=claims(2), support=support(c1="p1:partial p2:undecided", c2="p1:supported")
    )
    assert bounds(outcome) == (0.0, 0.5)
