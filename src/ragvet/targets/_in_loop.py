"""A target that is asked in an event loop other than the one that asks."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from ragvet.records import Answer, Case
from ragvet.targets._target import Target

__all__ = ["InLoop"]

T = TypeVar("T")


@dataclass(frozen=True)
class InLoop:
    """A target whose clients, pools and locks belong to a loop that is running in another thread.

    Attributes:
        target: what is asked.
        loop: where it is asked; a call that is cancelled here is cancelled there.
    """

    target: Target
    loop: asyncio.AbstractEventLoop

    @property
    def name(self) -> str:
        """That of the target."""
        return self.target.name

    @property
    def fingerprint(self) -> str:
        """That of the target."""
        return self.target.fingerprint

    async def answer(self, case: Case, k: int) -> Answer:
        """What the target answers in its own loop."""
        return await self._there(self.target.answer(case, k))

    async def close(self) -> None:
        """Closes it there."""
        await self._there(self.target.close())

    async def _there(self, call: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call, self.loop))
