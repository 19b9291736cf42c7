"""What requests cost, and not spending more than was allowed. An unknown price is unknown, never 0."""

from __future__ import annotations

import asyncio
from collections import deque

from ragvet.errors import BudgetReached, InputError, Problem
from ragvet.judging.llm._settings import ModelSettings
from ragvet.judging.llm._wire import ChatRequest
from ragvet.records import Usage

_CHARACTERS_PER_TOKEN = 4.0
_FEWEST_CHARACTERS_PER_TOKEN = 2.0
_PER_MILLION = 1e-6


class Pricing:
    """What tokens cost at the configured server: the price in the settings, else the public price list's."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._listed = True

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
    if left is None:
        return right

    def both(one: float | None, other: float | None) -> float | None:
        return None if one is None or other is None else one + other

    return Usage.model_validate(
        {name: both(getattr(left, name), getattr(right, name)) for name in ("input_tokens", "output_tokens", "cost")}
    )


def tokens_of(text: str) -> int:
    """About how many tokens `text` is: four characters of ASCII each, one each of other scripts."""
    other = 0 if text.isascii() else sum(character > "\u024f" for character in text)
    return round((len(text) - other) / _CHARACTERS_PER_TOKEN) + other


class Budget:
    """Keeps what is spent within a limit, requests under way included at the most they can cost.

    Raises:
        InputError: a limit was set and the price of the model is not known.
    """

    def __init__(self, settings: ModelSettings, pricing: Pricing) -> None:
        self.limit = settings.budget
        self.spent = 0.0
        self._output = settings.max_output_tokens
        self._pricing = pricing
        self._held = 0.0
        self._holders = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        if self.limit is not None and pricing.cost(1, 1) is None:
            found = f"a budget, and no known price for {settings.model}"
            action = "Set price = {input = …, output = …} in dollars per million tokens."
            raise InputError(Problem("[judge]", found, "the price of the model", action, field="price"))

    async def hold(self, request: ChatRequest) -> float:
        """Set aside the most this request can cost, waiting for others to finish where that may make room.

        Raises:
            BudgetReached: even with nothing else under way it might pass the limit.
        """
        if self.limit is None:
            return 0.0
        characters = sum(len(message.content) for message in request.messages)
        most = self._pricing.cost(round(characters / _FEWEST_CHARACTERS_PER_TOKEN), self._output) or 0.0
        while self.spent + self._held + most > self.limit:
            if not self._holders:
                raise BudgetReached(
                    f"the budget of ${self.limit:g} is reached: ${self.spent:.4g} spent, and the next request may cost "
                    f"up to ${most:.2g}. Run again with a larger budget to go on from here."
                )
            freed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed
        self._held += most
        self._holders += 1
        return most

    def settle(self, held: float, usage: Usage | None) -> None:
        """Give back what was set aside and count what it really cost; a reply without usage counts in full."""
        if self.limit is None:
            return
        self._held -= held
        self._holders -= 1
        if usage is not None:
            self.spent += held if usage.cost is None else usage.cost
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
