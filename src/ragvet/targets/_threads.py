"""Threads for blocking calls, which can be given up."""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ragvet.calling import CallEscaped, raised
from ragvet.errors import TargetTimeout

__all__ = ["AbandoningThreads"]

_MOST_ABANDONED = 256
"""Calls that may hang at once before further ones are refused: each holds a thread and what it has open."""


@dataclass(slots=True)
class _Job:
    function: Callable[[], Any]
    outcome: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    ended: bool = False
    abandoned: bool = False


class AbandoningThreads:
    """Runs blocking calls in threads that can be given up: a call that hangs holds up neither the run nor its end.

    The standard executors join their threads at exit, so one hanging call would keep the process alive.
    """

    def __init__(self) -> None:
        self._idle: deque[queue.SimpleQueue[_Job | None]] = deque()
        self._lock = threading.Lock()
        self._abandoned = 0

    @property
    def abandoned(self) -> int:
        """Calls that were given up and still run."""
        return self._abandoned

    async def call(self, function: Callable[[], Any]) -> Any:
        """What `function` returns. Cancelled, the wait ends at once and the thread is left to itself.

        Raises:
            TargetTimeout: too many earlier calls still hang.
        """
        if self._abandoned >= _MOST_ABANDONED:
            raise TargetTimeout(f"was not called: {self._abandoned} earlier calls still hang in their threads")
        loop = asyncio.get_running_loop()
        run_in_context = contextvars.copy_context().run
        job = _Job(lambda: run_in_context(function), loop.create_future(), loop)
        self._waiting_thread().put(job)
        try:
            return await job.outcome
        except asyncio.CancelledError:
            with self._lock:
                job.abandoned = not job.ended
                self._abandoned += job.abandoned
            raise

    def close(self) -> None:
        """Lets the idle threads end."""
        while self._idle:
            self._idle.pop().put(None)

    def _waiting_thread(self) -> queue.SimpleQueue[_Job | None]:
        try:
            return self._idle.pop()
        except IndexError:
            jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
            threading.Thread(target=self._work, args=(jobs,), name="ragvet-target", daemon=True).start()
            return jobs

    def _work(self, jobs: queue.SimpleQueue[_Job | None]) -> None:
        while (job := jobs.get()) is not None:
            value, error = None, None
            try:
                value = job.function()
            except BaseException as raised:  # noqa: BLE001 - one item's failure; it is raised again where it is awaited
                error = raised
            with self._lock:
                job.ended = True
                self._abandoned -= job.abandoned
            self._idle.append(jobs)
            try:
                job.loop.call_soon_threadsafe(_settle, job.outcome, value, error)
            except RuntimeError:  # the loop is closed: nobody waits any more
                return


def _settle(outcome: asyncio.Future[Any], value: Any, error: BaseException | None) -> None:
    if outcome.done():
        return
    if error is None:
        outcome.set_result(value)
    elif isinstance(error, Exception) and not isinstance(error, StopIteration):
        outcome.set_exception(error)
    else:  # SystemExit, KeyboardInterrupt and StopIteration would end the loop or are refused by it
        outcome.set_exception(CallEscaped(raised(error)))
