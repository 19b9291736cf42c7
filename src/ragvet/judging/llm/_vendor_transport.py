"""Vendors that do not speak the OpenAI-compatible wire, through pydantic-ai's direct model requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from ragvet.calling import may_pass, requested_wait
from ragvet.errors import InputError, MissingExtra, Problem
from ragvet.judging._model_settings import ModelSettings
from ragvet.judging.llm._modes import REPLY_NAME, messages
from ragvet.judging.llm._openai_transport import api_key
from ragvet.judging.llm._transport import ChatRequest, Reply, TransportError
from ragvet.records import Usage
from ragvet.text import Secrets

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings as Decoding

_MODES = frozenset({"json_schema", "tool", "text"})


class VendorTransport:
    """One model of one vendor. The vendor's SDK never retries on its own: attempts are counted in one place."""

    def __init__(self, settings: ModelSettings, model: Model | None = None) -> None:
        self._settings = settings
        self._key = api_key(settings)
        self._hide = Secrets([self._key or ""]).masked
        self._model = model
        self._entered: tuple[asyncio.AbstractEventLoop, Model] | None = None

    async def send(self, request: ChatRequest) -> Reply:
        """One attempt; whatever the SDK raises becomes a `TransportError` that says whether it may pass."""
        vendor = self._settings.provider
        if request.mode not in _MODES:
            raise TransportError(f"{vendor} has no mode {request.mode}", status=400)
        model = await self._open()
        from pydantic_ai.direct import model_request  # noqa: PLC0415 - an optional dependency
        from pydantic_ai.exceptions import AgentRunError, ModelHTTPError, UserError  # noqa: PLC0415

        try:
            response = await model_request(
                model,
                _conversation(request),
                model_settings=self._decoding(),
                model_request_parameters=_form(request),
            )
        except ModelHTTPError as error:
            asked = requested_wait(error.headers or {})  # the SDK's own reading knows no fractions
            raise TransportError(
                self._hide(f"{vendor} answered {error.status_code}: {error}"),
                raw=self._hide(json.dumps(error.body, default=str)),
                status=error.status_code,
                passing=may_pass(error.status_code),
                retry_after=error.retry_after if asked is None else asked,
            ) from error
        except (AgentRunError, OSError) as error:
            raise TransportError(self._hide(f"no reply from {vendor}: {error}"), passing=True) from error
        except UserError as error:
            raise TransportError(self._hide(f"{vendor} cannot be asked like this: {error}"), status=400) from error
        return _reply(response, self._hide)

    async def close(self) -> None:
        """Close the SDK's client of the running event loop."""
        entered, self._entered = self._entered, None
        if entered is not None and entered[0] is asyncio.get_running_loop():
            await entered[1].__aexit__(None, None, None)

    async def _open(self) -> Model:
        """The model with a client of the running loop: an SDK's client belongs to one event loop."""
        loop = asyncio.get_running_loop()
        if self._entered is not None and self._entered[0] is loop:
            return self._entered[1]
        model = self._model or _model(self._settings, self._key)
        self._entered = loop, model
        return await model.__aenter__()

    def _decoding(self) -> Decoding:
        from pydantic_ai.settings import ModelSettings as Decoding  # noqa: PLC0415 - an optional dependency

        settings = self._settings
        decoding = Decoding(max_tokens=settings.max_output_tokens, max_retries=0)
        if settings.temperature is not None:
            decoding["temperature"] = settings.temperature
        if settings.seed is not None:
            decoding["seed"] = settings.seed
        if settings.extra_body:
            decoding["extra_body"] = dict(settings.extra_body)
        return decoding


def _model(settings: ModelSettings, key: str | None) -> Model:
    try:
        from pydantic_ai.exceptions import UserError  # noqa: PLC0415 - an optional dependency
        from pydantic_ai.models import infer_model  # noqa: PLC0415
        from pydantic_ai.providers import Provider, infer_provider, infer_provider_class  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra(f"judging through {settings.provider}", "llm") from error

    def provider(name: str) -> Provider[Any]:
        return infer_provider(name) if key is None else cast("Any", infer_provider_class(name))(api_key=key)

    try:
        return infer_model(f"{settings.provider}:{settings.model}", provider)
    except ImportError as error:
        raise MissingExtra(f"judging through {settings.provider}", "llm") from error
    except UserError as error:
        problem = Problem("[judge]", str(error), f"a model of {settings.provider}", "Name its key in api_key_env.")
        raise InputError(problem) from error


def _conversation(request: ChatRequest) -> list[ModelMessage]:
    from pydantic_ai.messages import (  # noqa: PLC0415 - an optional dependency
        ModelRequest,
        ModelResponse,
        SystemPromptPart,
        TextPart,
        UserPromptPart,
    )

    def message(role: str, content: str) -> ModelMessage:
        if role == "assistant":
            return ModelResponse(parts=[TextPart(content)])
        return ModelRequest(parts=[SystemPromptPart(content) if role == "system" else UserPromptPart(content)])

    return [message(said.role, said.content) for said in messages(request)]


def _form(request: ChatRequest) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters  # noqa: PLC0415 - an optional dependency
    from pydantic_ai.output import OutputObjectDefinition  # noqa: PLC0415
    from pydantic_ai.tools import ToolDefinition  # noqa: PLC0415

    schema = dict(request.schema)
    if request.mode == "json_schema":
        definition = OutputObjectDefinition(json_schema=schema, name=REPLY_NAME, strict=True)
        return ModelRequestParameters(output_mode="native", output_object=definition)
    if request.mode == "tool":
        tool = ToolDefinition(name=REPLY_NAME, parameters_json_schema=schema, kind="output")
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    return ModelRequestParameters()


def _reply(response: ModelResponse, hide: Callable[[str], str]) -> Reply:
    from pydantic_ai.messages import TextPart, ToolCallPart  # noqa: PLC0415 - an optional dependency

    calls = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
    words = [part.content for part in response.parts if isinstance(part, TextPart)]
    details = response.provider_details or {}
    fingerprint = details.get("system_fingerprint")
    used = response.usage
    return Reply(
        text=hide(calls[0] if calls else "".join(words)),
        raw=hide(json.dumps({"parts": calls + words, "finish_reason": response.finish_reason})),
        finish_reason=response.finish_reason,
        refusal="the vendor's content filter" if response.finish_reason == "content_filter" else None,
        usage=Usage(input_tokens=used.input_tokens or None, output_tokens=used.output_tokens or None),
        server_fingerprint=fingerprint if isinstance(fingerprint, str) else None,
    )
