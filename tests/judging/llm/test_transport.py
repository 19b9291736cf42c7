from __future__ import annotations

import asyncio
import gc
import json
import time

import numpy as np
import pytest
from tests.judging.llm.material import settings_for
from tests.judging.llm.scripted_server import Say, completion, serving

from ragvet.calling import Caller, Pace, Patience
from ragvet.errors import InputError, JudgeError
from ragvet.judging.llm import open_transport
from ragvet.judging.llm._openai_transport import _reply
from ragvet.judging.llm._transport import MODES, ChatRequest, Message, TransportError, read_failure, reply_of
from ragvet.records import Usage

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


def request(mode="json_schema"):
    return ChatRequest((Message("system", "Be brief."), Message("user", "Go.")), SCHEMA, mode)


def paced(patience):
    return Caller(patience, Pace(4), read_failure, np.random.default_rng(1))


def get(server, *, patience=None, mode="json_schema", **settings):
    """One request through caller and transport, as a judge sends it."""
    transport = open_transport(settings_for(server, **settings))
    patience = patience or Patience(attempts=3, timeout=5, deadline=10, first_wait=0.01)

    async def go():
        try:
            return reply_of(await paced(patience).call(lambda: transport.send(request(mode))))
        finally:
            await transport.close()

    return asyncio.run(go())


def failing_first(*says):
    return lambda body, number: says[number] if number < len(says) else Say('{"a": 1}')


def test_the_raw_reply_is_kept_with_its_fields():
    say = Say('{"a": 1}', finish_reason="stop", usage={"prompt_tokens": 7, "completion_tokens": 3}, fingerprint="fp_9")
    with serving(lambda body, number: say) as server:
        reply = get(server)
    assert json.loads(reply.raw)["system_fingerprint"] == "fp_9"
    assert (reply.text, reply.finish_reason, reply.server_fingerprint) == ('{"a": 1}', "stop", "fp_9")
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cost) == (7, 3, None)


def test_usage_and_fingerprint_that_are_not_reported_are_unknown():
    with serving(lambda body, number: Say('{"a": 1}', usage=None, fingerprint=None)) as server:
        reply = get(server)
    assert reply.usage.input_tokens is None
    assert reply.server_fingerprint is None


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_says_the_schema_in_its_own_way_and_finds_its_reply(mode):
    with serving(lambda body, number: Say('{"a": 1}')) as server:
        assert get(server, mode=mode).text == '{"a": 1}'
    (body,) = server.bodies
    form = body.get("response_format", {})
    told = {
        "json_schema": lambda: form["json_schema"]["schema"] == SCHEMA and form["json_schema"]["strict"],
        "json_object_schema": lambda: form == {"type": "json_object", "schema": SCHEMA},
        "tool": lambda: body["tools"][0]["function"]["parameters"] == SCHEMA and "tool_choice" in body,
        "json_object": lambda: form == {"type": "json_object"},
        "text": lambda: form == {},
    }
    assert told[mode]()
    assert (json.dumps(SCHEMA) in body["messages"][0]["content"]) == (mode in {"json_object", "text"})


def test_settings_reach_the_request():
    with serving(lambda body, number: Say('{"a": 1}')) as server:
        get(
            server,
            temperature=None,
            seed=5,
            max_output_tokens=50,
            output_limit_field="max_completion_tokens",
            extra_body={"top_p": 0.5},
        )
    (body,) = server.bodies
    assert "temperature" not in body
    assert (body["seed"], body["max_completion_tokens"], body["top_p"]) == (5, 50, 0.5)


@pytest.mark.parametrize(
    "first",
    [
        Say(status=429, headers={"Retry-After": "0"}),
        Say(status=500),
        Say(status=503),
        Say(body="<html>busy</html>"),
        Say(body='{"choices": []}'),
        Say(body="[]"),
        Say(body='{"choices": [{"message": "hi"}]}'),
    ],
)
def test_a_failure_that_may_pass_is_tried_again(first):
    with serving(failing_first(first)) as server:
        assert get(server).text == '{"a": 1}'
    assert len(server.bodies) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 302])
def test_a_failure_that_will_not_pass_is_not_tried_again(status):
    with (
        serving(lambda body, number: Say(status=status, body="no such model")) as server,
        pytest.raises(TransportError, match="no such model") as failure,
    ):
        get(server)
    assert len(server.bodies) == 1
    assert failure.value.status == status


def test_attempts_end_and_the_error_says_how_many_there_were():
    with (
        serving(lambda body, number: Say(status=500, body="broken")) as server,
        pytest.raises(JudgeError, match=r"answered 500: broken \(attempt 3 of 3\)"),
    ):
        get(server)
    assert len(server.bodies) == 3


