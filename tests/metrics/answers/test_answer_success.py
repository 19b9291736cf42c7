from tests.metrics.answers.make import bounds, case, citation, claims, measure, reason, value

from ragvet.metrics.answers import REGISTRY, Condition

ACCURATE = Condition(REGISTRY["accuracy"], low=1.0)
CITED = Condition(REGISTRY["citation_precision"], low=0.5)
ASKED = case(reference_answer="One is so.")


def outcome(observed="answered", agreement="agree", cited="supported", asked=ASKED, conditions=(ACCURATE, CITED)):
    return measure(
        "answer_success",
        observed,
        asked=asked,
        claims=claims(1),
        agreement=[{"claim": "c1", "verdict": agreement}] if agreement else [],
        citations=[citation(0, cited, "c1")],
        validated=conditions,
    )


def test_success_needs_a_produced_and_validated_answer():
    assert value(outcome()) == 1.0
    assert value(outcome(agreement="contradict")) == 0.0
    assert value(outcome("refused")) == 0.0


def test_an_undecided_behaviour_matters_only_where_the_answer_could_be_valid():
    assert bounds(outcome(None)) == (0.0, 1.0)
    assert value(outcome(None, agreement="contradict")) == 0.0


def test_without_a_declaration_nothing_is_validated():
    assert reason(outcome(conditions=())) == "the config does not declare what validated means"
