import asyncio
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from tests.runs.make import PlainJudge, case, corpus, dataset, finished, score_of

from ragvet.errors import JudgeError, TargetError, TargetRefused, TargetReplyInvalid
from ragvet.records import Answer, Case
from ragvet.runs import CallPolicy
from ragvet.runs._capture import Capture
from ragvet.targets import PythonTarget

really_sleep = asyncio.sleep
ONE = Case(id="q", question="q?", category="a", expected_behaviour="refuse")


class Scripted:
    """A target that goes through a list of outcomes."""

    name = fingerprint = "scripted"

    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)

    async def answer(self, case, k):
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        if outcome is None:
            await really_sleep(60)
        return outcome

    async def close(self):
        pass


def traced(target, **policy):
    waits = []

    async def main():
        capture, kept = Capture(target, 5, CallPolicy(**policy), lambda answer: None, np.random.default_rng(1)), []
        await capture.traces([(ONE, 0)], kept.append)
        return kept[0]

    async def sleep(seconds):
        if seconds:  # 0 gives others their turn
            waits.append(seconds)
        await really_sleep(0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ragvet.calling._caller.asyncio.sleep", sleep)
        return asyncio.run(main()), waits


def test_an_error_is_retried_with_growing_waits_and_every_attempt_counted():
    trace, waits = traced(Scripted(*[TargetError("down")] * 3, Answer(text="x")), retries=3, backoff=1.0)
    assert trace.answer.text == "x"
    assert trace.attempts == 4
    for wait, middle in zip(waits, (1.0, 2.0, 4.0), strict=True):  # backoff doubles; jitter is half to one and a half
        assert 0.5 * middle <= wait <= 1.5 * middle


def test_the_last_error_is_kept_when_retries_are_used_up():
    trace, waits = traced(Scripted(TargetError("first"), TargetError("second")), retries=1)
    assert (trace.error.kind, trace.error.message, trace.attempts, len(waits)) == ("TargetError", "second", 2, 1)


def test_a_server_that_asks_for_time_is_given_it_up_to_a_limit():
    assert traced(Scripted(TargetError("429", retry_after=9.0), Answer()), retries=1)[1] == [9.0]
    assert traced(Scripted(TargetError("429", retry_after=9e9), Answer()), retries=1)[1] == [120.0]


@pytest.mark.parametrize("error", [TargetRefused("401"), TargetReplyInvalid("text instead of ids")])
def test_what_would_come_out_the_same_is_not_asked_again(error):
    trace, waits = traced(Scripted(error), retries=5)
    assert (trace.error.kind, trace.attempts, waits) == (type(error).__name__, 1, [])


def test_a_call_past_its_deadline_fails_once_and_says_so():
    trace, waits = traced(Scripted(None), retries=5, deadline=0.01)
    assert trace.error.kind == "TargetTimeout"
    assert "0.01 s" in trace.error.message
    assert (trace.attempts, waits) == (1, [])


class Panic(BaseException):
    """As extensions written in Rust raise."""


@pytest.mark.parametrize("error", [SystemExit(3), Panic("unwrap on None")])
def test_an_async_target_that_would_end_the_event_loop_fails_its_case(error):
    async def ends(question, k):
        raise error

    trace, _ = traced(PythonTarget(ends), retries=0)
    assert (trace.error.kind, trace.error.message) == ("TargetError", f"raised {type(error).__name__}: {error}")


def test_of_an_endless_message_the_beginning_is_kept():
    trace, _ = traced(Scripted(TargetRefused("x" * 1_000_000)), retries=0)
    assert trace.error.message == "x" * 2000 + " … and 998,000 characters more"


def test_an_answer_that_came_past_its_deadline_is_none_though_nothing_could_end_the_call():
    async def blocks(question, k):
        time.sleep(0.1)  # noqa: ASYNC251 - that is the fault
        return ["d"]

    trace, _ = traced(PythonTarget(blocks), deadline=0.01)
    assert (trace.error.kind, trace.attempts) == ("TargetTimeout", 1)
    assert "must not block" in trace.error.message


def test_a_target_that_ignores_its_cancellation_cannot_hold_up_the_run():
    class Stubborn(Scripted):
        async def answer(self, case, k):
            try:
                await really_sleep(60)
            except asyncio.CancelledError:
                await asyncio.sleep(0)  # swallows it, once
            return Answer(text="too late")

    trace, _ = traced(Stubborn(), deadline=0.01)
    assert trace.error.kind == "TargetTimeout"


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [(KeyError("x"), "TargetError"), (asyncio.CancelledError(), "TargetError"), (7, "TargetReplyInvalid")],
)
def test_a_target_of_ones_own_may_break_as_it_likes(outcome, kind):
    class Own(Scripted):
        async def answer(self, case, k):
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

    assert traced(Own(), retries=0)[0].error.kind == kind


def counting(answer):
    """A target that answers after `answer(question)`, and how many calls of it were under way together, at most."""

    class Counted(Scripted):
        running, most = 0, 0

        async def answer(self, case, k):
            self.running += 1
            self.most = max(self.most, self.running)
            try:
                await answer(case.question)
                return Answer(text="x")
            finally:
                self.running -= 1

    return Counted()


