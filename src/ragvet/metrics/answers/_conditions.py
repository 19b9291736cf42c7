"""The declared conjunction behind *validated*, from its written form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, Self

from pydantic import Field, model_validator

from ragvet.errors import InputError, Problem
from ragvet.metrics.answers._metric import AnswerMetric, Condition
from ragvet.metrics.answers._registry import REGISTRY
from ragvet.records import Record
from ragvet.text import nearest

__all__ = ["ConditionDeclaration", "conditions"]


class ConditionDeclaration(Record):
    """One line of `validated` in the config: a metric and the range its value on a case must lie in."""

    metric: str
    min: float | None = None
    max: float | None = None
    where_undefined: Literal["undecided", "holds", "fails"] = Field(
        default="undecided",
        description="What counts where the metric does not apply or has nothing to measure. "
        "A check that did not run is no pass unless you say so.",
    )

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.min is None and self.max is None:
            raise ValueError("give min or max: without one the condition asks for nothing")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min ({self.min}) must not exceed max ({self.max})")
        return self


def conditions(
    declared: Iterable[ConditionDeclaration], *, source: str, registry: Mapping[str, AnswerMetric] = REGISTRY
) -> tuple[Condition, ...]:
    """The conditions with their metrics, or an `InputError` naming every unknown one.

    Args:
        declared: as written.
        source: where they are written, for the error.
        registry: the metrics to choose from.
    """
    found: list[Condition] = []
    problems: list[Problem] = []
    choices = [name for name, metric in registry.items() if not metric.of_validated]
    undefined = {"undecided": None, "holds": True, "fails": False}
    for number, line in enumerate(declared, start=1):
        if line.metric in choices:
            metric = registry[line.metric]
            found.append(Condition(metric, line.min, line.max, undefined[line.where_undefined]))
            continue
        meant = nearest(line.metric, choices)
        hint = f"Did you mean {meant!r}? " if meant else ""
        problems.append(
            Problem(
                source=source,
                record=f"condition {number}",
                field="metric",
                found=repr(line.metric),
                expected="the name of an answer metric that is not itself made of validated",
                action=f"{hint}`ragvet metrics` lists them.",
            )
        )
    if problems:
        raise InputError(problems)
    return tuple(found)
