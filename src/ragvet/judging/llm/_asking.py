"""Getting one acceptable reply: from the store, else from the server, corrected at most once, paid for at most once."""

from __future__ import annotations

import asyncio
from copy import copy
from dataclasses import dataclass, field

from ragvet.errors import JudgeError, RagvetError
from ragvet.judging._store import StoredReply
from ragvet.judging.llm._kept import Answered, Kept
from ragvet.judging.llm._line import Line
from ragvet.judging.llm._money import add
from ragvet.judging.llm._prompts import Prompts
from ragvet.judging.llm._question import Question
from ragvet.judging.llm._wire import ChatRequest, Message, Mode, Reply, WireError
from ragvet.records import Usage

Flight = asyncio.Future[Answered]
"""The reply to a question that is being asked."""

_TRIES = 2
_SHOWN_AGAIN = 4000


@dataclass(frozen=True, slots=True)
class Asking:
    """What stands between a question and its reply; `exact` tells the server the ids a reply may hold."""

    line: Line
    prompts: Prompts
    mode: Mode
    exact: bool
    kept: Kept | None = None
    _under_way: dict[str, Flight] = field(default_factory=dict[str, Flight], init=False)

    async def ask(self, question: Question) -> Answered:
        """The reply to `question`; `JudgeError` with the last raw reply where the model gives none that can be used.

        Who asks what is being asked already waits for that reply, or fails as it does.
        """
        content = question.content()
        while (other := self._under_way.get(content)) is not None:
            await asyncio.wait([other])
            if not other.cancelled():
                return _shared(other)
        mine = self._under_way[content] = asyncio.get_running_loop().create_future()
        try:
            answered = await self._ask(question)
        except RagvetError as error:
            mine.set_exception(error)
            mine.exception()  # that nobody else waits for it is no fault
            raise
        else:
            mine.set_result(answered)
            return answered
        finally:
            del self._under_way[content]
            mine.cancel()  # no effect where it is done; else whoever waits asks anew

    async def _ask(self, question: Question) -> Answered:
        if self.kept is None:
            return (await self._ask_server(question))[0]
        address = self.kept.address(question)
        answered = self.kept.find(address, question)
        if answered is None:
            answered, reply = await self._ask_server(question)
            self.kept.keep(address, reply)
        return answered

    async def _ask_server(self, question: Question) -> tuple[Answered, StoredReply]:
        key = question.new_key()
        request = question.ask(self.prompts.system(question.topics), self.mode, key, exact=self.exact)
        usage: Usage | None = None
        problems: list[str] = []
        raw = ""
        for _ in range(_TRIES):
            try:
                reply = await self.line.get(request)
            except WireError as error:
                if usage is not None:
                    error.usage = usage.model_dump()
                raise
            usage, raw = add(usage, reply.usage), reply.raw
            problems = _unusable(reply)
            if not problems:
                accepted, problems = question.read(reply.text, key)
                if accepted is not None:
                    stored = StoredReply(reply.text, key, usage, reply.server_fingerprint)
                    return Answered(accepted, usage, reply.server_fingerprint), stored
            request = self._corrected(request, reply, problems)
        spent = None if usage is None else usage.model_dump()
        raise JudgeError(f"the judge's reply cannot be used: {'; '.join(problems)}", raw=raw, usage=spent)

    def _corrected(self, request: ChatRequest, reply: Reply, problems: list[str]) -> ChatRequest:
        """The same request with the reply and what is wrong with it; a reply without text is only spoken of."""
        said = (Message("assistant", reply.text[:_SHOWN_AGAIN]),) if reply.text else ()
        correction = Message("user", self.prompts.correction(problems))
        return ChatRequest((*request.messages[:2], *said, correction), request.schema, request.mode)


def _shared(other: Flight) -> Answered:
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