def captured(target, cases, **policy):
    capture, kept = Capture(target, 5, CallPolicy(**policy), lambda answer: None, np.random.default_rng(1)), []
    asyncio.run(capture.traces([(one, 0) for one in cases], kept.append))
    return kept


def test_no_more_calls_are_under_way_than_allowed_though_more_cases_are_drawn():
    target = counting(lambda question: asyncio.sleep(0.001))
    assert len(captured(target, [ONE] * 40, concurrency=3)) == 40
    assert target.most == 3


def test_a_target_that_is_too_slow_or_asked_too_much_gets_fewer_calls_at_once():
    under_way = []

    async def busy(question):
        under_way.append(target.running)
        await asyncio.sleep(0.001)
        raise TargetError("HTTP 429", overloaded=True)

    target = counting(busy)
    captured(target, [ONE] * 60, concurrency=8, retries=0)
    assert under_way[0] == 1
    assert max(under_way[:10]) == 8
    assert max(under_way[-10:]) == 1  # a quarter off for each round: 8, 6, 4, 3, 2, 1


def test_a_case_that_waits_for_its_retry_keeps_no_other_from_its_turn():
    order = []

    class Busy(Scripted):
        async def answer(self, case, k):
            order.append(case.id)
            if order == ["first"]:
                raise TargetError("busy", retry_after=0.2)
            return Answer(text="x")

    first, second = (Case(id=name, question="q?", category="a", expected_behaviour="refuse") for name in ("first", "b"))
    kept = captured(Busy(), [first, second], concurrency=1, retries=1, backoff=0.001)
    assert order == ["first", "b", "first"]
    assert {trace.case_id: trace.attempts for trace in kept} == {"first": 2, "b": 1}


def test_more_calls_at_once_than_there_are_cases_cost_nothing(tmp_path):
    run = finished(tmp_path, dataset(case("a", "d")), lambda question, k: ["d"], concurrency=10**12)
    assert run.manifest.counts.answered == 1


GOLDEN = dataset(
    case("good", "d1"), case("raises", "d1"), case("hangs", "d1"), case("nothing", "d1"), case("twice", "d1"),
    case("text", "d1"), case("unknown", "d1"), case("surrogate", "d1"),
)  # fmt: skip


def test_each_way_to_fail_fails_its_case_with_its_cause_and_the_others_go_on(tmp_path):
    release = threading.Event()

    def system(question, k):
        match question.removesuffix("?"):
            case "raises":
                raise ZeroDivisionError("boom")
            case "hangs":
                release.wait()
            case "nothing":
                return None
            case "twice":
                return ["d1", "d1"]
            case "text":
                return 7
            case "unknown":
                return ["d1", "d01"]
            case "surrogate":
                return {"text": "\ud800", "retrieved": ["d1"]}
        return ["d1"]

    run = finished(tmp_path, GOLDEN, system, documents=corpus("d1", "d2"), deadline=2, concurrency=8)
    release.set()
    errors = {trace.case_id: trace.error for trace in run.traces()}
    assert errors.pop("good") is None
    assert {name: error.kind for name, error in errors.items()} == {
        "raises": "TargetError",
        "hangs": "TargetTimeout",
        "nothing": "TargetReplyInvalid",
        "twice": "TargetReplyInvalid",
        "text": "TargetReplyInvalid",
        "unknown": "TargetReplyInvalid",
        "surrogate": "TargetReplyInvalid",
    }
    assert "boom" in errors["raises"].message
    assert "'d1' is ranked twice" in errors["twice"].message
    assert "'d01'" in errors["unknown"].message
    assert run.manifest.counts.failed == {"TargetError": 1, "TargetTimeout": 1, "TargetReplyInvalid": 5}
    assert (run.manifest.counts.items, run.manifest.counts.answered) == (8, 1)
    coverage = [summary for summary in run.summaries() if summary.metric == "coverage@2" and summary.stratum == "all"]
    assert [(c.eligible, c.scored, c.failed, c.mean, c.failed_low) for c in coverage] == [(8, 1, 7, 1.0, 1 / 8)]


