from tests.metrics.answers.make import bounds, citation, claims, measure, reason, support, value


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


def test_each_citation_is_held_against_the_whole_sentence_whichever_of_its_claims_it_follows():
    # "One is so [1] and so [2].": [1] follows the first claim, and its passage supports the second one too.
    both = [*claims(1), {"id": "c1b", "text": "so", "start": 4, "end": 9}]
    outcome = measure(
        "alce_citation_recall",
        claims=both,
        answer={"citations": ["p1", "p2"]},
        citations=[citation(0, "supported", "c1"), citation(1, "unsupported", "c1b")],
        support=support(c1="p1:supported p2:unsupported", c1b="p1:supported p2:unsupported"),
    )
    assert value(outcome) == 1.0


def test_a_passage_nobody_held_against_a_claim_may_support_it():
    # [1] points at what was not before the model, so that a judge held it against the claim it follows alone.
    both = [*claims(1), {"id": "c1b", "text": "so", "start": 4, "end": 9}]
    cited = [citation(0, "supported", "c1"), citation(1, "unsupported", "c1b")]
    judged = {"claims": both, "citations": cited, "support": support(c1="p1:supported", c1b="p2:unsupported")}
    before = [{"chunk_id": "p1", "text": "One is."}]
    elsewhere = {"citations": ["p1", "p2"], "supplied": [], "retrieved": before}
    assert bounds(measure("alce_citation_recall", answer=elsewhere, **judged)) == (0.0, 1.0)
    assert value(measure("alce_citation_recall", answer=elsewhere | {"supplied": before}, **judged)) == 0.0


def test_where_a_citation_was_not_judged_nothing_is_said():
    outcome = measure("alce_citation_recall", claims=claims(1), answer={"citations": ["p1"]})
    assert reason(outcome) == "some citation was not judged"


def test_claims_before_the_first_sentence_and_lone_surrogates_do_no_harm():
    odd = {"text": "\ud800 \u0301 One is so. " * 3, "citations": []}
    assert value(measure("alce_citation_recall", claims=claims(2), answer=odd)) == 0.0
