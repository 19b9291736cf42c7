from tests.metrics.answers.make import measure, reason, value


def test_question_addressed_is_one_or_zero():
    assert value(measure("question_addressed", addresses_question=True)) == 1.0
    assert value(measure("question_addressed", addresses_question=False)) == 0.0


def test_a_verdict_nobody_gave_is_neither():
    assert "not judged" in reason(measure("question_addressed"))
    assert reason(measure("question_addressed", "routed")) == "the system routed the question"
