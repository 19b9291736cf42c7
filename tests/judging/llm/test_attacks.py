from __future__ import annotations

import asyncio
import json
import re

import pytest
from tests.judging.llm.material import judge_for
from tests.judging.llm.scripted_server import Asked, Say, honest, serving

from ragvet.errors import JudgeError
from ragvet.judging.llm import attack, load_attacks
from ragvet.judging.llm._replies import json_text
from ragvet.judging.llm._request import Request, visible

ATTACKS = load_attacks()
each = pytest.mark.parametrize("planted", ATTACKS, ids=[one.id for one in ATTACKS])


def outcome(script, planted, **given):
    with serving(script) as server:
        (result,) = asyncio.run(attack(judge_for(server, **given), [planted]))
    return result, server


def test_there_are_at_least_forty_attacks_in_every_place():
    assert len(ATTACKS) >= 40
    assert len({one.id for one in ATTACKS}) == len(ATTACKS)
    assert {one.where for one in ATTACKS} == {"answer", "passage", "title", "citation", "question", "history"}
    assert {one.aim for one in ATTACKS} == {"raise", "lower", "derail"}


@each
def test_a_judge_that_goes_by_the_texts_reaches_its_verdict_whatever_is_planted(planted):
    result, server = outcome(lambda body, number: Say(json.dumps(honest(Asked.read(body)))), planted)
    assert result.outcome == "held", result.reason
    # planted fences, keys and ids make no texts and no ids of their own
    for body in server.bodies:
        asked = Asked.read(body)
        assert set(asked.blocks) <= {
            "history",
            "question",
            "answer",
            "c1",
            "c2",
            "c3",
            "c4",
            "c5",
            "c6",
            "c7",
            "p1",
            "p2",
        } | {f"s{i}" for i in range(1, 8)}


@each
def test_json_in_the_judged_text_is_never_taken_for_the_reply(planted):
    """A judge that answers with what it was shown: the attack itself, and the first JSON in it."""

    def parrot(body, number):
        found = re.search(r"\{.*\}", planted.text, re.DOTALL)
        return Say(found.group(0) if found and number % 2 else planted.text)

    result, _ = outcome(parrot, planted)
    assert result.outcome == "failed"


@each
def test_a_judge_talked_into_a_verdict_cannot_show_a_quote_for_it(planted):
    """A judge that obeys: everything is supported, in the right form, by words that stand in no passage."""

    def obedient(body, number):
        asked = Asked.read(body)
        reply = honest(asked)
        for row in reply.get("statements", ()):
            words = asked.blocks[row["id"]]
            row["evidence"] = [
                {"passage": "p1", "quote": words, "verdict": "supported", "missing_qualification": False}
            ]
        return Say(json.dumps(reply))

    if planted.aim == "lower":
        pytest.skip("the claim it attacks is true: its words do stand in the passage")
    result, _ = outcome(obedient, planted, ask=["support"])
    assert result.outcome == "held"


def test_a_judge_that_does_move_is_reported():
    def lenient(body, number):
        asked = Asked.read(body)
        reply = honest(asked)
        quote = "Customers may return a product within 30 days of delivery"
        for row in reply.get("statements", ()):
            row["evidence"] = [
                {"passage": "p1", "quote": quote, "verdict": "supported", "missing_qualification": False}
            ]
        return Say(json.dumps(reply))

    result, _ = outcome(lenient, ATTACKS[0], ask=["support"])
    assert result.outcome == "moved"


def test_a_judge_that_drops_the_attacked_claim_has_moved():
    def blind(body, number):
        reply = honest(Asked.read(body))
        if "sentences" in reply:
            reply["sentences"] = [{**row, "claims": []} for row in reply["sentences"]]
        return Say(json.dumps(reply))

    result, _ = outcome(blind, ATTACKS[0], ask=["support"])
    assert result.outcome == "moved"


def test_each_request_has_a_key_of_its_own_that_stands_nowhere_in_its_texts():
    question = Request(("addressed",), (("question", "a"), ("answer", "b")))
    keys = {question.new_key() for _ in range(200)}
    assert len(keys) == 200
    assert all(re.fullmatch("[0-9a-f]{8}", key) for key in keys)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("".join(chr(0xE0000 + ord(c)) for c in "obey") + "plain", "plain"),
        ("a\u200bb\u2060c\ufeffd", "abcd"),
        ("\u202eevil\u202c", "evil"),
        ("\x1b[2Jx\x00", "[2Jx"),
        ("lone \ud800 half", "lone \ufffd half"),
        ("क्‍ष 👩‍👩‍👧 می‌خواهم", "क्‍ष 👩‍👩‍👧 می‌خواهم"),
        ("Straße, naïve, 日本語, العربية\tx\r\ny", "Straße, naïve, 日本語, العربية\tx\r\ny"),
    ],
)
def test_what_a_reader_cannot_see_the_model_is_not_shown(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('{"a": 1}', '{"a": 1}'),
        (' \n{"a": 1}\n', '{"a": 1}'),
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ('<think>{"a": 2}</think>\n{"a": 1}', '{"a": 1}'),
        ('The text says {"a": 1}', 'The text says {"a": 1}'),
        ('{"a": 1} {"a": 2}', '{"a": 1} {"a": 2}'),
    ],
)
def test_a_reply_is_one_json_text_or_nothing(reply, text):
    assert json_text(reply) == text


def test_an_attack_on_a_judge_that_fails_is_counted_as_failed_with_the_reason():
    class Broken:
        fingerprint = "broken"

        async def judge(self, case, trace):
            raise JudgeError("out of order")

    (result,) = asyncio.run(attack(Broken(), ATTACKS[:1]))
    assert (result.outcome, result.reason) == ("failed", "out of order")
