import pytest
from tests.metrics.answers.make import bounds, covering, value


def test_nugget_vital_by_hand():
    # Material: claim 1 covered, `exception` partly. Minor: claim 3 covered, claim 4 missing.
    # material only: (1 + 0.5) / 2
    outcome = covering("nugget_vital", _1="covered", exception="partial", _3="covered", _4="missing")
    assert value(outcome) == pytest.approx(1.5 / 2)


def test_undecided_and_unjudged_claims_make_a_range():
    # claim 1 covered; `exception` undecided; nobody judged 3 and 4.
    outcome = covering("nugget_vital", _1="covered", exception="undecided")
    assert bounds(outcome) == (pytest.approx(1 / 2), 1.0)
