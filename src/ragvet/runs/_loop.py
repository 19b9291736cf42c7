from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any

__all__ = ["run_to_end"]


def run_to_end(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs `main` in an event loop of its own; where one is running already (a notebook), in a thread beside it.

    Ctrl-C cancels `main`, waits until it has tidied up, and is raised as `KeyboardInterrupt`.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(main())
        return
    _run_beside(main)


def _run_beside(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    task: Future[asyncio.Task[None]] = Future()
    ended: Future[None] = Future()

    async def supervised() -> None:
        current = asyncio.current_task()
        assert current is not None, "a coroutine runs in a task"  # noqa: S101 - impossible state
        task.set_result(current)
        await main()

    def work() -> None:
        try:
            asyncio.run(supervised())
        except BaseException as error:  # noqa: BLE001 - it is raised again where the caller waits
            ended.set_exception(error)
        else:
            ended.set_result(None)

    thread = threading.Thread(target=work, name="ragvet-run")
    thread.start()
    try:
        ended.result()
    except KeyboardInterrupt:
        running = task.result()
        running.get_loop().call_soon_threadsafe(running.cancel)
        thread.join()
        raise
