from tests.metrics.answers.make import bounds, case, citation, claims, measure, reason, value

from ragvet.metrics.answers import REGISTRY, Condition

ACCURATE = Condition(REGISTRY["accuracy"], low=1.0)
CITED = Condition(REGISTRY["citation_precision"], low=0.5)
ASKED = case(reference_answer="One is so.")


def outcome(observed="answered", agreement="agree", cited="supported", asked=ASKED, conditions=(ACCURATE, CITED)):
    return measure(
        "answer_quality",
        observed,
        asked=asked,
        claims=claims(1),
        agreement=[{"claim": "c1", "verdict": agreement}] if agreement else [],
        citations=[citation(0, cited, "c1")],
        validated=conditions,
    )


def test_a_produced_answer_is_validated_when_every_condition_holds():
    assert value(outcome()) == 1.0
    assert value(outcome(agreement="contradict")) == 0.0
    assert value(outcome(cited="unsupported")) == 0.0


def test_one_condition_that_fails_settles_it_and_one_that_is_open_leaves_it_open():
    assert value(outcome(agreement="contradict", cited="undecided")) == 0.0
    assert bounds(outcome(cited="undecided")) == (0.0, 1.0)


def test_a_check_that_did_not_run_is_no_pass_unless_the_declaration_says_so():
    assert bounds(outcome(agreement=None)) == (0.0, 1.0)  # undefined: nobody compared
    assert bounds(outcome(asked=case())) == (0.0, 1.0)  # not eligible: the case has no reference
    for undefined, expected in ((True, 1.0), (False, 0.0)):
        lenient = Condition(REGISTRY["accuracy"], low=1.0, undefined=undefined)
        assert value(outcome(agreement=None, conditions=(lenient, CITED))) == expected


def test_an_upper_end_counts_like_a_lower_one():
    stale = Condition(REGISTRY["stale_source"], high=0.0)
    assert value(outcome(conditions=(stale,))) == 1.0


def test_what_was_not_produced_is_not_in_the_denominator():
    assert reason(outcome("refused")) == "no answer was produced"
    assert bounds(outcome(None, agreement="contradict")) == (0.0, 1.0)  # 0, or not in the denominator at all


def test_without_a_declaration_nothing_is_validated():
    assert reason(outcome(conditions=())) == "the config does not declare what validated means"
