"""Finding out once what a model server can do, so that it is never asked blindly again."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import Any

from ragvet.errors import JudgeError
from ragvet.judging._store import ReplyStore
from ragvet.judging.llm._limiter import Limiter
from ragvet.judging.llm._patience import Patience
from ragvet.judging.llm._replies import json_value
from ragvet.judging.llm._settings import ModelSettings
from ragvet.judging.llm._wire import MODES, ChatRequest, Message, Mode, Reply, Wire, WireError

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"word": {"type": "string"}, "letters": {"type": "integer"}},
    "required": ["word", "letters"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One mode tried: None as `refused` means that it worked."""

    mode: Mode
    refused: str | None


@dataclass(frozen=True, slots=True)
class Probe:
    """What a server was found to be: the strictest mode that works, and its own fingerprint if it gives one."""

    mode: Mode
    server_fingerprint: str | None
    attempts: tuple[Attempt, ...]


async def probe(wire: Wire, modes: tuple[Mode, ...] = MODES, timeout: float = 120.0) -> Probe:  # noqa: ASYNC109 - of one attempt, a setting
    """The strictest of `modes` this server can do, each tried once; `JudgeError` naming every refusal if none works.

    A server that is away, wants a key or asks to wait says nothing about a mode: wait, then raise.
    """
    patience = Patience(attempts=4, timeout=timeout, deadline=timeout)
    tried: list[Attempt] = []
    for mode in modes:
        word = secrets.token_hex(3)
        asked = f'Reply with the JSON object {{"word": "{word}", "letters": 6}}.'
        request = ChatRequest((Message("system", "You reply in JSON."), Message("user", asked)), _SCHEMA, mode)
        try:
            reply = await patience.get(lambda request=request: _once(wire, request), Limiter(1))
        except WireError as error:
            if not _about_the_mode(error):
                raise
            tried.append(Attempt(mode, str(error)))
            continue
        refused = None if _says(reply, word) else f"replied {reply.text[:200]!r} instead of the object asked for"
        tried.append(Attempt(mode, refused))
        if refused is None:
            return Probe(mode, reply.server_fingerprint, tuple(tried))
    reasons = "; ".join(f"{attempt.mode}: {attempt.refused}" for attempt in tried)
    raise JudgeError(f"the model server can do none of the structured-output modes: {reasons}")


def remembered(store: ReplyStore, settings: ModelSettings) -> Probe | None:
    """What the server was found to be when it was probed, where that fits the settings."""
    known = store.get_probe(server_of(settings))
    if known is None or known.mode not in MODES or settings.mode not in ("auto", known.mode):
        return None
    return Probe(MODES[MODES.index(known.mode)], known.server_fingerprint, ())


def server_of(settings: ModelSettings) -> str:
    """What a probe is about: the place and the model."""
    return json.dumps([settings.base_url or settings.provider, settings.model])


async def _once(wire: Wire, request: ChatRequest) -> Reply:
    """The reply, or an error that is only tried again where it is about the moment and not about the mode."""
    try:
        return await wire.send(request)
    except WireError as error:
        error.passing = error.passing and not _about_the_mode(error)
        raise


def _about_the_mode(error: WireError) -> bool:
    """Servers refuse a mode they do not know with a 4xx or, some of them, with a 500."""
    return error.status in {400, 404, 415, 422, 500, 501} or (error.status is None and error.raw is not None)


def _says(reply: Reply, word: str) -> bool:
    try:
        said = json_value(reply.text)
    except ValueError:
        return False
    return said == {"word": word, "letters": 6}
