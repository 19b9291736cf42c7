import pytest
from tests.metrics.answers.make import bounds, citation, claims, measure, reason, support, value

from ragvet.metrics.answers import REGISTRY


def test_citation_recall_is_the_share_of_claims_that_carry_a_supporting_citation():
    # c1 by the second citation, c2 by none that holds, c3 by none at all.
    cited = [citation(0, "unsupported", "c1"), citation(1, "supported", "c1"), citation(2, "partial", "c2")]
    assert value(measure("citation_recall", claims=claims(3), citations=cited)) == pytest.approx(1 / 3)


def test_a_citation_of_two_claims_that_holds_for_one_is_told_apart_by_the_passage():
    cited = [citation(0, "unsupported", "c1", "c2")]
    rows = support(c1="p1:supported", c2="p1:unsupported")
    outcome = measure("citation_recall", claims=claims(2), answer={"citations": ["p1"]}, citations=cited, support=rows)
    assert value(outcome) == 0.5


def test_without_the_passage_it_stays_open_which_of_its_claims_a_citation_fails():
    outcome = measure("citation_recall", claims=claims(2), citations=[citation(0, "unsupported", "c1", "c2")])
    assert bounds(outcome) == (0.0, 1.0)


def test_a_document_cited_as_a_whole_stands_for_its_passages():
    items = [{"chunk_id": "p1", "doc_id": "d", "text": "t"}, {"chunk_id": "p2", "doc_id": "d", "text": "t"}]
    outcome = measure(
        "citation_recall",
        claims=claims(2),
        answer={"supplied": items, "retrieved": items, "citations": [{"doc_id": "d"}]},
        citations=[citation(0, "partial", "c1", "c2")],
        support=support(c1="p2:supported", c2="p1:unsupported"),
    )
    assert value(outcome) == 0.5


def test_a_citation_of_the_answer_as_a_whole_carries_the_claims_its_passage_supports():
    # The target names its source and not what it backs; p1 shows c1, and not c2.
    outcome = measure(
        "citation_recall",
        claims=claims(2),
        answer={"citations": ["p1"]},
        citations=[citation(0, "supported")],
        support=support(c1="p1:supported", c2="p1:unsupported"),
    )
    assert value(outcome) == 0.5
    for verdict, expected in (("supported", 1.0), ("partial", 0.0)):  # of the only claim it speaks alone
        assert value(measure("citation_recall", claims=claims(1), citations=[citation(0, verdict)])) == expected
    assert bounds(measure("citation_recall", claims=claims(2), citations=[citation(0, "supported")])) == (0.0, 1.0)


def test_a_citation_nobody_judged_may_carry_any_claim():
    rows = support(c1="p1:supported", c2="p1:unsupported")
    outcome = measure("citation_recall", claims=claims(2), answer={"citations": ["p1"]}, support=rows)
    assert bounds(outcome) == (0.0, 1.0)


def test_a_citation_that_leads_nowhere_carries_nothing():
    cited = [citation(0, "supported", "c1", resolves=False)]
    assert value(measure("citation_recall", claims=claims(1), citations=cited)) == 0.0


def test_an_answer_with_claims_that_cites_nothing_has_recall_zero():
    assert value(measure("citation_recall", claims=claims(2), answer={"citations": []})) == 0.0


def test_a_target_that_reports_no_citations_is_not_scored_as_if_it_had_none():
    outcome = measure("citation_recall", claims=claims(2), answer={"citations": None})
    assert reason(outcome) == "the target reports no citations and none stands in the text"


def test_where_the_system_cites_an_answer_without_citations_lacks_them():
    silent = {"claims": claims(2), "answer": {"text": "One is so. Two is so."}}
    assert "none is reported" in REGISTRY["citation_recall"].declaration.undefined_when
    assert reason(measure("citation_recall", **silent)) == "the target reports no citations and none stands in the text"
    assert reason(measure("citation_recall", cites=False, **silent)).startswith("the target reports no citations")
    assert value(measure("citation_recall", cites=True, **silent)) == 0
