"""Time and money."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ragvet.metrics.answers._batch import Batch
from ragvet.metrics.answers._metric import AnswerMetric, every_case
from ragvet.metrics.answers._outcomes import Outcomes, amounts
from ragvet.records import MetricDeclaration

__all__ = ["METRICS"]

_UNDEFINED_WHEN = "the target did not report it for every stage: unknown is not zero"


def _latency(batch: Batch) -> Outcomes:
    seconds = [one.trace.latency for one in batch.answers]
    return amounts(seconds, missing=["latency was not measured" if one is None else None for one in seconds])


def _spent(field: Literal["input_tokens", "output_tokens", "cost"]) -> Callable[[Batch], Outcomes]:
    """The sum of one kind of usage over all stages of serving."""

    def measure(batch: Batch) -> Outcomes:
        stages = [[getattr(usage, field) for usage in one.answer.usage.values()] for one in batch.answers]
        missing = [
            "the target reported no usage" if not spent
            else f"the target did not report {field} for every stage" if None in spent
            else None
            for spent in stages
        ]  # fmt: skip
        return amounts([None if None in spent else float(sum(spent)) for spent in stages], missing=missing)

    return measure


LATENCY = AnswerMetric(
    MetricDeclaration(
        name="latency",
        version=1,
        title="Seconds from the question to the whole answer.",
        family="Time and money",
        direction="lower",
        high=None,
        applies_to="every case",
        needs="the caller's clock",
        undefined_when="latency was not measured",
        does_not_catch="The wait for the first word; load: it is measured at the run's own concurrency.",
        formula="seconds, as measured by the caller",
        reference="ragvet",
    ),
    measure=_latency,
    applies=every_case,
    judged=False,
)


INPUT_TOKENS = AnswerMetric(
    MetricDeclaration(
        name="input_tokens",
        version=1,
        title="Tokens read by models, over all stages.",
        family="Time and money",
        direction="lower",
        high=None,
        applies_to="every case",
        needs="usage reported by the target",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Tokens of failed attempts the target did not report.",
        formula="Σ over stages; unknown for one stage is unknown for the sum",
        reference="ragvet",
    ),
    measure=_spent("input_tokens"),
    applies=every_case,
    judged=False,
)


OUTPUT_TOKENS = AnswerMetric(
    MetricDeclaration(
        name="output_tokens",
        version=1,
        title="Tokens written by models, over all stages.",
        family="Time and money",
        direction="lower",
        high=None,
        applies_to="every case",
        needs="usage reported by the target",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Tokens of failed attempts the target did not report.",
        formula="Σ over stages; unknown for one stage is unknown for the sum",
        reference="ragvet",
    ),
    measure=_spent("output_tokens"),
    applies=every_case,
    judged=False,
)


COST = AnswerMetric(
    MetricDeclaration(
        name="cost",
        version=1,
        title="US dollars spent on serving, over all stages.",
        family="Time and money",
        direction="lower",
        high=None,
        applies_to="every case",
        needs="usage reported by the target",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="What the judge costs; fixed costs of index and hosting.",
        formula="Σ over stages; unknown for one stage is unknown for the sum",
        reference="ragvet",
    ),
    measure=_spent("cost"),
    applies=every_case,
    judged=False,
)


METRICS = (
    LATENCY,
    INPUT_TOKENS,
    OUTPUT_TOKENS,
    COST,
)
