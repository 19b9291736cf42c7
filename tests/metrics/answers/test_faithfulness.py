import pytest
from tests.metrics.answers.make import bounds, claims, measure, reason, support, value


def test_faithfulness_is_the_share_of_claims_the_context_supports():
    # c1 supported, c2 contradicted, c3 partly, c4 has no row at all: nothing shows it. 1 of 4.
    rows = support(c1="p1:unsupported p2:supported", c2="p1:contradicted", c3="p3:partial")
    outcome = measure("faithfulness", claims=claims(4), support=rows)
    assert value(outcome) == 0.25
    assert (outcome.numerator, outcome.denominator) == (1, 4)


def test_undecided_and_unverified_claims_make_a_range_instead_of_a_guess():
    # Supported for sure: c1. Open: c2 (undecided), c3 (quote not found). Settled against: c4.
    rows = support(c1="p1:supported", c2="p1:undecided", c3="p1:unverified", c4="p1:unsupported")
    assert bounds(measure("faithfulness", claims=claims(4), support=rows)) == (0.25, 0.75)


def test_support_by_one_passage_settles_a_claim_whatever_the_others_leave_open():
    rows = support(c1="p1:undecided p2:supported p3:contradicted")
    assert value(measure("faithfulness", claims=claims(1), support=rows)) == 1.0


def test_a_contradicted_claim_with_an_open_passage_may_still_be_supported_there():
    rows = support(c1="p1:contradicted p2:undecided")
    assert bounds(measure("faithfulness", claims=claims(1), support=rows)) == (0.0, 1.0)


def test_small_talk_is_not_counted():
    polite = [*claims(1), {"id": "hi", "text": "Glad to help!", "start": 40, "end": 45, "needs_evidence": False}]
    assert value(measure("faithfulness", claims=polite, support=support(c1="p1:supported"))) == 1.0


@pytest.mark.parametrize(
    ("observed", "answer", "why"),
    [
        ("refused", {}, "the system refused"),
        ("clarified", {}, "the system asked back"),
        ("routed", {}, "the system routed the question"),
        (None, {"text": None}, "the answer is blank"),
        (None, {"text": " \t\u200b\u00a0"}, "the answer is blank"),
        ("answered", {"supplied": []}, "nothing was supplied to the model"),
        ("answered", {"supplied": [{"chunk_id": "p1", "text": " "}]}, "nothing was supplied to the model"),
        ("answered", {"supplied": None, "context": "  ", "retrieved": []}, "nothing was supplied to the model"),
        ("answered", {"supplied": None, "retrieved": ["p1"]}, "the trace holds no text of what was supplied"),
        ("answered", {"supplied": None, "retrievals": []}, "the target reported neither context nor retrieval"),
    ],
)
def test_where_nothing_can_be_measured_it_is_undefined_and_says_why(observed, answer, why):
    given = {"retrievals": [], **answer} if "retrieved" not in answer else answer
    base = {"retrieved": given["retrieved"]} if "retrieved" in given else {"retrieved": None}
    if "retrieved" not in given:
        base = {}
    outcome = measure("faithfulness", observed, answer=base | given, claims=claims(1))
    assert reason(outcome) == why


def test_an_answer_without_claims_is_never_perfect():
    assert reason(measure("faithfulness")) == "the answer makes no claim that needs evidence"
