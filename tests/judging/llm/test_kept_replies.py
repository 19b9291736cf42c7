from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.judging.llm.material import (
    case,
    judge_for,
    trace,
    verdicts_of,
)
from tests.judging.llm.scripted_server import Asked, Say, plainly, serving

from ragvet.errors import JudgeError, MissingExtra
from ragvet.judging import judge_all, judge_answer
from ragvet.judging.llm._completions import Completions
from ragvet.records import Verdicts


def test_when_one_request_fails_the_others_are_kept_for_the_next_time(tmp_path):
    def broken(body, number):
        return Say("{") if "statements" in Asked.read(body).fields else plainly(body, number)

    with serving(broken) as server:
        with pytest.raises(JudgeError) as failure:
            verdicts_of(judge_for(server, database=tmp_path / "r.db"))
        assert failure.value.usage["input_tokens"] == 400  # claims, comparison, and support twice
        server.script = plainly
        before = len(server.bodies)
        verdicts_of(judge_for(server, database=tmp_path / "r.db"))
    assert len(server.bodies) - before == 1


def test_a_second_run_asks_nothing_and_fresh_asks_all(tmp_path):
    database = tmp_path / "r.db"
    with serving() as server:
        first = verdicts_of(judge_for(server, database=database))
        second = verdicts_of(judge_for(server, database=database))
        assert len(server.bodies) == 3
        verdicts_of(judge_for(server, database=database, fresh=True))
        assert len(server.bodies) == 6
        verdicts_of(judge_for(server, database=database, repeat=1))
        assert len(server.bodies) == 9
    assert second == first


def test_a_reply_that_was_not_accepted_is_not_stored(tmp_path):
    with serving(lambda body, number: Say("{")) as server:
        for _ in range(2):
            with pytest.raises(JudgeError):
                verdicts_of(judge_for(server, database=tmp_path / "r.db"))
    assert len(server.bodies) == 4


def test_the_key_is_in_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-secret-123")
    with serving() as server:
        verdicts_of(judge_for(server, database=tmp_path / "r.db", api_key_env="JUDGE_KEY"))
    assert server.headers[0]["Authorization"] == "Bearer sk-secret-123"
    assert all(b"sk-secret" not in file.read_bytes() for file in tmp_path.iterdir())


async def both_at_once(judge):
    """The same answer twice, as two repeats of a target that says the same give it."""
    second = trace().model_copy(update={"repeat": 1})
    return await judge_all(judge, [(case(), trace()), (case(), second)])


@pytest.mark.parametrize("kept", [True, False])
def test_the_same_question_is_paid_for_once_though_two_answers_ask_it_at_once(tmp_path, kept):
    with serving(lambda body, number: replace(plainly(body, number), delay=0.05)) as server:
        judge = judge_for(server, database=tmp_path / "r.db" if kept else None)
        first, second = asyncio.run(both_at_once(judge))
    assert len(server.bodies) == judge.requests == 3
    assert first == second.model_copy(update={"repeat": 0})


def test_the_same_question_fails_for_all_who_asked_it_each_with_its_own_cost():
    def broken(body, number):
        return Say("{", delay=0.05) if "statements" in Asked.read(body).fields else plainly(body, number)

    with serving(broken) as server:
        failures = asyncio.run(both_at_once(judge_for(server)))
    assert len(server.bodies) == 4  # claims, comparison, and support twice
    assert [failure.usage.input_tokens for failure in failures] == [400, 400]
    assert all(failure.raw for failure in failures)


def test_who_waits_for_a_question_that_is_given_up_asks_it_himself():
    async def given_up(judge):
        asking = asyncio.create_task(judge_answer(judge, case(), trace()))
        waiting = asyncio.create_task(judge_answer(judge, case(), trace()))
        await asyncio.sleep(0.05)
        asking.cancel()
        return await asyncio.gather(asking, waiting, return_exceptions=True)

    with serving(lambda body, number: replace(plainly(body, number), delay=0.1)) as server:
        cancelled, verdicts = asyncio.run(given_up(judge_for(server)))
    assert isinstance(cancelled, asyncio.CancelledError)
    assert isinstance(verdicts, Verdicts)


def test_who_waits_for_a_question_that_cannot_be_asked_is_told_why(monkeypatch):
    async def cannot(_self, _question):
        await asyncio.sleep(0)
        raise MissingExtra("judging through a vendor", "llm")

    async def two(judge):
        asked = (judge_answer(judge, case(), trace()) for _ in range(2))
        return await asyncio.gather(*asked, return_exceptions=True)

    monkeypatch.setattr(Completions, "_get", cannot)
    with serving() as server:
        failures = asyncio.run(two(judge_for(server)))
    assert [type(failure) for failure in failures] == [MissingExtra, MissingExtra]
