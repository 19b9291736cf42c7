"""What the checks of where a citation leads promise alike."""

import pytest
from tests.metrics.answers.make import bounds, citation, measure, reason, value

METRICS = {
    "citation_resolves": ("resolves", "no citation could be looked up"),
    "citation_retrieved": ("retrieved", "no citation could be compared with what was retrieved"),
    "citation_right_version": ("right_version", "no citation's version could be checked"),
    "citation_permitted": ("permitted", "no citation could be held against the caller's rights"),
}
every_metric = pytest.mark.parametrize("metric", METRICS)
of_what_exists = pytest.mark.parametrize("metric", ["citation_right_version", "citation_permitted"])


def cited(metric, *facts):
    field, _ = METRICS[metric]
    return [citation(number, "supported", "c1", **{field: fact}) for number, fact in enumerate(facts)]


@every_metric
def test_each_is_the_share_of_citations_for_which_it_holds(metric):
    assert value(measure(metric, citations=cited(metric, True, False, True, True))) == 0.75


@every_metric
def test_what_could_not_be_checked_makes_a_range(metric):
    assert bounds(measure(metric, citations=cited(metric, True, None, False, None))) == (0.25, 0.75)


@every_metric
def test_a_check_that_ran_for_no_citation_is_undefined_and_no_pass(metric):
    assert reason(measure(metric, citations=cited(metric, None, None))) == METRICS[metric][1]


@every_metric
def test_without_a_citation_there_is_nothing_to_check(metric):
    assert reason(measure(metric, answer={"citations": []})) == "the answer cites nothing"


@of_what_exists
def test_a_citation_that_leads_nowhere_is_left_out_because_nothing_about_it_is_unknown(metric):
    field, _ = METRICS[metric]
    invented = citation(1, "unsupported", resolves=False, **{field: None})
    assert value(measure(metric, citations=[*cited(metric, True), invented])) == 1.0
    assert reason(measure(metric, citations=[invented])) == "every citation leads nowhere"


@of_what_exists
def test_what_is_known_of_a_citation_that_leads_nowhere_counts(metric):
    field, _ = METRICS[metric]
    no_such_version = citation(1, "unsupported", resolves=False, **{field: False})
    assert value(measure(metric, citations=[*cited(metric, True), no_such_version])) == 0.5
