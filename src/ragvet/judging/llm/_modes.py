"""How each structured-output mode shapes a request, and where its reply stands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ragvet.judging.llm._transport import ChatRequest, Message, Mode

REPLY_NAME = "verdicts"


def response_format(mode: Mode, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that ask an OpenAI-compatible server for a reply of this form."""
    if mode == "json_schema":
        named = {"name": REPLY_NAME, "schema": schema, "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if mode == "json_object_schema":
        return {"response_format": {"type": "json_object", "schema": schema}}
    if mode == "tool":
        return {
            "tools": [{"type": "function", "function": {"name": REPLY_NAME, "parameters": schema}}],
            "tool_choice": {"type": "function", "function": {"name": REPLY_NAME}},
        }
    if mode == "json_object":
        return {"response_format": {"type": "json_object"}}
    return {}


def messages(request: ChatRequest) -> tuple[Message, ...]:
    """The conversation as sent: where the server is not told the schema, the first message tells the model."""
    if request.mode not in {"json_object", "text"}:
        return request.messages
    first, *rest = request.messages
    form = f"Reply with one JSON object and nothing else. Its JSON Schema:\n{json.dumps(request.schema)}"
    return (Message(first.role, f"{first.content}\n\n{form}"), *rest)


def spoken(message: Mapping[str, Any], mode: Mode) -> str:
    """The text of the reply inside an OpenAI-compatible `message`; empty where there is none."""
    if mode == "tool":
        for call in message.get("tool_calls") or ():
            if call["function"]["name"] == REPLY_NAME:
                arguments = call["function"]["arguments"]
                return arguments if isinstance(arguments, str) else json.dumps(arguments)
    content = message.get("content")
    return content if isinstance(content, str) else ""
