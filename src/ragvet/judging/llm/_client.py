"""The one way to a model server: paced, within the budget, every reply priced."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from ragvet.calling import Caller, Pace, Patience
from ragvet.errors import InputError, Problem
from ragvet.judging._model_settings import ModelSettings
from ragvet.judging.llm._money import Budget, Pricing, add
from ragvet.judging.llm._transport import ChatRequest, Reply, Transport, read_failure, reply_of
from ragvet.records import Usage

_FEWEST_CHARACTERS_PER_TOKEN = 2.0


class Client:
    """The way to one model server: patient, no faster than it can bear, within the budget, every reply priced.

    Attributes:
        spent: what was paid for through this line so far, replies that could not be used included.
        requests: replies paid for so far.

    Raises:
        InputError: there is a budget, and the price of the model is not known.
    """

    def __init__(self, settings: ModelSettings, transport: Transport, budget: Budget) -> None:
        self._transport = transport
        self._patience = Patience(settings.attempts, settings.timeout, deadline=settings.deadline)
        self._concurrency = settings.concurrency
        self._most_output = settings.max_output_tokens
        self._pricing = Pricing(settings)
        self._budget = budget
        self._caller: tuple[asyncio.AbstractEventLoop, Caller] | None = None
        self.spent: Usage | None = None
        self.requests = 0
        if budget.limit is not None and self._pricing.cost(1, 1) is None:
            found = f"a budget, and no known price for {settings.model}"
            action = "Set price = {input = …, output = …} in dollars per million tokens."
            raise InputError(Problem("[judge]", found, "the price of the model", action, field="price"))

    async def get(self, request: ChatRequest) -> Reply:
        """The server's reply with its price; `TransportError` or `BudgetReached` otherwise."""
        most = self._most(request)
        await self._budget.hold(most)
        try:
            reply = reply_of(await self._paced().call(lambda: self._transport.send(request)))
        except BaseException:
            self._budget.settle(most, 0.0)
            raise
        usage = self._pricing.priced(reply.usage)
        self._budget.settle(most, most if usage.cost is None else usage.cost)  # unknown counts in full
        self.spent = add(self.spent, usage)
        self.requests += 1
        return replace(reply, usage=usage)

    def _most(self, request: ChatRequest) -> float:
        """The most a request can cost, in dollars; 0 where there is no budget, and so nothing to set aside."""
        if self._budget.limit is None:
            return 0.0
        characters = sum(len(message.content) for message in request.messages)
        return self._pricing.cost(round(characters / _FEWEST_CHARACTERS_PER_TOKEN), self._most_output) or 0.0

    async def close(self) -> None:
        """Close the connections of the running event loop."""
        await self._transport.close()

    def _paced(self) -> Caller:
        """The caller of the running event loop: its turns cannot be waited for in another."""
        import numpy as np  # noqa: PLC0415 - heavy, and needed only where a server is called

        loop = asyncio.get_running_loop()
        if self._caller is None or self._caller[0] is not loop:
            pace = Pace(self._concurrency)
            self._caller = loop, Caller(self._patience, pace, read_failure, np.random.default_rng())
        return self._caller[1]
