from tests.metrics.answers.make import bounds, measure, value


def test_answer_coverage_is_one_where_an_answer_was_produced():
    assert value(measure("answer_coverage", "answered")) == 1.0
    for other in ("refused", "clarified", "routed"):
        assert value(measure("answer_coverage", other)) == 0.0


def test_a_blank_answer_is_none_whatever_was_flagged():
    assert value(measure("answer_coverage", "answered", answer={"text": "\u200b "})) == 0.0
    assert bounds(measure("answer_coverage", None)) == (0.0, 1.0)
