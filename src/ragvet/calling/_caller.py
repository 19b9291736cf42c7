"""The one place that decides whether, when and how often a call is made again."""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from ragvet.calling._pace import Pace
from ragvet.calling._setback import CallEscaped, CallTimeout, Setback, raised

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Called", "Caller", "Patience"]

T = TypeVar("T")

_LEAST_JITTER, _MOST_JITTER = 0.5, 1.5
"""Times the wait of the backoff, so that calls that failed together do not come back together."""
_MOST_DOUBLINGS = 30
"""Of the wait between attempts: the longest is reached long before."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call is worth waiting for; all times are seconds.

    Attributes:
        attempts: how often it is made at most.
        timeout: one attempt may take.
        first_wait: before the second attempt; doubles each time.
        longest_wait: between two attempts, whatever the system asks for.
        deadline: for all attempts and the waits between them, from when the first one has its turn.
    """

    attempts: int
    timeout: float
    first_wait: float = 0.5
    longest_wait: float = math.inf
    deadline: float = math.inf

    def wait(self, attempt: int, retry_after: float | None, random: np.random.Generator) -> float:
        """Seconds between an attempt, counted from 1, and the next: what the system asked for, at least the backoff."""
        doubled = self.first_wait * 2.0 ** min(attempt - 1, _MOST_DOUBLINGS)
        return min(max(doubled * random.uniform(_LEAST_JITTER, _MOST_JITTER), retry_after or 0.0), self.longest_wait)


@dataclass(frozen=True, slots=True)
class Called(Generic[T]):
    """How a call ended.

    Attributes:
        outcome: what it gave, or why the last attempt failed.
        started_at: when the first attempt had its turn.
        attempts: how many there were.
        seconds: the last one took.
        remark: on a failure, what there is to say of its attempts; may be empty.
    """

    outcome: T | Setback
    started_at: datetime
    attempts: int
    seconds: float
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Caller:
    """Calls one system, as patiently as is worth it and no faster than it can bear.

    Attributes:
        patience: attempts, waits and deadlines.
        pace: how many calls may be under way; a call that waits for its next attempt is not.
        read: what an error means; also a `CallTimeout` and a `CallEscaped`. None: it is no failure of an attempt, and
            is raised.
        random: jitter of the waits.
    """

    patience: Patience
    pace: Pace
    read: Callable[[Exception], Setback | None]
    random: np.random.Generator

    async def call(self, attempt: Callable[[], Awaitable[T]]) -> Called[T]:
        """What the call gave after as many attempts as it took or was allowed."""
        patience, end = self.patience, math.inf
        called: Called[T] | None = None
        for number in itertools.count(1):
            async with self.pace:
                began, now = time.perf_counter(), datetime.now(UTC)
                if called is not None and began >= end:  # others had their turn first
                    return called
                started_at = now if called is None else called.started_at
                end = min(end, began + patience.deadline)
                outcome = await self._once(attempt, min(patience.timeout, end - began))
                seconds = time.perf_counter() - began
            if not isinstance(outcome, Setback):
                self.pace.succeeded()
                return Called(outcome, started_at, number, seconds)
            if outcome.overloaded:
                self.pace.overloaded()
            wait = patience.wait(number, outcome.retry_after, self.random)
            called = Called(outcome, started_at, number, seconds, self._remark(outcome, number, wait))
            if not outcome.passing or number >= patience.attempts or time.perf_counter() + wait >= end:
                return called
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns")

    async def _once(self, attempt: Callable[[], Awaitable[T]], seconds: float) -> T | Setback:
        """One attempt, waited for from outside: a call that ignores its cancellation holds nobody up."""
        task = asyncio.ensure_future(_contained(attempt))
        try:
            done, _ = await asyncio.wait({task}, timeout=seconds)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if not done:
            task.cancel()
            task.add_done_callback(_forget)
            return self._setback(CallTimeout(seconds))
        if task.cancelled():
            return self._setback(CallEscaped("cancelled its own call"))
        error = task.exception()
        if error is None:
            return task.result()
        if isinstance(error, Exception):
            return self._setback(error)
        raise error

    def _setback(self, error: Exception) -> Setback:
        setback = self.read(error)
        if setback is None:
            raise error
        return setback

    def _remark(self, setback: Setback, attempt: int, wait: float) -> str:
        patience = self.patience
        if attempt > 1:
            return f"attempt {attempt} of {patience.attempts}"
        if setback.passing and attempt < patience.attempts:
            return f"waiting {wait:.3g} s more would pass the deadline of {patience.deadline:g} s"
        return ""


async def _contained(attempt: Callable[[], Awaitable[T]]) -> T:
    """The attempt, but for what would end the event loop and everything in it."""
    try:
        return await attempt()
    except (Exception, asyncio.CancelledError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # SystemExit, a panic in Rust
        raise CallEscaped(raised(error)) from error


def _forget(task: asyncio.Future[T]) -> None:
    """Nobody waits for an abandoned call any more: how it ends is not told."""
    if not task.cancelled():
        task.exception()
