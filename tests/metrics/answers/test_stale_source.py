from tests.metrics.answers.make import bounds, citation, measure, reason, value


def cited(*right):
    return [citation(number, "supported", "c1", right_version=fact) for number, fact in enumerate(right)]


def test_one_stale_citation_is_enough_whatever_the_others_are():
    assert value(measure("stale_source", citations=cited(True, False, None))) == 1.0
    assert value(measure("stale_source", citations=cited(True, True))) == 0.0


def test_an_unchecked_version_is_no_clean_bill():
    assert bounds(measure("stale_source", citations=cited(True, None))) == (0.0, 1.0)
    assert reason(measure("stale_source", citations=cited(None))) == "no citation's version could be checked"
    assert reason(measure("stale_source", answer={"citations": []})) == "the answer cites nothing"


def test_a_citation_that_leads_nowhere_is_not_stale():
    invented = citation(1, "unsupported", resolves=False, right_version=None)
    assert value(measure("stale_source", citations=[*cited(True), invented])) == 0.0
    assert reason(measure("stale_source", citations=[invented])) == "every citation leads nowhere"
