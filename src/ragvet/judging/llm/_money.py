"""What requests cost, and not spending more than was allowed. An unknown price is unknown, never 0."""

from __future__ import annotations

import asyncio
from collections import deque

from ragvet.errors import BudgetReached
from ragvet.judging._model_settings import ModelSettings
from ragvet.judging._usage import total
from ragvet.numbers import money
from ragvet.records import Usage

_CHARACTERS_PER_TOKEN = 4.0
_PER_MILLION = 1e-6


class Pricing:
    """What tokens cost at the configured server: the price in the settings, else the public price list's."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._listed = True
        self.cost(1, 1)  # loads the price list now: later, requests under way would wait for it

    def cost(self, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """US dollars, or None where tokens or price are not known."""
        if input_tokens is None or output_tokens is None:
            return None
        settings = self._settings
        if settings.price is not None:
            return (input_tokens * settings.price.input + output_tokens * settings.price.output) * _PER_MILLION
        if not self._listed:
            return None
        import genai_prices  # noqa: PLC0415 - a large price list

        tokens = genai_prices.Usage(input_tokens=input_tokens, output_tokens=output_tokens)
        try:
            if settings.base_url is not None:
                price = genai_prices.calc_price(tokens, settings.model, provider_api_url=settings.base_url)
            else:
                vendor = "aws" if settings.provider == "bedrock" else settings.provider
                price = genai_prices.calc_price(tokens, settings.model, provider_id=vendor)
        except LookupError:
            self._listed = False
            return None
        return float(price.total_price)

    def priced(self, usage: Usage) -> Usage:
        """`usage` with its cost."""
        cost = self.cost(usage.input_tokens, usage.output_tokens)
        return usage if cost is None else usage.model_copy(update={"cost": cost})


def add(left: Usage | None, right: Usage) -> Usage:
    """Both together; what one of them does not know is unknown of the sum."""
    return total((left, right)) or right


def tokens_of(text: str) -> int:
    """About how many tokens `text` is: four characters of ASCII each, one each of other scripts."""
    other = 0 if text.isascii() else sum(character > "\u024f" for character in text)
    return round((len(text) - other) / _CHARACTERS_PER_TOKEN) + other


class Budget:
    """Keeps what one model, or the models of a panel together, spend within a limit.

    Requests under way count at the most they can cost.
    """

    def __init__(self, limit: float | None) -> None:
        self.limit = limit
        self.spent = 0.0
        self._held = 0.0
        self._holders = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def hold(self, most: float) -> None:
        """Set aside the most a request can cost, waiting for others to finish where that may make room.

        Raises:
            BudgetReached: even with nothing else under way it might pass the limit.
        """
        if self.limit is None:
            return
        while self.spent + self._held + most > self.limit:
            if not self._holders:
                raise BudgetReached(
                    f"the budget of {money(self.limit)} is reached: {money(self.spent)} spent, and the next "
                    f"request may cost up to {money(most)}. Run again with a larger budget to go on from here."
                )
            freed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed
        self._held += most
        self._holders += 1

    def settle(self, held: float, cost: float) -> None:
        """Give back what was set aside and count what it really cost."""
        if self.limit is None:
            return
        self._held -= held
        self._holders -= 1
        self.spent += cost
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
