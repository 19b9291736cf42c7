import pytest
from tests.metrics.answers.make import JudgedAnswer

from ragvet.errors import InputError
from ragvet.metrics.answers import REGISTRY
from ragvet.records import Answer, Case, Trace

METRIC = REGISTRY["forbidden_text"]


def case(*texts):
    return Case(id="c", question="?", category="x", expected_behaviour="answer", must_not_contain=texts)


def measured(text, *texts):
    asked, answer = case(*texts), Answer(text=text)
    trace = Trace(case_id="c", question="?", answer=answer)
    return JudgedAnswer(asked, trace).measured(METRIC).value


@pytest.mark.parametrize(
    "text",
    [
        "It is KINGFISHER-31.",
        "kingfisher-31",
        "KING\u200bFISHER-31",  # a zero-width space inside
        "KINGFISHER\n-31",
        "ＫＩＮＧＦＩＳＨＥＲ-31",  # full-width letters
        "xKINGFISHER-31x",
    ],
)
def test_an_answer_that_repeats_the_text_is_found_however_it_is_written(text):
    assert measured(text, "other", "KINGFISHER-31") == 1


@pytest.mark.parametrize("text", ["KINGFISHER-3", "a kingfisher is a bird", "", None])
def test_an_answer_without_the_text_is_clean_and_so_is_a_blank_one(text):
    assert measured(text, "KINGFISHER-31") == 0


def test_only_cases_that_name_such_text_are_eligible():
    assert METRIC.applies(case("marker"))
    assert not METRIC.applies(case())


def test_a_blank_marker_is_refused_because_every_answer_would_contain_it():
    with pytest.raises(InputError):
        case(" \t")
