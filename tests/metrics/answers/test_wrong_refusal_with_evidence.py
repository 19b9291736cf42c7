from tests.metrics.answers.make import bounds, measure, reason, value


def test_a_wrong_refusal_counts_here_only_with_evidence_before_the_model():
    assert value(measure("wrong_refusal_with_evidence", "refused", evidence={"p1": 1, "p2": 0, "p3": 0})) == 1.0
    assert value(measure("wrong_refusal_with_evidence", "refused", evidence={"p1": 0, "p2": 0, "p3": 0})) == 0.0
    assert value(measure("wrong_refusal_with_evidence", "answered", evidence={"p1": 1, "p2": 0, "p3": 0})) == 0.0


def test_evidence_retrieved_and_not_supplied_was_not_before_the_model():
    far = {"retrieved": ["p1", "p9"], "supplied": ["p1"]}
    assert value(measure("wrong_refusal_with_evidence", "refused", answer=far, evidence={"p1": 0, "p9": 2})) == 0.0


def test_an_empty_shortlist_holds_no_evidence():
    empty = {"retrieved": [], "supplied": []}
    assert value(measure("wrong_refusal_with_evidence", "refused", answer=empty)) == 0.0


def test_unjudged_chunks_keep_a_refusal_open_and_nothing_else():
    assert bounds(measure("wrong_refusal_with_evidence", "refused", evidence={"p1": 0})) == (0.0, 1.0)
    assert value(measure("wrong_refusal_with_evidence", "answered")) == 0.0
    assert reason(measure("wrong_refusal_with_evidence", None, answer={"text": None})) == "the answer is blank"
