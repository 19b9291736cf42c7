"""What a policy may ask of a metric: that it exists, under that name, and that a value can reach the threshold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from ragvet.errors import InputError, Problem
from ragvet.metrics import answers, counterpart
from ragvet.metrics.rankings import REGISTRY, parse, resembling
from ragvet.records import MetricDeclaration
from ragvet.text import nearest

__all__ = ["declared", "impossible", "resembled"]

_LAST_CALL = "[last]"
"""What runs add to the name of a metric that looks at the last retrieval call alone."""


def declared(metric: str) -> MetricDeclaration:
    """What the metric is that a run would print under this name.

    Raises:
        InputError: there is none; without a place, which only the caller knows.
    """
    if metric in answers.REGISTRY:
        return answers.REGISTRY[metric].declaration
    name = metric.removesuffix(_LAST_CALL)
    try:
        known = parse(name)
    except InputError as error:
        meant = resembled(metric)
        if meant is None or meant == metric:
            (fault,) = error.problems
            action = fault.action if meant else "`ragvet metrics` lists them all."
            raise InputError(Problem("", fault.found, fault.expected, action, field="metric")) from None
        raise InputError(_misspelt(metric, meant)) from None
    if known.name != name:
        raise InputError(_misspelt(metric, known.name + metric[len(name) :]))
    return known.declaration


def resembled(metric: str) -> str | None:
    """The metric, as a run prints it, that was likely meant; the written one itself where only its cutoff is wrong."""
    base = metric.partition("@")[0].partition("(")[0].casefold()
    if base in {name.casefold() for name in REGISTRY}:
        return metric
    other = counterpart(base)
    if other is not None:
        return other if other in answers.REGISTRY else resembling(other + metric[len(base) :])
    meant = nearest(base, [*answers.REGISTRY, *REGISTRY])
    return meant if meant in answers.REGISTRY else resembling(metric)


def impossible(bounds: Mapping[str, object], metric: str, declaration: MetricDeclaration) -> Iterator[Problem]:
    """Each threshold (`min`, `max`) that no value of the metric can miss or reach."""
    least = -math.inf if declaration.low is None else declaration.low
    most = math.inf if declaration.high is None else declaration.high
    for field, bound in bounds.items():
        if not isinstance(bound, int | float) or isinstance(bound, bool) or not math.isfinite(bound):
            continue  # no number at all, which is said elsewhere
        if least <= bound <= most:
            continue
        percent = most == 1 < bound <= 100  # noqa: PLR2004 - what people call a percentage
        yield Problem(
            "",
            found=f"{bound:g}",
            expected=f"a number from {least:g} to {most:g}, the range of {metric}",
            action=f"Write {bound / 100:g} for {bound:g} %." if percent else "Correct it.",
            field=field,
        )


def _misspelt(metric: str, meant: str) -> Problem:
    return Problem("", repr(metric), "a metric as the run prints it", f"Did you mean {meant!r}?", field="metric")
