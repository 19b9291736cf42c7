"""A system under test behind an HTTP endpoint."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import Field, PositiveInt

from ragvet.calling import is_overload, may_pass, requested_wait
from ragvet.errors import InputError, Problem, TargetError, TargetRefused, TargetReplyInvalid
from ragvet.records import Answer, Case, EnvironmentNames, Record
from ragvet.targets._mapping import ReplyMapping
from ragvet.targets._reply import read_answer, read_retrieval
from ragvet.targets._template import check_placeholders, fill
from ragvet.text import Secrets

if TYPE_CHECKING:
    import aiohttp

__all__ = ["HttpEndpoint", "HttpTarget"]

_BODY_SHOWN = 200
_FOR_SECRETS = re.compile("auth|cookie|credential|key|pass|secret|session|sign|token", re.IGNORECASE)
_NO_SECRET = re.compile(
    "^accept|^content-|user-agent|collection|index|language|locale|model|namespace|organi[sz]ation|project|region"
    "|tenant|version|workspace",
    re.IGNORECASE,
)


class HttpEndpoint(Record):
    """`[target.http]`: an endpoint that takes JSON by POST and replies with JSON.

    Values of headers are kept in memory only, and masked in whatever the endpoint replies, but for headers whose name
    says that they hold no secret, such as `Accept-Language` or `X-Tenant`.
    """

    url: str = Field(pattern=r"^https?://[^\s]+$")
    headers: EnvironmentNames = Field(
        default_factory=dict, description="Header → name of the environment variable that holds its value."
    )
    request: Mapping[str, Any] = Field(
        default_factory=lambda: {"question": "{question}", "k": "{k}"},
        description="The body; {question}, {k}, {identity}, {history} and {case_id} in it are filled in.",
    )
    response: Mapping[str, str] = Field(
        default_factory=dict, description="Field of the answer → JSONPath in the reply. Empty: the reply is an answer."
    )
    item: Mapping[str, str] = Field(
        default_factory=dict, description="Field of a retrieved item → JSONPath in one entry of a ranking."
    )
    call: Mapping[str, str] = Field(
        default_factory=dict, description="Field of a retrieval call → JSONPath in one entry of `retrievals`."
    )
    citation: Mapping[str, str] = Field(
        default_factory=dict, description="Field of a citation → JSONPath in one entry of `citations`."
    )
    cache: Mapping[str, str] = Field(
        default_factory=dict, description="Field of a look into a cache → JSONPath in one entry of `cache`."
    )
    tool_call: Mapping[str, str] = Field(
        default_factory=dict, description="Field of a tool call → JSONPath in one entry of `tool_calls`."
    )
    proxy_from_environment: bool = Field(default=False, description="Honour HTTP_PROXY, HTTPS_PROXY and NO_PROXY.")
    max_bytes: PositiveInt = Field(default=10_000_000, description="A longer reply fails the case.")


class HttpTarget:
    """A system under test behind an HTTP endpoint.

    Raises:
        InputError: a variable is not set, a path is no JSONPath, a placeholder is unknown, or the URL holds a password.
    """

    def __init__(self, endpoint: HttpEndpoint, *, retriever: bool = False) -> None:
        self.name = endpoint.url
        self._endpoint = endpoint
        problems: list[Problem] = []
        if urlsplit(endpoint.url).password is not None:
            found, action = "a password in the URL", "Put it into an environment variable and name that under headers."
            problems.append(Problem("[target.http]", found, "a URL without secrets", action, field="url"))
        self._headers = _from_environment(endpoint.headers, problems)
        self._secrets = Secrets(value for name, value in self._headers.items() if _may_be_secret(name))
        entries = {
            "call": endpoint.call,
            "citation": endpoint.citation,
            "cache": endpoint.cache,
            "tool_call": endpoint.tool_call,
        }
        self._mapping = ReplyMapping.compile(endpoint.response, problems, item=endpoint.item, entries=entries)
        check_placeholders(endpoint.request, problems)
        if problems:
            raise InputError(problems)
        self._template = json.loads(json.dumps(dict(endpoint.request), default=str))  # dates of TOML as texts
        mappings = (endpoint.response, endpoint.item, endpoint.call, endpoint.citation)
        later = {name: dict(entries[name]) for name in ("cache", "tool_call") if entries[name]}
        said = [endpoint.url, dict(endpoint.headers), self._template, *map(dict, mappings), *([later] if later else [])]
        digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
        self.fingerprint = f"http:{digest[:16]}"
        self._read = read_retrieval if retriever else read_answer
        self._session: aiohttp.ClientSession | None = None

    async def answer(self, case: Case, k: int) -> Answer:
        """What the endpoint answers to one case; see `Target.answer`. The caller sets the deadline for all of it."""
        given: dict[str, Any] = {
            "question": case.question,
            "k": k,
            "identity": None if case.identity is None else case.identity.model_dump(mode="json"),
            "history": [turn.model_dump(mode="json") for turn in case.history],
            "case_id": case.id,
        }
        return self._read(self._mapping.apply(await self._post(fill(self._template, given))))

    async def close(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _post(self, body: Any) -> Any:
        import aiohttp  # noqa: PLC0415 - heavy, and needed for this kind of target alone

        if self._session is None:
            unlimited = aiohttp.TCPConnector(limit=0)  # the caller bounds the concurrency
            no_deadline = aiohttp.ClientTimeout(total=None, sock_connect=None)  # the caller has one
            self._session = aiohttp.ClientSession(
                connector=unlimited,
                timeout=no_deadline,
                trust_env=self._endpoint.proxy_from_environment,
                cookie_jar=aiohttp.DummyCookieJar(),  # else the sessions of different cases and users would be one
            )
        try:
            async with self._session.post(
                self._endpoint.url, json=body, headers=self._headers, allow_redirects=False
            ) as reply:
                content = await self._content(reply)
                self._insist_on_success(reply, content)
        except (aiohttp.ClientError, OSError) as error:
            raise TargetError(self._secrets.masked(f"{type(error).__name__}: {error}")) from error
        try:
            return self._secrets.masked_json(json.loads(content, parse_constant=_refuse_constant))
        except (ValueError, RecursionError) as error:
            shown = self._shown(content)
            raise TargetReplyInvalid(f"replied with something that is not JSON ({error}): {shown}") from error

    async def _content(self, reply: aiohttp.ClientResponse) -> bytes:
        content = bytearray()
        async for chunk in reply.content.iter_any():
            content += chunk
            if len(content) > self._endpoint.max_bytes:
                raise TargetReplyInvalid(f"replied with more than {self._endpoint.max_bytes:,} bytes")
        return bytes(content)

    def _insist_on_success(self, reply: aiohttp.ClientResponse, content: bytes) -> None:
        if HTTPStatus.OK <= reply.status < HTTPStatus.MULTIPLE_CHOICES:
            return
        where = f" to {reply.headers['Location']}" if "Location" in reply.headers else ""
        said = self._secrets.masked(f"HTTP {reply.status} {reply.reason or ''}{where}")
        message = f"{said}: {self._shown(content)}"
        if may_pass(reply.status):
            wait, overloaded = requested_wait(reply.headers), is_overload(reply.status)
            raise TargetError(message, retry_after=wait, overloaded=overloaded)
        raise TargetRefused(message)

    def _shown(self, content: bytes) -> str:
        """The beginning of a reply as a message repeats it; masked before it is cut, lest half a secret be left."""
        text = self._secrets.masked(content.decode(errors="replace"))
        return repr(text[:_BODY_SHOWN]) if text else "an empty body"


def _may_be_secret(header: str) -> bool:
    """Whether to mask the header's value: any but one that likely stands in documents and answers too."""
    return _FOR_SECRETS.search(header) is not None or _NO_SECRET.search(header) is None


def _from_environment(names: Mapping[str, str], problems: list[Problem]) -> dict[str, str]:
    values: dict[str, str] = {}
    for header, variable in names.items():
        value = os.environ.get(variable)
        if not value:
            name = variable if variable.isupper() else "of the name given"  # else it may be the secret itself
            found = f"no environment variable {name}"
            action = f"Set it; {header!r} takes its value from there, so that no secret stands in a file."
            problems.append(Problem("[target.http]", found, "its value", action, field=f"headers.{header}"))
        elif not value.isprintable():
            found, action = f"a line break or other control character in {variable!r}", "Set it without."
            problems.append(Problem("[target.http]", found, "printable text", action, field=f"headers.{header}"))
        else:
            values[header] = value
    return values


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")
