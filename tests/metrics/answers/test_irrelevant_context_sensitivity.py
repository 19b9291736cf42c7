from tests.metrics.answers.make import bounds, claims, measure, reason, support, value


def stands(*verdicts):
    return [{"claim": f"c{number}", "verdict": verdict} for number, verdict in enumerate(verdicts, start=1)]


def sensitivity(agreement, rows, **evidence):
    return measure(
        "irrelevant_context_sensitivity",
        claims=claims(len(agreement)),
        agreement=agreement,
        support=rows,
        evidence=evidence,
    )


def test_only_wrong_claims_drawn_from_irrelevant_passages_count():
    # c1 wrong from p2 (irrelevant); c2 wrong from p1 (relevant); c3 right from p2; c4 wrong from nowhere: 1 of 4.
    rows = support(c1="p2:supported", c2="p1:supported", c3="p2:supported", c4="p2:unsupported")
    assert value(sensitivity(stands("contradict", "contradict", "agree", "contradict"), rows, p1=1, p2=0)) == 0.25


def test_a_wrong_claim_that_a_relevant_passage_supports_too_does_not_come_from_noise():
    rows = support(c1="p1:supported p2:supported", c2="p1:undecided p2:supported")
    assert bounds(sensitivity(stands("contradict", "contradict"), rows, p1=1, p2=0)) == (0.0, 0.5)


def test_an_unjudged_passage_may_be_irrelevant():
    assert bounds(sensitivity(stands("contradict"), support(c1="p3:supported"), p1=1)) == (0.0, 1.0)


def test_an_undecided_agreement_stays_open_only_where_the_passage_could_mislead():
    rows = support(c1="p2:supported", c2="p1:supported")
    assert bounds(sensitivity(stands("undecided", "undecided"), rows, p1=1, p2=0)) == (0.0, 0.5)


def test_without_agreement_it_is_undefined():
    outcome = sensitivity([], support(c1="p1:supported"))
    assert reason(outcome) == "the answer makes no claim that needs evidence"
    judged_claims = measure("irrelevant_context_sensitivity", claims=claims(1), support=support(c1="p1:supported"))
    assert reason(judged_claims) == "agreement with the reference was not judged"
