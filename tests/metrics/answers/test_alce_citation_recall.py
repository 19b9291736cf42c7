from tests.metrics.answers.make import bounds, citation, claims, measure, value


def test_a_sentence_counts_when_its_citations_together_support_all_its_claims():
    # Sentence 1 makes two claims, one supported by each citation; sentence 2 has one citation that does not hold.
    both = [*claims(1), {"id": "c1b", "text": "so", "start": 4, "end": 9}, *claims(2)[1:]]
    cited = [citation(0, "supported", "c1"), citation(1, "supported", "c1b"), citation(2, "unsupported", "c2")]
    assert value(measure("alce_citation_recall", claims=both, citations=cited)) == 0.5


def test_a_sentence_without_a_citation_is_not_supported():
    assert value(measure("alce_citation_recall", claims=claims(2), answer={"citations": []})) == 0.0


def test_an_open_citation_leaves_its_sentence_open():
    cited = [citation(0, "undecided", "c1"), citation(1, "supported", "c2")]
    assert bounds(measure("alce_citation_recall", claims=claims(2), citations=cited)) == (0.5, 1.0)


def test_claims_before_the_first_sentence_and_lone_surrogates_do_no_harm():
    odd = {"text": "\ud800 \u0301 One is so. " * 3, "citations": []}
    assert value(measure("alce_citation_recall", claims=claims(2), answer=odd)) == 0.0
