from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

import numpy as np

from ragvet.errors import TargetError, TargetRefused, TargetReplyInvalid, TargetTimeout
from ragvet.records import Answer, Case, Trace, TraceError
from ragvet.runs._config import CallPolicy
from ragvet.targets import Target, read_answer

__all__ = ["Caller", "in_parallel"]

Item = TypeVar("Item")

_LONGEST_MESSAGE = 2000
"""Characters of an error that are kept."""
_LONGEST_WAIT = 120.0
"""Seconds: no retry waits longer, whatever the server asks for."""
_MOST_DOUBLINGS = 30
"""Of the wait between retries: the longest is reached long before."""


@dataclass(frozen=True)
class Caller:
    """Calls a target for one case and turns whatever happens into a trace: the one place that knows of retries.

    Attributes:
        target: the system under test.
        k: passages it is asked for.
        policy: deadline and retries.
        admit: raises a `TargetError` for an answer that cannot be right, e.g. with documents the corpus lacks.
        random: jitter of the waits between retries.
    """

    target: Target
    k: int
    policy: CallPolicy
    admit: Callable[[Answer], None]
    random: np.random.Generator

    async def trace(self, case: Case, repeat: int) -> Trace:
        """What the target did for one case; a failure is a trace with its cause."""
        started_at, attempts = datetime.now(UTC), 0
        while True:
            attempts += 1
            began = time.perf_counter()
            try:
                answer = await self._attempt(case)
                self.admit(answer)
            except TargetError as error:
                if attempts <= self.policy.retries and not isinstance(error, _FINAL):
                    await asyncio.sleep(self._wait(attempts, error))
                    continue
                answer, failure = None, TraceError(kind=type(error).__name__, message=_kept(str(error)))
            else:
                failure = None
            return Trace(
                case_id=case.id,
                repeat=repeat,
                question=case.question,
                identity=case.identity,
                answer=answer,
                error=failure,
                attempts=attempts,
                started_at=started_at,
                latency=time.perf_counter() - began,
            )

    async def _attempt(self, case: Case) -> Answer:
        """One call, waited for from outside: a target that ignores its cancellation cannot hold up the run."""
        began, deadline = time.perf_counter(), self.policy.deadline
        call = asyncio.ensure_future(self._answer(case))
        try:
            done, _ = await asyncio.wait({call}, timeout=deadline)
        except asyncio.CancelledError:
            call.cancel()
            raise
        if not done:
            call.cancel()
            raise TargetTimeout(f"did not answer within {deadline:g} s; the call was abandoned")
        if call.cancelled():
            raise TargetError("cancelled its own call")
        try:
            answer = read_answer(call.result())
        except TargetError:
            raise
        except Exception as error:
            raise TargetError(f"raised {type(error).__name__}: {error}") from error
        took = time.perf_counter() - began
        if took > deadline:  # nothing could end it: while the event loop stands still, so does its clock
            raise TargetTimeout(
                f"answered after {took:.3g} s, and {deadline:g} s are allowed. An async target must not block: "
                "await what waits, or make the function sync, so that it runs in a thread"
            )
        return answer

    async def _answer(self, case: Case) -> Answer:
        try:
            return await self.target.answer(case, self.k)
        except (Exception, asyncio.CancelledError, KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # SystemExit, a panic in Rust: it would end the event loop and the run
            raise TargetError(f"raised {type(error).__name__}: {error}") from error

    def _wait(self, attempts: int, error: TargetError) -> float:
        backoff = self.policy.backoff * 2.0 ** min(attempts - 1, _MOST_DOUBLINGS) * self.random.uniform(0.5, 1.5)
        return min(max(backoff, error.retry_after or 0.0), _LONGEST_WAIT)


def _kept(message: str) -> str:
    """The message as a trace keeps it: whole characters, and not all of a prompt that was too long for a model."""
    text = message.encode("utf-8", "backslashreplace").decode("utf-8")
    more = len(text) - _LONGEST_MESSAGE
    return text if more <= 0 else f"{text[:_LONGEST_MESSAGE]} … and {more:,} characters more"


_FINAL = (TargetTimeout, TargetReplyInvalid, TargetRefused)
"""Asking again would give the same, or hide that the system is too slow."""


async def in_parallel(items: Iterable[Item], work: Callable[[Item], Awaitable[None]], *, concurrency: int) -> None:
    """Does `work` for every item, at most `concurrency` at once, drawing items only as they are needed.

    An exception of `work` stops all of it and is raised as it is.
    """
    waiting: Iterator[Item] = iter(items)

    async def worker() -> None:
        for item in waiting:
            await work(item)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(worker())
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
