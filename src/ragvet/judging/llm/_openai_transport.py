"""The OpenAI-compatible wire, spoken by most model servers and vendors."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any, cast

from ragvet.calling import may_pass, requested_wait
from ragvet.errors import InputError, Problem
from ragvet.judging._model_settings import ModelSettings
from ragvet.judging.llm._modes import messages, response_format, spoken
from ragvet.judging.llm._transport import ChatRequest, Mode, Reply, TransportError
from ragvet.records import Usage
from ragvet.text import Secrets

if TYPE_CHECKING:
    import aiohttp

_SHOWN = 300
_LONGEST_REPLY = 16 * 2**20
_MOST_TOKENS = 10**9
"""No request has more: a count beyond it is no count."""


class OpenAITransport:
    """Requests to `{base_url}/chat/completions`; one connection pool for each event loop, closed by `close`."""

    def __init__(self, settings: ModelSettings) -> None:
        if settings.base_url is None:
            raise InputError(Problem("[judge]", "no base_url", "the address of a model server", "Set base_url."))
        self._settings = settings
        self._url = settings.base_url.rstrip("/") + "/chat/completions"
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._key = api_key(settings)
        self._hide = Secrets([self._key or ""]).masked

    async def send(self, request: ChatRequest) -> Reply:
        """One attempt; a reply whose body is not a chat completion is an error that may pass, its text kept."""
        import aiohttp  # noqa: PLC0415 - loaded only where a server is called

        body = json.dumps(self._body(request)).encode()
        try:
            async with (await self._open()).post(self._url, data=body, allow_redirects=False) as response:
                raw = (await self._read(response)).decode("utf-8-sig", "replace")
        except (aiohttp.ClientError, OSError) as error:
            refused = isinstance(getattr(error, "os_error", error), ConnectionRefusedError)
            said = "nobody listens there. Is the server running?" if refused else str(error) or type(error).__name__
            raise TransportError(f"no reply from {self._url}: {self._hide(said)}", passing=True) from error
        if response.status != 200:  # noqa: PLR2004 - the one status that carries a reply
            raise TransportError(
                f"{self._url} answered {response.status}: {_told(self._hide(raw))}",
                raw=self._hide(raw),
                status=response.status,
                passing=may_pass(response.status),
                retry_after=requested_wait(response.headers),
            )
        return _reply(self._hide(raw), request.mode)

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        body = bytearray()
        async for chunk in response.content.iter_any():
            body += chunk
            if len(body) > _LONGEST_REPLY:
                raise TransportError(f"{self._url} sent more than {_LONGEST_REPLY:,} bytes", status=response.status)
        return bytes(body)

    async def close(self) -> None:
        """Close the connections of the running event loop."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        settings = self._settings
        body: dict[str, Any] = {
            "model": settings.model,
            "messages": [{"role": said.role, "content": said.content} for said in messages(request)],
            settings.output_limit_field: settings.max_output_tokens,
            **response_format(request.mode, request.schema),
        }
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        if settings.seed is not None:
            body["seed"] = settings.seed
        return {**body, **settings.extra_body}

    async def _open(self) -> aiohttp.ClientSession:
        """The session of the running loop; one left open by a loop that has ended is closed first."""
        import aiohttp  # noqa: PLC0415 - loaded only where a server is called

        loop = asyncio.get_running_loop()
        if self._session is not None and self._loop is loop:
            return self._session
        await self.close()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._settings.concurrency),
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=None),  # the deadline is kept where attempts are counted
            trust_env=self._settings.proxy_from_environment,
        )
        self._loop = loop
        return self._session


def api_key(settings: ModelSettings) -> str | None:
    """The key in the environment variable the settings name; a named but unset variable is an error."""
    name = settings.api_key_env
    if name is None:
        return None
    key = os.environ.get(name, "").strip()
    if not key:
        said = name if name.isupper() else "of the name given"  # else it may be the key itself
        found, expected = f"no environment variable {said}", "the key of the model server"
        raise InputError(Problem("[judge]", found, expected, "Set it.", field="api_key_env"))
    return key


def _told(raw: str) -> str:
    """What the body of an error says, in one line: its message, where it has one where servers put it."""
    try:
        body: Any = json.loads(raw)
        error: Any = body.get("error", body)
        message: Any = error if isinstance(error, str) else error.get("message")
    except (ValueError, AttributeError, RecursionError):
        message = None
    return " ".join((message if isinstance(message, str) else raw).split())[:_SHOWN]


def _reply(raw: str, mode: Mode) -> Reply:
    try:
        body = json.loads(raw)
        choice = body["choices"][0]
        message = choice["message"]
        text = spoken(message, mode)
        refusal = message.get("refusal")
        finish_reason = choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise TransportError(
            f"the reply is no chat completion: {raw[:_SHOWN].strip()!r}", raw=raw, passing=True
        ) from error
    fingerprint = body.get("system_fingerprint")
    return Reply(
        text=text,
        raw=raw,
        finish_reason=finish_reason if isinstance(finish_reason, str) else None,
        refusal=refusal if isinstance(refusal, str) else None,
        usage=_usage(body.get("usage")),
        server_fingerprint=fingerprint if isinstance(fingerprint, str) and fingerprint else None,
    )


def _usage(reported: object) -> Usage:
    counts = cast("dict[str, object]", reported) if isinstance(reported, dict) else {}

    def count(name: str) -> int | None:
        value = counts.get(name)
        return value if isinstance(value, int) and 0 <= value <= _MOST_TOKENS else None

    return Usage(input_tokens=count("prompt_tokens"), output_tokens=count("completion_tokens"))
