"""The terms under which a rule decides at all, and the side an interval lies on."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ragvet.gate._decision import GateOutcome
from ragvet.gate._rule import Rule
from ragvet.numbers import above, below, share
from ragvet.records import Summary
from ragvet.text import plural

__all__ = ["broken_terms", "ends", "measured", "nothing_to_measure", "side", "why_undefined"]


def measured(summary: Summary) -> int:
    """The cases with a value, exact or as a range."""
    return summary.scored + summary.bounded


def nothing_to_measure(summary: Summary) -> int:
    """The cases that are undefined, for whatever reason."""
    return sum(summary.undefined.values())


def why_undefined(summary: Summary) -> str:
    """How many cases had nothing to measure for which reason: 18: the system refused."""
    return "; ".join(f"{count}: {reason}" for reason, count in summary.undefined.items())


def broken_terms(rule: Rule, summary: Summary) -> Iterator[str]:
    """Each term of the rule that the evidence does not meet, in words."""
    count = measured(summary)
    if count < rule.minimum_n:
        yield f"{plural(count, 'case')} with a value, {rule.minimum_n} needed"
    shares = (
        (
            nothing_to_measure(summary),
            rule.allowed_undefined_share,
            f"had nothing to measure ({why_undefined(summary)})",
        ),
        (summary.failed, rule.allowed_failed_share, "failed"),
    )
    for part, allowed, what in shares:
        if above(part / summary.eligible, allowed):
            yield f"{share(part, summary.eligible)} {what}, {100 * allowed:g} % allowed"


def ends(summary: Summary) -> tuple[float, float]:
    """The mean with unknowns and failed items at their worst and at their best; infinite where a range has no end."""
    low = -math.inf if summary.failed_low is None else summary.failed_low
    high = math.inf if summary.failed_high is None else summary.failed_high
    return low, high


def side(rule: Rule, low: float, high: float) -> GateOutcome:
    """The side of the rule's thresholds on which all of [low, high] lies."""
    if below(high, rule.min) or above(low, rule.max):
        return "fail"
    return "undecided" if below(low, rule.min) or above(high, rule.max) else "pass"
