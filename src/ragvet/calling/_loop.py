"""An event loop for callers that have none, or are inside one that they must not wait in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any, TypeVar

__all__ = ["in_thread", "run_to_end"]

T = TypeVar("T")

_LISTENING = 0.1
"""Seconds between two looks for a Ctrl-C that somebody else has heard."""
_GRACE = 1.0
"""Seconds an abandoned call has to end once the run is over."""

_kept: list[asyncio.Runner] = []
"""Loops with calls that would not be cancelled: to close one would wait for them without end."""


class _Stop:
    """How another thread ends what a thread runs to its end, as Ctrl-C would."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._task: asyncio.Task[Any] | None = None
        self.called = False

    def call(self) -> None:
        """Ends what runs now, and whatever would be run next."""
        with self._lock:
            self.called = True
            if self._task is not None:
                self._task.get_loop().call_soon_threadsafe(self._task.cancel)

    def watch(self, task: asyncio.Task[Any] | None) -> None:
        """What there is to end from now on; None: nothing."""
        with self._lock:
            self._task = task
            if self.called and task is not None:
                task.cancel()


class _Local(threading.local):
    stop: _Stop | None = None


_here = _Local()


async def in_thread(work: Callable[[], T]) -> T:
    """What `work` gives, done in a thread while the loop of the caller goes on.

    Cancelling it ends what the thread runs to its end, and waits until that has tidied up.
    """
    stop = _Stop()

    def held() -> T:
        _here.stop = stop
        return work()

    with ThreadPoolExecutor(1, thread_name_prefix="ragvet-run") as executor:
        done = asyncio.get_running_loop().run_in_executor(executor, held)
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            stop.call()
            with suppress(KeyboardInterrupt, asyncio.CancelledError):
                await done
            raise


def run_to_end(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What `main` gives, run in an event loop of its own; where one is running (a notebook), in a thread beside it.

    Ctrl-C cancels `main`, waits until it has tidied up, and is raised as `KeyboardInterrupt`.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(main())
    return _run_beside(main)


def _run(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run`, but for a call that ignores its cancellation: it is left behind."""
    runner = asyncio.Runner()
    try:
        return runner.run(main if _here.stop is None else _stoppable(main, _here.stop))
    finally:
        if runner.run(_all_ended()):
            runner.close()
        else:
            _kept.append(runner)


async def _stoppable(main: Coroutine[Any, Any, T], stop: _Stop) -> T:
    stop.watch(asyncio.current_task())
    try:
        return await main
    except asyncio.CancelledError:
        if stop.called:
            raise KeyboardInterrupt from None
        raise
    finally:
        stop.watch(None)


async def _all_ended() -> bool:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    return not left or not (await asyncio.wait(left, timeout=_GRACE))[1]


def _run_beside(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    task: Future[asyncio.Task[Any]] = Future()
    ended: Future[T] = Future()

    async def supervised() -> T:
        current = asyncio.current_task()
        assert current is not None, "a coroutine runs in a task"  # noqa: S101 - impossible state
        task.set_result(current)
        return await main()

    def work() -> None:
        try:
            result = _run(supervised())
        except BaseException as error:  # noqa: BLE001 - it is raised again where the caller waits
            ended.set_exception(error)
        else:
            ended.set_result(result)

    thread = threading.Thread(target=work, name="ragvet-run")
    thread.start()
    try:
        _listen(ended, asyncio.current_task())
        return ended.result()
    except KeyboardInterrupt:
        running = task.result()
        running.get_loop().call_soon_threadsafe(running.cancel)
        thread.join()
        raise


def _listen(ended: Future[T], waiting: asyncio.Task[Any] | None) -> None:
    """Returns when it is over; `asyncio.run` takes the first Ctrl-C for itself and only cancels the task that waits."""
    cancelled = waiting.cancelling() if waiting else 0
    while not wait((ended,), timeout=_LISTENING).done:
        if waiting and waiting.cancelling() > cancelled:
            raise KeyboardInterrupt
