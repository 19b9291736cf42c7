from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType
from typing import Self


class Limiter:
    """A cap on requests under way that gives way when the server says it is too much, and recovers.

    Each 429 takes a quarter off the cap, at most once for the requests that were under way together; each success
    adds a little back. Whoever must wait waits outside its slot.
    """

    def __init__(self, most: int) -> None:
        self._most = float(most)
        self._cap = float(most)
        self._busy = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._forgiven = 0

    @property
    def cap(self) -> int:
        """How many requests may be under way now."""
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
        """A request got its reply: a little more may be under way."""
        self._cap = min(self._most, self._cap + 0.25)
        self._forgiven = max(0, self._forgiven - 1)

    def overloaded(self) -> None:
        """The server answered that it is asked too much: less may be under way."""
        if self._forgiven:
            self._forgiven -= 1
            return
        self._cap = max(1.0, self._cap * 0.75)
        self._forgiven = self._busy

    def _leave(self) -> None:
        self._busy -= 1
        while self._waiting and self._busy < self.cap:
            turn = self._waiting.popleft()
            if not turn.done():
                self._busy += 1
                turn.set_result(None)
