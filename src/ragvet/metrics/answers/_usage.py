"""Tokens and money over all stages of serving."""

from __future__ import annotations

from functools import partial
from typing import Literal

from ragvet.metrics.answers._metric import JudgedAnswer
from ragvet.records import Outcome, Scored, Undefined

__all__ = ["USAGE_UNDEFINED_WHEN", "usage_total"]

USAGE_UNDEFINED_WHEN = "the target did not report it for every stage: unknown is not zero"

UsageField = Literal["input_tokens", "output_tokens", "cost"]


def _usage_total(field: UsageField, answer: JudgedAnswer) -> Outcome:
    stages = answer.answer.usage
    if not stages:
        return Undefined(reason="the target reported no usage")
    amounts = [getattr(usage, field) for usage in stages.values()]
    if None in amounts:
        return Undefined(reason=f"the target did not report {field} for every stage")
    return Scored(value=float(sum(amounts)))


def usage_total(field: UsageField) -> partial[Outcome]:
    """The sum of one kind of usage over all stages."""
    return partial(_usage_total, field)