def test_a_wait_that_passes_the_deadline_is_not_begun():
    with (
        serving(lambda body, number: Say(status=429, headers={"Retry-After": "3600"})) as server,
        pytest.raises(TransportError, match="would pass the deadline"),
    ):
        get(server)
    assert len(server.bodies) == 1


def test_a_server_that_drips_bytes_forever_meets_the_deadline():
    patience = Patience(attempts=1, timeout=0.3, deadline=5)
    with serving(lambda body, number: Say(drip=True)) as server:
        began = time.monotonic()
        with pytest.raises(TransportError, match="no complete reply within"):
            get(server, patience=patience)
    assert time.monotonic() - began < 60  # it ends at all


def test_a_server_that_is_not_there_is_a_judge_error():
    with serving() as server:
        pass
    with pytest.raises(TransportError, match=r"no reply from .* Is the server running"):
        get(server)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('{"error": {"message": "1 error:\\n  no \\"grammar\\"", "type": "x"}}', '1 error: no "grammar"'),
        ('{"error": "model not found"}', "model not found"),
        ('{"message": "unknown model", "code": 7}', "unknown model"),
        ('{"detail": [1]}', '{"detail": [1]}'),
        ("[1]", "[1]"),
        ("<html>\n busy </html>", "<html> busy </html>"),
    ],
)
def test_an_error_is_told_in_one_line_by_its_message(body, told):
    with serving(lambda *_: Say(status=400, body=body)) as server, pytest.raises(TransportError) as failure:
        get(server)
    assert str(failure.value).endswith(f"answered 400: {told}")
    assert failure.value.raw == body


def test_the_key_comes_from_the_environment_and_appears_nowhere_else(monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-secret-123")
    echo = Say(status=401, body="Incorrect API key provided: sk-secret-123")
    with serving(lambda body, number: echo) as server:
        with pytest.raises(TransportError) as failure:
            get(server, api_key_env="JUDGE_KEY")
        settings = settings_for(server, api_key_env="JUDGE_KEY")
    assert server.headers[0]["Authorization"] == "Bearer sk-secret-123"
    assert "***" in str(failure.value)
    everything = f"{failure.value} {failure.value.raw} {settings!r} {settings.identity}"
    assert "sk-secret" not in everything


def test_a_key_that_is_not_set_is_an_input_error(monkeypatch):
    monkeypatch.delenv("JUDGE_KEY", raising=False)
    with serving() as server, pytest.raises(InputError, match="found no environment variable JUDGE_KEY"):
        open_transport(settings_for(server, api_key_env="JUDGE_KEY"))


def test_no_connection_is_left_open_for_the_next_loop():
    with serving(lambda body, number: Say('{"a": 1}')) as server:
        transport = open_transport(settings_for(server))

        async def go():
            reply = await transport.send(request())
            await transport.close()
            return reply

        assert asyncio.run(go()).text == asyncio.run(go()).text
        gc.collect()  # an unclosed session would warn here, and warnings are errors


def test_a_reply_without_end_is_given_up_and_not_kept(monkeypatch):
    monkeypatch.setattr("ragvet.judging.llm._openai_transport._LONGEST_REPLY", 1000)
    with (
        serving(lambda body, number: Say("x" * 2000)) as server,
        pytest.raises(TransportError, match="more than 1,000 bytes"),
    ):
        get(server)
    assert len(server.bodies) == 1


@pytest.mark.parametrize("body", ["[" * 200_000, "\x00", "null", "[]", '{"choices": []}', '{"choices": {"0": 1}}'])
def test_a_body_that_is_no_completion_is_an_error_that_may_pass_with_its_text(body):
    with pytest.raises(TransportError, match="no chat completion") as failure:
        _reply(body, "text")
    assert failure.value.passing
    assert failure.value.raw == body


def test_a_byte_order_mark_before_a_body_does_not_matter():
    body = completion({"model": "m"}, Say("hello")).decode()
    with serving(lambda _, number: Say(body="\ufeff" + body)) as server:
        assert get(server).text == "hello"


@pytest.mark.parametrize("count", [-1, 10**30, 1.5, "7", None, [], float("nan")])
def test_a_count_of_tokens_that_cannot_be_one_is_unknown(count):
    """10**30 would not fit the database, and its price no float."""
    body = completion({"model": "m"}, Say("hello", usage=None)).decode()
    body = body[:-1] + f', "usage": {{"prompt_tokens": {json.dumps(count)}, "completion_tokens": 3}}}}'
    assert _reply(body, "text").usage == Usage(output_tokens=3)
