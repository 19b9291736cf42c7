from tests.metrics.answers.make import measure, reason, value


def test_latency_is_what_the_caller_measured():
    assert value(measure("latency", latency=0.25)) == 0.25
    assert value(measure("latency", "refused", latency=0.0)) == 0.0


def test_a_latency_nobody_measured_is_not_zero():
    assert reason(measure("latency")) == "latency was not measured"
