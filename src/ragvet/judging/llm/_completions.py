"""Getting one acceptable reply: from the store, else from the server, corrected at most once, paid for at most once."""

from __future__ import annotations

import asyncio
from copy import copy
from dataclasses import dataclass, field

from ragvet.errors import JudgeError, RagvetError
from ragvet.judging._store import StoredReply
from ragvet.judging.llm._cache import Completion, ReplyCache
from ragvet.judging.llm._client import Client
from ragvet.judging.llm._money import add
from ragvet.judging.llm._prompts import Prompts
from ragvet.judging.llm._request import Request
from ragvet.judging.llm._transport import ChatRequest, Message, Mode, Reply, TransportError
from ragvet.records import Usage

Flight = asyncio.Future[Completion]
"""The reply to a request that is under way."""

_TRIES = 2
_SHOWN_AGAIN = 4000


@dataclass(frozen=True, slots=True)
class Completions:
    """What stands between a request and its reply; `exact` tells the server the ids a reply may hold."""

    client: Client
    prompts: Prompts
    mode: Mode
    exact: bool
    cache: ReplyCache | None = None
    _under_way: dict[str, Flight] = field(default_factory=dict[str, Flight], init=False)

    async def get(self, request: Request) -> Completion:
        """The reply to `request`; `JudgeError` with the last raw reply where the model gives none that can be used.

        Who asks for what is under way already waits for that reply, or fails as it does.
        """
        content = request.content()
        while (other := self._under_way.get(content)) is not None:
            await asyncio.wait([other])
            if not other.cancelled():
                return _shared(other)
        mine = self._under_way[content] = asyncio.get_running_loop().create_future()
        try:
            completion = await self._get(request)
        except RagvetError as error:
            mine.set_exception(error)
            mine.exception()  # that nobody else waits for it is no fault
            raise
        else:
            mine.set_result(completion)
            return completion
        finally:
            del self._under_way[content]
            mine.cancel()  # no effect where it is done; else whoever waits asks anew

    async def _get(self, request: Request) -> Completion:
        if self.cache is None:
            return (await self._from_server(request))[0]
        address = self.cache.address(request)
        completion = self.cache.find(address, request)
        if completion is None:
            completion, reply = await self._from_server(request)
            self.cache.keep(address, reply)
        return completion

    async def _from_server(self, request: Request) -> tuple[Completion, StoredReply]:
        key = request.new_key()
        chat = request.chat(self.prompts.system(request.topics), self.mode, key, exact=self.exact)
        usage: Usage | None = None
        problems: list[str] = []
        raw = ""
        for _ in range(_TRIES):
            try:
                reply = await self.client.get(chat)
            except TransportError as error:
                if usage is not None:
                    error.usage = usage.model_dump()
                raise
            usage, raw = add(usage, reply.usage), reply.raw
            problems = _unusable(reply)
            if not problems:
                accepted, problems = request.read(reply.text, key)
                if accepted is not None:
                    stored = StoredReply(reply.text, key, usage, reply.server_fingerprint)
                    return Completion(accepted, usage, reply.server_fingerprint), stored
            chat = self._corrected(chat, reply, problems)
        spent = None if usage is None else usage.model_dump()
        raise JudgeError(f"the judge's reply cannot be used: {'; '.join(problems)}", raw=raw, usage=spent)

    def _corrected(self, chat: ChatRequest, reply: Reply, problems: list[str]) -> ChatRequest:
        """The same request with the reply and what is wrong with it; a reply without text is only spoken of."""
        said = (Message("assistant", reply.text[:_SHOWN_AGAIN]),) if reply.text else ()
        correction = Message("user", self.prompts.correction(problems))
        return ChatRequest((*chat.messages[:2], *said, correction), chat.schema, chat.mode)


def _shared(other: Flight) -> Completion:
    """The reply of another asker; its `JudgeError` as one of our own: each asker adds to it what else it spent."""
    error = other.exception()
    if isinstance(error, JudgeError):
        raise copy(error)
    return other.result()


def _unusable(reply: Reply) -> list[str]:
    """What makes a reply worthless before it is read: cut off, or refused."""
    if reply.finish_reason == "length":
        return ["it was cut off at the output limit; be shorter (max_output_tokens sets the limit)"]
    if reply.refusal is not None or reply.finish_reason == "content_filter":
        return [f"the judge refused: {reply.refusal or 'stopped by a content filter'}"]
    return [] if reply.text.strip() else ["it was empty"]
