import pytest

from ragvet.records import Answer, BehaviourVerdict, JudgeFailure, Trace, Verdicts
from ragvet.runs import paired

KEYS = [("a", 0), ("a", 1), ("b", 0)]


def verdicts(case_id, repeat):
    observed = BehaviourVerdict(observed="answered", source="x")
    return Verdicts(case_id=case_id, repeat=repeat, judge="j", behaviour=observed)


@pytest.mark.parametrize("judged", [[0, 1, 2], [1], [0, 2], []])
def test_every_trace_comes_with_its_verdicts_or_with_none(judged):
    traces = (Trace(case_id=case, repeat=repeat, question="?", answer=Answer(text="yes")) for case, repeat in KEYS)
    found = list(paired(traces, (verdicts(*KEYS[place]) for place in judged)))
    assert [trace.key for trace, _ in found] == KEYS
    assert [one and one.key for _, one in found] == [KEYS[place] if place in judged else None for place in range(3)]


def test_a_failed_judge_stands_where_its_verdicts_would():
    failure = JudgeFailure(case_id="a", repeat=0, judge="j", error="x")
    trace = Trace(case_id="a", question="?", answer=Answer(text="yes"))
    assert list(paired([trace], iter([failure]))) == [(trace, failure)]
