from tests.metrics.answers.make import bounds, citation, claims, measure, reason, value


def test_a_citation_counts_if_it_supports_its_sentence_or_the_others_need_it():
    # ALCE, section 4: c1 alone supports the sentence; c2 does not, and without it the sentence stays supported.
    cited = [citation(0, "supported", "c1"), citation(1, "unsupported", "c1")]
    assert value(measure("alce_citation_precision", claims=claims(1), citations=cited)) == 0.5


def test_two_citations_that_only_together_support_a_sentence_both_count():
    both = [*claims(1), {"id": "c1b", "text": "so", "start": 4, "end": 9}]
    cited = [citation(0, "supported", "c1"), citation(1, "supported", "c1b")]
    assert value(measure("alce_citation_precision", claims=both, citations=cited)) == 1.0


def test_no_citation_of_an_unsupported_sentence_counts():
    both = [*claims(1), {"id": "c1b", "text": "so", "start": 4, "end": 9}]
    assert value(measure("alce_citation_precision", claims=both, citations=[citation(0, "supported", "c1")])) == 0.0


def test_a_citation_that_belongs_to_no_claim_is_not_needed():
    cited = [citation(0, "supported", "c1"), citation(1, "supported")]
    assert value(measure("alce_citation_precision", claims=claims(1), citations=cited)) == 0.5


def test_an_open_citation_beside_a_sure_one_moves_only_its_own_count():
    cited = [citation(0, "supported", "c1"), citation(1, "undecided", "c1")]
    assert bounds(measure("alce_citation_precision", claims=claims(1), citations=cited)) == (0.5, 1.0)


def test_an_answer_that_cites_nothing_has_no_precision():
    outcome = measure("alce_citation_precision", claims=claims(1), answer={"citations": []})
    assert reason(outcome) == "the answer cites nothing"


def test_more_open_cells_than_can_be_tried_are_enclosed():
    # Two claims and seven citations of both, each verdict open: 14 open cells.
    both = [*claims(1), {"id": "c1b", "text": "so", "start": 4, "end": 9}]
    cited = [citation(number, "undecided", "c1", "c1b") for number in range(7)]
    assert bounds(measure("alce_citation_precision", claims=both, citations=cited)) == (0.0, 1.0)
