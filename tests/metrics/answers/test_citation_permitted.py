from tests.metrics.answers.make import bounds, citation, measure, reason, value


def cited(*facts):
    return [citation(number, "supported", "c1", permitted=fact) for number, fact in enumerate(facts)]


def test_citation_permitted_is_the_share_of_citations_for_which_it_holds():
    assert value(measure("citation_permitted", citations=cited(True, False, True, True))) == 0.75


def test_what_could_not_be_checked_makes_a_range():
    assert bounds(measure("citation_permitted", citations=cited(True, None, False, None))) == (0.25, 0.75)


def test_a_check_that_ran_for_no_citation_is_undefined_and_no_pass():
    assert (
        reason(measure("citation_permitted", citations=cited(None, None)))
        == "no citation could be held against the caller's rights"
    )


def test_without_a_citation_there_is_nothing_to_check():
    assert reason(measure("citation_permitted", answer={"citations": []})) == "the answer cites nothing"
