"""How the gate writes numbers and holds them against thresholds."""

from __future__ import annotations

import math
from typing import Protocol

__all__ = ["ROUNDING", "Thresholds", "above", "below", "interval", "number", "percent"]

ROUNDING = 1e-12
"""A mean of thirds that should be 0.9 may come out a few units in the last place beside it."""


class Thresholds(Protocol):
    """What a number is held against: a rule, or the result of one."""

    @property
    def min(self) -> float | None: ...
    @property
    def max(self) -> float | None: ...


def below(value: float, bound: float | None) -> bool:
    """Whether the value misses a lower bound; without one, never."""
    return bound is not None and bound - value > ROUNDING * max(1.0, abs(bound))


def above(value: float, bound: float | None) -> bool:
    """Whether the value misses an upper bound; without one, never."""
    return bound is not None and value - bound > ROUNDING * max(1.0, abs(bound))


def number(value: float, rule: Thresholds) -> str:
    """Three decimals, or as many as keep the number on its side of the rule's thresholds."""
    if math.isinf(value):
        return "no upper end" if value > 0 else "no lower end"
    text = f"{value:g}"
    for digits in range(3, 13):
        text = f"{value:.{digits}f}"
        if all(_same_side(value, float(text), bound) for bound in (rule.min, rule.max) if bound is not None):
            break
    return text.rstrip("0").rstrip(".") if "." in text else text


def _same_side(value: float, shown: float, bound: float) -> bool:
    return (below(value, bound), above(value, bound)) == (below(shown, bound), above(shown, bound))


def interval(low: float, high: float, rule: Thresholds) -> str:
    """Both ends, or the one number where they coincide."""
    first, last = number(low, rule), number(high, rule)
    return first if low == high else f"{first} to {last}"


def percent(part: int, whole: int) -> str:
    """3 of 28 (10.7 %)."""
    return f"{part} of {whole} ({100 * part / whole:.1f} %)"
