from __future__ import annotations

import asyncio
import json
import random
import re

import pytest
from tests.judging.llm.material import (
    case,
    changed,
    evidence,
    judge_for,
    trace,
    verdicts_of,
)
from tests.judging.llm.scripted_server import Say, plainly, serving

from ragvet.errors import JudgeError
from ragvet.judging import judge_all
from ragvet.records import JudgeFailure, Verdicts

UNUSABLE = {
    "truncated": Say('{"key": "', finish_reason="length"),
    "no JSON": Say("Certainly! Here are the verdicts."),
    "JSON inside prose": Say('I think {"key": "00000000", "behaviour": "answered", "sentences": []} is right.'),
    "empty": Say(""),
    "refused": Say("", refusal="I cannot judge this."),
    "filtered": Say("", finish_reason="content_filter"),
    "not an object": Say("[]"),
    "missing field": Say('{"key": "00000000"}'),
    "extra field": Say('{"key": "00000000", "behaviour": "answered", "sentences": [], "note": ""}'),
}


@pytest.mark.parametrize("say", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_a_reply_that_cannot_be_used_is_corrected_once_and_then_fails_with_its_raw_text(say):
    with serving(lambda body, number: say) as server, pytest.raises(JudgeError) as failure:
        verdicts_of(judge_for(server))
    assert len(server.bodies) == 2
    correction = server.bodies[1]["messages"][-1]["content"]
    assert correction.startswith("That reply cannot be used:\n- ")
    assert json.loads(failure.value.raw)["choices"][0]["message"]["content"] == say.text
    assert failure.value.usage == {"input_tokens": 200, "output_tokens": 20, "cost": None}


WRONG_IDS = {
    "missing": ({"sentences": [{"id": "s1", "claims": []}]}, "s2 missing"),
    "extra": ({"sentences": [{"id": f"s{i}", "claims": []} for i in (1, 2, 3)]}, "not asked for: 's3'"),
    "twice": ({"sentences": [{"id": i, "claims": []} for i in ("s1", "s2", "s2")]}, "given more than once: s2"),
    "key": ({"key": "00000000"}, "`key` must be"),
}


@pytest.mark.parametrize(("fields", "told"), WRONG_IDS.values(), ids=WRONG_IDS.keys())
def test_the_ids_that_come_back_must_be_those_asked_for(fields, told):
    with serving(changed(**fields)) as server, pytest.raises(JudgeError, match=re.escape(told)):
        verdicts_of(judge_for(server))
    assert told in server.bodies[1]["messages"][-1]["content"]


WRONG_EVIDENCE = {
    "unknown passage": (evidence(("p9", "x", "supported")), "no passage 'p9'"),
    "same passage twice": (evidence(("p1", "x", "supported"), ("p1", "y", "partial")), "2 entries for passage p1"),
    "cited passage left out": ([], "the entry for p1 is missing"),
}


@pytest.mark.parametrize(("rows", "told"), WRONG_EVIDENCE.values(), ids=WRONG_EVIDENCE.keys())
def test_evidence_names_known_passages_once_and_every_cited_one(rows, told):
    statements = [{"id": "c1", "evidence": rows}, {"id": "c2", "evidence": []}]
    with serving(changed(statements=statements)) as server, pytest.raises(JudgeError, match=re.escape(told)):
        verdicts_of(judge_for(server, ask=["support"]), trace_=trace("Refunds take 5 days [1]. They come by post."))


def test_a_corrected_reply_is_used_and_both_are_paid_for():
    with serving(lambda body, number: Say("{") if number == 0 else plainly(body, number)) as server:
        verdicts = verdicts_of(judge_for(server, ask=["support"]))
    assert isinstance(verdicts, Verdicts)
    assert verdicts.usage.input_tokens == 300  # two replies to the first question, one to the second


def test_with_a_server_full_of_faults_every_answer_ends_scored_or_failed_and_only_the_failed_are_asked_again(tmp_path):
    draws = random.Random(3)  # noqa: S311 - draws faults

    def faulty(body, number):
        draw = draws.random()
        if draw < 0.25:
            return Say('{"key": "')
        if draw < 0.35:
            return Say(status=429, headers={"Retry-After": "0"})
        if draw < 0.45:
            return Say(status=500)
        return Say(delay=30) if draw < 0.48 else plainly(body, number)

    items = [
        (case(id=str(i)), trace(f"Refunds take {i} days.").model_copy(update={"case_id": str(i)})) for i in range(40)
    ]
    given = {"database": tmp_path / "r.db", "ask": ["support"], "timeout": 1.0, "attempts": 2}
    with serving(faulty) as server:
        first = asyncio.run(judge_all(judge_for(server, **given), items))
        failures = [result for result in first if isinstance(result, JudgeFailure)]
        assert 0 < len(failures) < 40
        assert all(failure.error for failure in failures)
        server.script = plainly
        before = len(server.bodies)
        second = asyncio.run(judge_all(judge_for(server, **given), items))
    assert all(isinstance(result, Verdicts) for result in second)
    assert [a for a in first if isinstance(a, Verdicts)] == [
        b for a, b in zip(first, second, strict=True) if isinstance(a, Verdicts)
    ]
    assert len(failures) <= len(server.bodies) - before <= 2 * len(failures)
