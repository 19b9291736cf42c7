"""What goes to a model server and what comes back, whichever way it is reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

from ragvet.calling import Called, CallEscaped, CallTimeout, Setback, is_overload
from ragvet.errors import JudgeError
from ragvet.judging._model_settings import Mode
from ragvet.records import Usage

MODES: tuple[Mode, ...] = get_args(Mode)
"""All of them, the strictest first."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation with the model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a model: the conversation and the JSON Schema its reply must satisfy."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    mode: Mode


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server answered. `raw` is its body as received; `text` is what the model said in it."""

    text: str
    raw: str
    finish_reason: str | None
    refusal: str | None
    usage: Usage
    server_fingerprint: str | None


class TransportError(JudgeError):
    """One attempt at a request failed before a reply could be read.

    Attributes:
        status: the HTTP status, where there was one.
        passing: whether the same request may succeed later.
        retry_after: seconds the server asked to wait, if it did.
        too_long: whether the server said that the request does not fit its context window.
    """

    def __init__(
        self,
        message: str,
        *,
        raw: str | None = None,
        status: int | None = None,
        passing: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, raw=raw)
        self.status = status
        self.passing = passing
        self.retry_after = retry_after

    @property
    def too_long(self) -> bool:
        """Whether the server said that the request does not fit its context window."""
        said = (self.raw or "").lower()
        return self.status in {400, 413, 422} and any(phrase in said for phrase in _TOO_LONG)


_TOO_LONG = (
    "context_length_exceeded",
    "maximum context length",
    "context window",
    "context size",
    "prompt is too long",
)


class Transport(Protocol):
    """One way to a model server. `send` is one attempt: no retries, no waiting for a turn."""

    async def send(self, request: ChatRequest) -> Reply:
        """The server's reply, or `TransportError`."""
        ...

    async def close(self) -> None:
        """Free the connections; a later `send` opens new ones."""
        ...


def read_failure(error: Exception) -> Setback | None:
    """What an error of an attempt means for the next one."""
    match error:
        case TransportError():
            overloaded = error.status is not None and is_overload(error.status)
            return Setback(error, error.passing, overloaded, error.retry_after)
        case CallTimeout():
            late = TransportError(f"no complete reply within {error.seconds:.3g} s", passing=True)
            return Setback(late, passing=True, overloaded=True)
        case CallEscaped():
            return Setback(TransportError(f"the request {error}"))
        case _:
            return None


def reply_of(called: Called[Reply]) -> Reply:
    """The reply; the `TransportError` of the last attempt otherwise, saying how many there were."""
    if not isinstance(called.outcome, Setback):
        return called.outcome
    error = called.outcome.error
    if not called.remark or not isinstance(error, TransportError):
        raise error
    told = TransportError(
        f"{error} ({called.remark})",
        raw=error.raw,
        status=error.status,
        passing=error.passing,
        retry_after=error.retry_after,
    )
    raise told from error
