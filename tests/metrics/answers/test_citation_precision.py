import pytest
from tests.metrics.answers.make import bounds, citation, claims, measure, reason, value


def test_citation_precision_is_the_share_of_citations_that_support_their_claims():
    cited = [citation(0, "supported", "c1"), citation(1, "partial", "c1"), citation(2, "contradicted", "c2")]
    assert value(measure("citation_precision", claims=claims(2), citations=cited)) == pytest.approx(1 / 3)


def test_a_citation_that_leads_nowhere_fails_even_where_its_verdict_is_open():
    cited = [citation(0, "undecided", "c1", resolves=False), citation(1, "supported", "c1")]
    assert value(measure("citation_precision", claims=claims(1), citations=cited)) == 0.5


def test_undecided_citations_make_a_range():
    cited = [citation(0, "undecided", "c1"), citation(1, "supported", "c1"), citation(2, "unverified", "c1")]
    assert bounds(measure("citation_precision", claims=claims(1), citations=cited)) == (pytest.approx(1 / 3), 1.0)


def test_a_citation_nobody_judged_is_open_and_not_left_out():
    outcome = measure("citation_precision", answer={"citations": ["p1", "p2"]}, citations=[citation(0, "supported")])
    assert bounds(outcome) == (0.5, 1.0)


def test_an_answer_that_cites_nothing_is_not_one_that_does_not_tell():
    assert reason(measure("citation_precision", answer={"citations": []})) == "the answer cites nothing"
    silent = measure("citation_precision", answer={"citations": None})
    assert reason(silent) == "the target reports no citations and none stands in the text"


def test_markers_in_the_text_are_citations_where_the_target_reports_none():
    outcome = measure("citation_precision", answer={"text": "One is so [1].", "citations": None})
    assert bounds(outcome) == (0.0, 1.0)  # one citation, judged by nobody
