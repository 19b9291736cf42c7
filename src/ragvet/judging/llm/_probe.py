"""Finding out once what a model server can do, so that it is never asked blindly again."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, replace
from typing import Any

from ragvet.calling import Caller, Pace, Patience, Setback
from ragvet.errors import JudgeError
from ragvet.files import json_value
from ragvet.judging._model_settings import ModelSettings
from ragvet.judging._store import ReplyStore
from ragvet.judging.llm._transport import (
    MODES,
    ChatRequest,
    Message,
    Mode,
    Reply,
    Transport,
    TransportError,
    read_failure,
    reply_of,
)

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


async def probe(transport: Transport, modes: tuple[Mode, ...] = MODES, timeout: float = 120.0) -> Probe:  # noqa: ASYNC109 - of one attempt, a setting
    """The strictest of `modes` this server can do, each tried once; `JudgeError` naming every refusal if none works.

    A server that is away, wants a key or asks to wait says nothing about a mode: wait, then raise.
    """
    import numpy as np  # noqa: PLC0415 - heavy, and needed only where a server is called

    patience = Patience(attempts=4, timeout=timeout, deadline=timeout)
    caller = Caller(patience, Pace(1), _read, np.random.default_rng())
    tried: list[Attempt] = []
    for mode in modes:
        word = secrets.token_hex(3)
        asked = f'Reply with the JSON object {{"word": "{word}", "letters": 6}}.'
        request = ChatRequest((Message("system", "You reply in JSON."), Message("user", asked)), _SCHEMA, mode)
        try:
            reply = reply_of(await caller.call(lambda request=request: transport.send(request)))
        except TransportError as error:
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


def _read(error: Exception) -> Setback | None:
    """As a judge reads it, but a failure is only tried again where it is about the moment and not about the mode."""
    setback = read_failure(error)
    if setback is None or not isinstance(setback.error, TransportError) or not _about_the_mode(setback.error):
        return setback
    return replace(setback, passing=False)


def _about_the_mode(error: TransportError) -> bool:
    """Servers refuse a mode they do not know with a 4xx or, some of them, with a 500."""
    return error.status in {400, 404, 415, 422, 500, 501} or (error.status is None and error.raw is not None)


def _says(reply: Reply, word: str) -> bool:
    try:
        said = json_value(reply.text)
    except ValueError:
        return False
    return said == {"word": word, "letters": 6}
