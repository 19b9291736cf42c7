"""The one place that decides whether and when a failed request is sent again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ragvet.judging.llm._limiter import Limiter
from ragvet.judging.llm._wire import Reply, WireError

_TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a request is worth waiting for. Waiting happens outside the concurrency slot."""

    attempts: int
    timeout: float
    deadline: float
    first_wait: float = 0.5

    async def get(self, send: Callable[[], Awaitable[Reply]], limiter: Limiter) -> Reply:
        """The reply, after as many attempts as allowed; the last `WireError` otherwise, saying how many there were."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.deadline
        for attempt in range(1, self.attempts + 1):
            try:
                async with limiter:
                    reply = await self._once(send, min(self.timeout, end - loop.time()))
                    limiter.succeeded()
                    return reply
            except WireError as error:
                if error.status == _TOO_MANY:
                    limiter.overloaded()
                wait = self._wait(attempt, error.retry_after)
                if not error.passing or attempt == self.attempts or loop.time() + wait >= end:
                    raise self._last(error, attempt, wait) from error
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, send: Callable[[], Awaitable[Reply]], seconds: float) -> Reply:
        try:
            async with asyncio.timeout(max(seconds, 0)):
                return await send()
        except TimeoutError as error:
            raise WireError(f"no complete reply within {seconds:.3g} s", passing=True) from error

    def _wait(self, attempt: int, retry_after: float | None) -> float:
        """Seconds until the next attempt: what the server asked for, else doubling, with jitter against herds."""
        jitter = random.uniform(0.5, 1.0)  # noqa: S311 - spreads load, guards nothing
        return max(self.first_wait * 2 ** (attempt - 1) * jitter, retry_after or 0.0)

    def _last(self, error: WireError, attempt: int, wait: float) -> WireError:
        message = str(error)
        if attempt > 1:
            message += f" (attempt {attempt} of {self.attempts})"
        elif error.passing and attempt < self.attempts:
            message += f" (waiting {wait:.3g} s more would pass the deadline of {self.deadline:g} s)"
        return WireError(
            message, raw=error.raw, status=error.status, passing=error.passing, retry_after=error.retry_after
        )
