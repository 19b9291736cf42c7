from tests.metrics.answers.make import measure, reason, value


def used(**stages):
    return measure("input_tokens", answer={"usage": stages})


def test_input_tokens_is_summed_over_stages():
    assert value(used(embedding={"input_tokens": 20}, generation={"input_tokens": 100})) == 120


def test_unknown_is_not_zero():
    assert reason(used()) == "the target reported no usage"
    partly = used(embedding={}, generation={"input_tokens": 100})
    assert reason(partly) == "the target did not report input_tokens for every stage"
    assert value(used(generation={"input_tokens": 0})) == 0.0
