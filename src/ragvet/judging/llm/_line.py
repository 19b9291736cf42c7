from __future__ import annotations

import asyncio
from dataclasses import replace

from ragvet.judging.llm._limiter import Limiter
from ragvet.judging.llm._money import Budget, Pricing, add
from ragvet.judging.llm._patience import Patience
from ragvet.judging.llm._settings import ModelSettings
from ragvet.judging.llm._wire import ChatRequest, Reply, Wire
from ragvet.records import Usage


class Line:
    """The way to one model server: patient, no faster than it can bear, within the budget, every reply priced.

    Attributes:
        spent: what was paid for through this line so far, replies that could not be used included.
    """

    def __init__(self, settings: ModelSettings, wire: Wire) -> None:
        pricing = Pricing(settings)
        self._wire = wire
        self._patience = Patience(settings.attempts, settings.timeout, settings.deadline)
        self._concurrency = settings.concurrency
        self._pricing = pricing
        self._budget = Budget(settings, pricing)
        self._limiter: tuple[asyncio.AbstractEventLoop, Limiter] | None = None
        self.spent: Usage | None = None
        self.requests = 0

    async def get(self, request: ChatRequest) -> Reply:
        """The server's reply with its price; `WireError` or `BudgetReached` otherwise."""
        held = await self._budget.hold(request)
        try:
            reply = await self._patience.get(lambda: self._wire.send(request), self._limited())
        except BaseException:
            self._budget.settle(held, None)
            raise
        usage = self._pricing.priced(reply.usage)
        self._budget.settle(held, usage)
        self.spent = add(self.spent, usage)
        self.requests += 1
        return replace(reply, usage=usage)

    async def close(self) -> None:
        """Close the connections of the running event loop."""
        await self._wire.close()

    def _limited(self) -> Limiter:
        loop = asyncio.get_running_loop()
        if self._limiter is None or self._limiter[0] is not loop:
            self._limiter = loop, Limiter(self._concurrency)
        return self._limiter[1]
