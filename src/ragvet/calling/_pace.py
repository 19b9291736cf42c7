"""How many calls may be under way at once."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType
from typing import Self

__all__ = ["Pace"]

_TAKEN_OFF = 0.75
_GIVEN_BACK = 0.25


class Pace:
    """A cap on calls under way that gives way when a system is asked too much, and recovers.

    Each overload takes a quarter off the cap, at most once for the calls that were under way together; each success
    adds a quarter of a call back. It belongs to one event loop.
    """

    def __init__(self, most: int) -> None:
        self._most = float(most)
        self._cap = float(most)
        self._busy = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._forgiven = 0

    @property
    def cap(self) -> int:
        """How many calls may be under way now."""
        return max(1, int(self._cap))

    async def __aenter__(self) -> Self:
        if self._busy < self.cap and not self._waiting:
            self._busy += 1
            return self
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def succeeded(self) -> None:
        """A call succeeded: a little more may be under way."""
        self._cap = min(self._most, self._cap + _GIVEN_BACK)
        self._forgiven = max(0, self._forgiven - 1)

    def overloaded(self) -> None:
        """The system is asked too much: less may be under way."""
        if self._forgiven:
            self._forgiven -= 1
            return
        self._cap = max(1.0, self._cap * _TAKEN_OFF)
        self._forgiven = self._busy

    def _leave(self) -> None:
        self._busy -= 1
        while self._waiting and self._busy < self.cap:
            turn = self._waiting.popleft()
            if not turn.done():
                self._busy += 1
                turn.set_result(None)
