"""The worker pool: many items, a few at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["in_parallel"]

Item = TypeVar("Item")


async def in_parallel(items: Iterable[Item], work: Callable[[Item], Awaitable[None]], *, concurrency: int) -> None:
    """Does `work` for every item, at most `concurrency` at once, drawing items only as they are needed.

    An exception of `work` stops all of it and is raised as it is.
    """
    left: Iterator[Item] = iter(items)

    async def worker() -> None:
        for item in left:
            await work(item)
            await asyncio.sleep(0)  # work that never waits must not keep others from their turn

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(worker())
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
