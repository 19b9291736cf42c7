from tests.metrics.answers.make import bounds, claims, measure, reason, value


def spoken(*facts):
    given = claims(len(facts))
    return [claim | {"addresses_question": fact} for claim, fact in zip(given, facts, strict=True)]


def test_relevance_is_the_share_of_claims_that_address_the_question():
    assert value(measure("relevance", claims=spoken(True, True, False, True))) == 0.75


def test_small_talk_counts_here_because_it_is_off_the_point():
    given = [claim | {"needs_evidence": False} for claim in spoken(False, True)]
    assert value(measure("relevance", claims=given)) == 0.5


def test_claims_nobody_judged_make_a_range_and_all_of_them_none():
    assert bounds(measure("relevance", claims=spoken(True, None))) == (0.5, 1.0)
    assert reason(measure("relevance", claims=spoken(None, None))) == "relevance to the question was not judged"


def test_a_blank_answer_is_not_irrelevant():
    assert reason(measure("relevance", None, answer={"text": ""})) == "the answer is blank"
