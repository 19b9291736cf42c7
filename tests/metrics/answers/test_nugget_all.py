import pytest
from tests.metrics.answers.make import bounds, covering, value


def test_nugget_all_by_hand():
    # Material: claim 1 covered, `exception` partly. Minor: claim 3 covered, claim 4 missing.
    # half credit for partial: (1 + 0.5 + 1 + 0) / 4
    outcome = covering("nugget_all", _1="covered", exception="partial", _3="covered", _4="missing")
    assert value(outcome) == pytest.approx(2.5 / 4)


def test_undecided_and_unjudged_claims_make_a_range():
    # claim 1 covered; `exception` undecided; nobody judged 3 and 4.
    outcome = covering("nugget_all", _1="covered", exception="undecided")
    assert bounds(outcome) == (pytest.approx(1 / 4), 1.0)
