from tests.metrics.answers.make import measure, reason, value


def used(**stages):
    return measure("output_tokens", answer={"usage": stages})


def test_output_tokens_is_summed_over_stages():
    assert value(used(embedding={"output_tokens": 3}, generation={"output_tokens": 7})) == 10


def test_unknown_is_not_zero():
    assert reason(used()) == "the target reported no usage"
    partly = used(embedding={}, generation={"output_tokens": 7})
    assert reason(partly) == "the target did not report output_tokens for every stage"
    assert value(used(generation={"output_tokens": 0})) == 0.0
