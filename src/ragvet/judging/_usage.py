"""What several requests or several judges cost together."""

from __future__ import annotations

from collections.abc import Iterable

from ragvet.records import Usage


def total(usages: Iterable[Usage | None]) -> Usage | None:
    """The sum; None: nothing was paid for (rules and people cost nothing). What one of them does not know is unknown.

    >>> total([Usage(input_tokens=1, cost=0.5), None, Usage(input_tokens=2)])
    Usage(input_tokens=3, output_tokens=None, cost=None)
    """
    paid = [usage for usage in usages if usage is not None]
    if len(paid) < 2:  # noqa: PLR2004 - one alone is the sum
        return paid[0] if paid else None
    sums = {name: _known_sum(getattr(usage, name) for usage in paid) for name in Usage.model_fields}
    return Usage.model_validate(sums)


def _known_sum(amounts: Iterable[float | None]) -> float | None:
    known: list[float] = []
    for amount in amounts:
        if amount is None:
            return None
        known.append(amount)
    return sum(known)
