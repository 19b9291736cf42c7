import pytest
from tests.metrics.answers.make import bounds, claims, measure, reason, support, value


def test_context_use_is_the_share_of_passages_some_claim_draws_on():
    # p1 supports, p2 in part, p3 only contradicts: 2 of 3.
    rows = support(c1="p1:supported p2:unsupported p3:contradicted", c2="p2:partial")
    assert value(measure("context_use", claims=claims(2), support=rows)) == pytest.approx(2 / 3)


def test_an_undecided_passage_may_have_been_used():
    rows = support(c1="p1:supported p2:undecided")
    assert bounds(measure("context_use", claims=claims(1), support=rows)) == (
        pytest.approx(1 / 3),
        pytest.approx(2 / 3),
    )


def test_a_context_known_only_as_one_text_has_no_passages_to_count():
    rows = support(c1="context:supported")
    outcome = measure("context_use", claims=claims(1), support=rows, answer={"supplied": ["p1"], "context": "so"})
    assert reason(outcome) == "the supplied context is not known passage by passage"
