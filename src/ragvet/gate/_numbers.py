"""How the gate writes numbers beside a rule: never across its thresholds."""

from __future__ import annotations

from typing import Protocol

from ragvet import numbers

__all__ = ["Thresholds", "interval", "number"]


class Thresholds(Protocol):
    """What a number is held against: a rule, or the result of one."""

    @property
    def min(self) -> float | None: ...
    @property
    def max(self) -> float | None: ...


def number(value: float, rule: Thresholds) -> str:
    """The number as it stands in a sentence, on its side of the rule's thresholds."""
    return numbers.number(value, (rule.min, rule.max), padded=False)


def interval(low: float, high: float, rule: Thresholds) -> str:
    """Both ends, or the one number where they read the same."""
    return numbers.interval(low, high, (rule.min, rule.max), padded=False, joint=" to ")
