from tests.metrics.answers.make import measure, reason, value


def used(**stages):
    return measure("cost", answer={"usage": stages})


def test_cost_is_summed_over_stages():
    assert value(used(embedding={"cost": 0.25}, generation={"cost": 0.5})) == 0.75


def test_unknown_is_not_zero():
    assert reason(used()) == "the target reported no usage"
    partly = used(embedding={}, generation={"cost": 0.5})
    assert reason(partly) == "the target did not report cost for every stage"
    assert value(used(generation={"cost": 0})) == 0.0