def test_a_hung_call_does_not_keep_the_process_alive(tmp_path):
    program = """
import time, ragvet
golden = ragvet.Dataset.of([{"id": "q", "question": "q?", "category": "a", "expected_behaviour": "answer",
                             "reference_passages": [{"doc_id": "d"}]}], judgments="listed")
policy = ragvet.CallPolicy(deadline=0.05)
run = ragvet.evaluate(golden, lambda question, k: time.sleep(100_000), depths=(1, 2), judge="none", calls=policy)
print(dict(run.manifest.counts.failed))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == "{'TargetTimeout': 1}"


@pytest.mark.parametrize("beside", [False, True])
def test_a_call_that_never_lets_itself_be_cancelled_does_not_keep_the_run_from_ending(tmp_path, beside):
    async def system(question, k):
        while question == "b?" and not over:
            try:
                await really_sleep(60)
            except asyncio.CancelledError:
                cancelled.append(question)
        return ["d"]

    async def in_a_notebook():
        return finished(tmp_path, dataset(case("a", "d"), case("b", "d")), system, deadline=0.05)

    over, cancelled = [], []
    run = (
        asyncio.run(in_a_notebook())
        if beside
        else finished(tmp_path, dataset(case("a", "d"), case("b", "d")), system, deadline=0.05)
    )
    assert cancelled == ["b?", "b?"]  # at its deadline, and when the run was over
    assert [trace.error and trace.error.kind for trace in run.traces()] == [None, "TargetTimeout"]
    over.append(True)


def test_a_reply_that_is_made_as_it_is_read_has_the_deadline_of_the_call(tmp_path):
    release = threading.Event()

    def system(question, k):
        yield "d"
        if question == "b?":
            release.wait()
        yield "e"

    run = finished(tmp_path, dataset(case("a", "d"), case("b", "d")), system, deadline=0.5)
    release.set()
    assert [trace.error and trace.error.kind for trace in run.traces()] == [None, "TargetTimeout"]


def test_cases_come_out_in_the_order_of_the_golden_set_whatever_order_they_arrived_in(tmp_path):
    names = [f"q{number}" for number in range(20)]

    async def system(question, k):
        await asyncio.sleep(0.02 if question < "q5" else 0)
        return ["d"]

    run = finished(tmp_path, dataset(*(case(name, "d") for name in names)), system, concurrency=20, repeat=2)
    assert [trace.key for trace in run.traces()] == [(name, repeat) for name in names for repeat in (0, 1)]
    assert [found.id for found in run.cases()] == names


class Meddling(Scripted):
    """Changes whatever it can reach of the case it is asked, as nobody should."""

    def __init__(self):
        super().__init__()

    async def answer(self, case, k):
        object.__setattr__(case, "expected_behaviour", "refuse")
        object.__setattr__(case.reference_passages[0], "doc_id", "elsewhere")
        case.labels["risk"] = "none"
        return Answer(text="x", retrievals=[{"items": ["d"]}])


def meddling_function(question, k, case):
    return asyncio.run(Meddling().answer(case, k))


@pytest.mark.parametrize("target", [Meddling(), meddling_function])
def test_a_target_cannot_change_the_case_it_is_asked(tmp_path, target):
    golden = dataset(case("q", "d", labels={"risk": "high"}))
    run = finished(tmp_path, golden, target, repeat=2)
    (kept,) = run.cases()
    assert (kept.expected_behaviour, kept.labels) == ("answer", {"risk": "high"})
    assert kept.reference_passages[0].doc_id == "d"
    assert [score_of(run, "hit@2", "q", repeat)["value"] for repeat in (0, 1)] == [1.0, 1.0]
    assert golden.cases[0] == kept


def test_every_repeat_is_a_call_of_its_own_and_scored_on_its_own(tmp_path):
    calls = []

    def system(question, k):
        calls.append(question)
        return ["d"] if len(calls) % 2 else ["x"]

    run = finished(tmp_path, dataset(case("q", "d")), system, repeat=3, concurrency=1)
    assert calls == ["q?"] * 3
    assert [score_of(run, "hit@2", "q", repeat)["value"] for repeat in range(3)] == [1.0, 0.0, 1.0]


def test_a_judge_that_fails_on_one_answer_is_a_failure_there_and_judges_the_others(tmp_path):
    def failing(asked):
        if asked.id == "q2":
            raise JudgeError("cut short", raw="{half")

    judge = PlainJudge(failing)
    golden = dataset(case("q1", "d"), case("q2", "d"), case("q3", "d"))
    run = finished(tmp_path, golden, lambda question, k: {"text": "x", "retrieved": ["d"]}, judge=judge)
    judged = {row.case_id: row for row in run.verdicts()}
    assert sorted(judge.asked) == ["q1", "q2", "q3"]
    assert (judged["q2"].error, judged["q2"].raw) == ("cut short", "{half")
    assert judged["q1"].behaviour.observed == "answered"
    assert (run.manifest.counts.judged, run.manifest.counts.judge_failed) == (2, 1)
    assert score_of(run, "faithfulness", "q2")["status"] == "failed"


def test_a_judge_that_breaks_on_one_answer_does_not_end_the_run(tmp_path):
    judge = PlainJudge(lambda asked: {"q1": 0}.get(asked.id, 1) and 1 // 0)
    golden = dataset(case("q1", "d"), case("q2", "d"))
    run = finished(tmp_path, golden, lambda question, k: {"text": "x", "retrieved": ["d"]}, judge=judge)
    broken = {row.case_id: row for row in run.verdicts()}["q2"]
    assert "ZeroDivisionError" in broken.error
    assert (run.manifest.counts.judged, run.manifest.counts.judge_failed) == (1, 1)


def test_a_retriever_is_not_judged_and_has_no_answer_scores(tmp_path):
    judge = PlainJudge()
    run = finished(tmp_path, dataset(case("q", "d")), lambda question, k: ["d"], judge=judge)
    assert judge.asked == []
    assert not run.manifest.answers
    assert "faithfulness" not in run.declarations
