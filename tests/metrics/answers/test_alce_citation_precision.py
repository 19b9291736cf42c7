import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.metrics.answers.make import bounds, citation, claims, measure, reason, support, value


def test_a_citation_counts_if_it_supports_its_sentence_or_the_others_need_it():
    # ALCE, section 4: c1 alone supports the sentence; c2 does not, and without it the sentence stays supported.
    cited = [citation(0, "supported", "c1"), citation(1, "unsupported", "c1")]
    assert value(measure("alce_citation_precision", claims=claims(1), citations=cited)) == 0.5


def test_two_citations_that_only_together_support_a_sentence_both_count():
    both = [*claims(1), {"id": "c1b", "text": "so", "start": 4, "end": 9}]
    cited = [citation(0, "supported", "c1"), citation(1, "supported", "c1b")]
    outcome = measure("alce_citation_precision", claims=both, answer={"citations": ["p1", "p2"]}, citations=cited)
    assert value(outcome) == 1.0


def test_a_citation_that_supports_the_whole_sentence_makes_its_neighbour_superfluous():
    # ALCE's conditions for [1]: it entails the sentence by itself. For [2]: it does not, and [1] does without it.
    both = [*claims(1), {"id": "c1b", "text": "so", "start": 4, "end": 9}]
    outcome = measure(
        "alce_citation_precision",
        claims=both,
        answer={"citations": ["p1", "p2"]},
        citations=[citation(0, "supported", "c1"), citation(1, "supported", "c1b")],
        support=support(c1="p1:supported p2:unsupported", c1b="p1:supported p2:supported"),
    )
    assert value(outcome) == 0.5


def test_no_citation_of_an_unsupported_sentence_counts():
    both = [*claims(1), {"id": "c1b", "text": "so", "start": 4, "end": 9}]
    cited = {"answer": {"citations": ["p1"]}, "citations": [citation(0, "supported", "c1")]}
    assert value(measure("alce_citation_precision", claims=both, **cited)) == 0.0


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


def alce(entails, sentence, cited):
    """Recall and precise citations of one sentence, step by step as section 4 of the paper has them."""
    if not cited or not entails(cited, sentence):
        return 0, 0
    precise = 0
    for one in cited:
        alone = entails([one], sentence)
        rest = [other for other in cited if other is not one]
        precise += alone or not (rest and entails(rest, sentence))
    return 1, precise


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=3), st.integers(1, 3))
def test_it_is_what_the_paper_says_step_by_step(shown, count):
    # shown[p][c]: passage p supports claim c. All claims stand in the first sentence; citation p follows claim 0.
    stated = [{"id": f"c{c}", "text": "so", "start": c, "end": 9} for c in range(count)]
    rows = [
        {"claim": f"c{c}", "passage": f"p{p + 1}", "verdict": "supported" if shown[p][c] else "unsupported"}
        for p in range(len(shown))
        for c in range(count)
    ]
    cited = [citation(p, "supported" if shown[p][0] else "unsupported", "c0") for p in range(len(shown))]
    judged = {"claims": stated, "support": rows, "citations": cited}
    answer = {"citations": [f"p{p + 1}" for p in range(len(shown))]}

    def entails(passages, sentence):
        return all(any(shown[p][c] for p in passages) for c in sentence)

    recall, precise = alce(entails, range(count), list(range(len(shown))))
    assert value(measure("alce_citation_recall", answer=answer, **judged)) == recall
    assert value(measure("alce_citation_precision", answer=answer, **judged)) == pytest.approx(precise / len(shown))
