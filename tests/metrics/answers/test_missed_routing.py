from tests.metrics.answers.make import bounds, case, measure, reason, value

from ragvet.metrics.answers import REGISTRY

ASKED = case(expected_behaviour="route")


def test_missed_routing_is_one_where_the_system_answered_and_zero_where_it_did_anything_else():
    assert value(measure("missed_routing", "answered", asked=ASKED)) == 1.0
    for other in ("refused", "clarified", "routed"):
        assert value(measure("missed_routing", other, asked=ASKED)) == 0.0


def test_an_undecided_behaviour_is_open():
    assert bounds(measure("missed_routing", None, asked=ASKED)) == (0.0, 1.0)


def test_a_blank_answer_is_no_behaviour_unless_the_system_says_so():
    assert reason(measure("missed_routing", None, asked=ASKED, answer={"text": " "})) == "the answer is blank"
    flagged = measure("missed_routing", "answered", asked=ASKED, answer={"text": "", "behaviour": "answered"})
    assert value(flagged) == 1.0


def test_it_has_its_own_denominator():
    metric = REGISTRY["missed_routing"]
    eligible = [b for b in ("answer", "refuse", "clarify", "route") if metric.applies(case(expected_behaviour=b))]
    assert eligible == ["route"]
