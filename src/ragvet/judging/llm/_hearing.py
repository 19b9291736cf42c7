from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from ragvet.judging.llm._kept import Answered
from ragvet.judging.llm._money import add
from ragvet.judging.llm._question import Question
from ragvet.judging.llm._replies import Part
from ragvet.records import Usage

T = TypeVar("T")
U = TypeVar("U")


class Asks(Protocol):
    """Gets the reply to a question."""

    async def ask(self, question: Question) -> Answered: ...


@dataclass(slots=True)
class Hearing:
    """The questions about one answer: who replied to them and what that cost."""

    asking: Asks
    answered: list[Answered] = field(default_factory=list[Answered])

    async def ask(self, questions: Iterable[Question]) -> tuple[Part, ...]:
        """The replies, in the order of the questions."""
        asked = [self._one(question) for question in questions]
        return tuple(await every(asked)) if asked else ()

    async def _one(self, question: Question) -> Part:
        answered = await self.asking.ask(question)
        self.answered.append(answered)
        return answered.reply

    @property
    def servers(self) -> frozenset[str]:
        """The fingerprints servers gave with their replies."""
        return frozenset(one.server_fingerprint for one in self.answered if one.server_fingerprint)

    def usage(self, more: Mapping[str, Any] | None = None) -> Usage | None:
        """What all replies cost when they were paid for, and `more`; None: there was no reply."""
        total: Usage | None = None
        for one in self.answered:
            total = add(total, one.usage)
        return total if more is None else add(total, Usage.model_validate(more))


async def every(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """All results in order. Where one fails the others still finish, so that what is paid for is kept."""
    first, *others = calls
    if not others:
        return [await first]
    results = await asyncio.gather(first, *others, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def both(first: Coroutine[Any, Any, T], second: Coroutine[Any, Any, U]) -> tuple[T, U]:
    """The results of two calls made at once; like `every`, for results of two kinds."""
    one, other = await asyncio.gather(first, second, return_exceptions=True)
    if isinstance(one, BaseException):
        raise one
    if isinstance(other, BaseException):
        raise other
    return one, other
