from __future__ import annotations

import asyncio
import json

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import RequestUsage

from ragvet.errors import InputError
from ragvet.judging import ModelSettings
from ragvet.judging.llm._transport import ChatRequest, Message, TransportError
from ragvet.judging.llm._vendor_transport import VendorTransport

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


def request(mode):
    said = (
        Message("system", "Be strict."),
        Message("user", "Go."),
        Message("assistant", "{"),
        Message("user", "Again."),
    )
    return ChatRequest(said, SCHEMA, mode)


def settings(**given):
    return ModelSettings.model_validate({"model": "some-model", "provider": "anthropic", **given})


def ask(function, mode="tool", **given):
    transport = VendorTransport(settings(**given), FunctionModel(function))

    async def go():
        try:
            return await transport.send(request(mode))
        finally:
            await transport.close()

    return asyncio.run(go())


def test_a_tool_reply_keeps_text_usage_and_finish_reason():
    seen = {}

    def model(messages, info):
        seen["roles"] = [part.part_kind for message in messages for part in message.parts]
        seen["schema"] = info.output_tools[0].parameters_json_schema
        seen["settings"] = info.model_settings
        call = ToolCallPart("verdicts", {"a": 1})
        return ModelResponse(parts=[call], usage=RequestUsage(input_tokens=9, output_tokens=4), finish_reason="stop")

    reply = ask(model, temperature=0.3, seed=4, extra_body={"top_k": 1})
    assert json.loads(reply.text) == {"a": 1}
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (9, 4)
    assert reply.finish_reason == "stop"
    assert seen["schema"] == SCHEMA
    assert seen["roles"] == ["system-prompt", "user-prompt", "text", "user-prompt"]
    assert seen["settings"]["max_retries"] == 0  # attempts are counted in one place
    assert (seen["settings"]["temperature"], seen["settings"]["seed"]) == (0.3, 4)


def test_a_text_reply_is_asked_for_with_the_schema_in_the_prompt():
    def model(messages, info):
        assert json.dumps(SCHEMA) in messages[0].parts[0].content
        return ModelResponse(parts=[TextPart('{"a": '), TextPart("1}")])

    assert ask(model, mode="text").text == '{"a": 1}'


def test_a_refusal_of_the_vendor_is_kept_as_one():
    reply = ask(lambda messages, info: ModelResponse(parts=[], finish_reason="content_filter"))
    assert reply.refusal


@pytest.mark.parametrize(("status", "passing"), [(429, True), (529, True), (500, True), (400, False), (401, False)])
def test_an_error_of_the_vendor_says_whether_it_may_pass(status, passing):
    def model(messages, info):
        raise ModelHTTPError(status, "some-model", body={"error": "no"}, headers={"retry-after": "7.5"})

    with pytest.raises(TransportError) as failure:
        ask(model)
    assert (failure.value.status, failure.value.passing, failure.value.retry_after) == (status, passing, 7.5)
    assert "error" in failure.value.raw


def test_modes_no_vendor_has_are_refused_so_that_a_probe_goes_on():
    with pytest.raises(TransportError) as failure:
        ask(lambda messages, info: ModelResponse(parts=[]), mode="json_object")
    assert failure.value.status == 400


def test_the_key_of_a_vendor_does_not_reach_errors(monkeypatch):
    monkeypatch.setenv("VENDOR_KEY", "sk-vendor-9")

    def model(messages, info):
        raise ModelHTTPError(401, "some-model", body={"error": "bad key sk-vendor-9"})

    with pytest.raises(TransportError) as failure:
        ask(model, api_key_env="VENDOR_KEY")
    assert "sk-vendor" not in f"{failure.value} {failure.value.raw}"


@pytest.mark.parametrize(
    "given",
    [
        {"model": "m"},
        {"model": "m", "base_url": "http://x/v1", "provider": "anthropic"},
        {"model": "m", "provider": "someone"},
        {"model": "", "base_url": "http://x/v1"},
        {"model": "m", "base_url": "ftp://x"},
        {"model": "m", "base_url": "http://x/v1", "temprature": 0},
        {"model": "m", "base_url": "http://x/v1", "api_key_env": "sk-this-is-a-key"},
        {"model": "m", "base_url": "http://x/v1", "budget": -1},
        {"model": "m", "base_url": "http://x/v1", "budget": float("nan")},
        {"model": "m", "base_url": "http://x/v1", "ask": []},
    ],
)
def test_settings_that_do_not_hold_together_are_refused(given):
    with pytest.raises(ValueError, match=r"validation error"):
        ModelSettings.model_validate(given)


def test_a_vendor_without_its_key_is_an_input_error_or_a_missing_extra(monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    transport = VendorTransport(settings())
    with pytest.raises((InputError, Exception), match=r"ragvet\[llm\]|ANTHROPIC_API_KEY"):
        asyncio.run(transport.send(request("tool")))
