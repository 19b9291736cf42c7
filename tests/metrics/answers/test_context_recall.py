from tests.metrics.answers.make import bounds, measure, reason, value


def test_context_recall_is_the_share_of_reference_statements_the_context_supports():
    stated = [
        {"statement": "a", "verdict": "supported"},
        {"statement": "b", "verdict": "partial"},
        {"statement": "c", "verdict": "unsupported"},
        {"statement": "d", "verdict": "supported"},
    ]
    assert value(measure("context_recall", reference_support=stated)) == 0.5


def test_open_statements_make_a_range():
    stated = [{"statement": "a", "verdict": "supported"}, {"statement": "b", "verdict": "unverified"}]
    assert bounds(measure("context_recall", reference_support=stated)) == (0.5, 1.0)


def test_a_refusal_does_not_hide_that_the_context_held_the_answer():
    stated = [{"statement": "a", "verdict": "supported"}]
    assert value(measure("context_recall", "refused", reference_support=stated)) == 1.0


def test_not_judged_blank_context_and_an_empty_reference_are_told_apart():
    assert reason(measure("context_recall")) == "the reference was not held against the context"
    assert reason(measure("context_recall", reference_support=[])) == "the reference makes no statement"
    blank = measure("context_recall", answer={"supplied": []}, reference_support=[])
    assert reason(blank) == "nothing was supplied to the model"
