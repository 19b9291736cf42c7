from tests.metrics.answers.make import bounds, case, measure, reason, value

from ragvet.metrics.answers import REGISTRY

ASKED = case(expected_behaviour="answer")


def test_wrong_routing_is_one_where_the_system_routed_and_zero_where_it_did_anything_else():
    assert value(measure("wrong_routing", "routed", asked=ASKED)) == 1.0
    for other in ("answered", "refused", "clarified"):
        assert value(measure("wrong_routing", other, asked=ASKED)) == 0.0


def test_an_undecided_behaviour_is_open():
    assert bounds(measure("wrong_routing", None, asked=ASKED)) == (0.0, 1.0)


def test_a_blank_answer_is_no_behaviour_unless_the_system_says_so():
    assert reason(measure("wrong_routing", None, asked=ASKED, answer={"text": " "})) == "the answer is blank"
    flagged = measure("wrong_routing", "routed", asked=ASKED, answer={"text": "", "behaviour": "routed"})
    assert value(flagged) == 1.0


def test_it_has_its_own_denominator():
    metric = REGISTRY["wrong_routing"]
    eligible = [b for b in ("answer", "refuse", "clarify", "route") if metric.applies(case(expected_behaviour=b))]
    assert eligible == ["answer"]
