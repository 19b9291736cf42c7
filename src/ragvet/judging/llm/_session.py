"""The requests one call of a judge takes: which replies came, from which servers, and what they cost."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from ragvet.errors import JudgeError
from ragvet.judging._usage import total
from ragvet.judging.llm._cache import Completion
from ragvet.judging.llm._replies import Part
from ragvet.judging.llm._request import Request
from ragvet.records import Usage

T = TypeVar("T")
U = TypeVar("U")


class Completes(Protocol):
    """Gets the reply to a request."""

    async def get(self, request: Request) -> Completion: ...


@dataclass(slots=True)
class Session:
    """The requests of one call: who replied to them and what that cost."""

    completions: Completes
    received: list[Completion] = field(default_factory=list[Completion])

    async def get(self, requests: Iterable[Request]) -> tuple[Part, ...]:
        """The replies, in the order of the requests."""
        calls = [self._one(request) for request in requests]
        return tuple(await every(calls)) if calls else ()

    async def _one(self, request: Request) -> Part:
        completion = await self.completions.get(request)
        self.received.append(completion)
        return completion.reply

    @property
    def servers(self) -> frozenset[str]:
        """The fingerprints servers gave with their replies."""
        return frozenset(one.server_fingerprint for one in self.received if one.server_fingerprint)

    @property
    def usage(self) -> Usage | None:
        """What all replies cost when they were paid for; None: there was no reply."""
        return total(one.usage for one in self.received)

    @contextmanager
    def charged(self) -> Generator[None]:
        """A `JudgeError` from within also tells what the other replies cost."""
        try:
            yield
        except JudgeError as error:
            own = None if error.usage is None else Usage.model_validate(error.usage)
            spent = total((self.usage, own))
            error.usage = None if spent is None else spent.model_dump()
            raise


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
