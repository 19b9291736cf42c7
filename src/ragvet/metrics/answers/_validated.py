"""Tested, produced, validated: whether there is an answer, and one that is all the project declared beforehand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragvet.metrics.answers._batch import Batch
from ragvet.metrics.answers._metric import AnswerMetric, Condition
from ragvet.metrics.answers._outcomes import Outcomes, either, flag
from ragvet.records import MetricDeclaration
from ragvet.records.facts import Facts

__all__ = ["METRICS"]

_UNDECLARED = "the config does not declare what validated means"
_UNKNOWN = "some parts of validated are undecided"


def _produced(batch: Batch) -> Facts:
    """Whether the system produced an answer; a blank answer is none."""
    return Facts.of(
        False if one.blank else None if seen is None else seen == "answered"
        for one, seen in zip(batch.answers, batch.observed, strict=True)
    )


def _validated(batch: Batch) -> Facts:
    """Whether every declared condition holds; one that fails settles it, one that is open leaves it open."""
    held = Facts.known(np.ones(len(batch), np.bool_))
    for condition in batch.validated:
        held &= _within(condition, batch)
    return held


def _within(condition: Condition, batch: Batch) -> Facts:
    """Whether the value lies in the range; where there is none, what was declared for that."""
    low = -np.inf if condition.low is None else condition.low
    high = np.inf if condition.high is None else condition.high
    found = condition.metric.measure(batch)
    measured = np.array([condition.metric.applies(one.case) for one in batch.answers], np.bool_) & ~np.isnan(found.low)
    inside = (low <= found.low) & (found.high <= high)
    touched = ~((found.high < low) | (found.low > high))
    otherwise = Facts.of([condition.undefined])
    return Facts(np.where(measured, inside, otherwise.sure), np.where(measured, inside | touched, otherwise.possible))


def _undeclared(batch: Batch) -> Sequence[str | None]:
    return [None if batch.validated else _UNDECLARED] * len(batch)


def _coverage(batch: Batch) -> Outcomes:
    return flag(_produced(batch), unknown="whether it answered is undecided")


def _quality(batch: Batch) -> Outcomes:
    produced = _produced(batch)
    none = [None if possible else "no answer was produced" for possible in produced.possible]
    found = flag(_validated(batch), missing=either(_undeclared(batch), none), unknown=_UNKNOWN)
    open_ = produced.possible & ~produced.sure & ~np.isnan(found.low)
    return found.that_may_drop(open_, "whether it answered is undecided")


def _success(batch: Batch) -> Outcomes:
    return flag(_produced(batch) & _validated(batch), missing=_undeclared(batch), unknown=_UNKNOWN)


ANSWER_COVERAGE = AnswerMetric(
    MetricDeclaration(
        name="answer_coverage",
        version=1,
        title="The share of tested cases for which an answer was produced.",
        family="Tested, produced, validated",
        production="produced",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="the observed behaviour",
        undefined_when="never: a blank answer is no answer",
        does_not_catch="Whether the answers are any good: a system that answers everything scores best.",
        formula="produced / tested: per case 1 if the system answered with text, else 0",
        reference="El-Yaniv & Wiener 2010, selective classification: coverage and risk",
    ),
    measure=_coverage,
    told=True,
)


ANSWER_QUALITY = AnswerMetric(
    MetricDeclaration(
        name="answer_quality",
        version=2,
        title="The share of produced answers that are validated.",
        family="Tested, produced, validated",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="the conjunction declared as validated in the config, before testing",
        undefined_when="no answer was produced; the config does not declare what validated means",
        does_not_catch="Cases the system avoids: refusing whatever is hard raises it. Read it beside answer_coverage.",
        formula="validated / produced: per produced answer 1 if every declared condition holds, else 0",
        reference="El-Yaniv & Wiener 2010, selective classification: coverage and risk",
    ),
    measure=_quality,
    told=True,
    of_validated=True,
)


ANSWER_SUCCESS = AnswerMetric(
    MetricDeclaration(
        name="answer_success",
        version=1,
        title="The share of tested cases that end in a validated answer.",
        family="Tested, produced, validated",
        production="validated",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="the conjunction declared as validated in the config, before testing",
        undefined_when="the config does not declare what validated means",
        does_not_catch="Whether the rest was refused or wrong: see answer_coverage and answer_quality.",
        formula="validated / tested: per case 1 if an answer was produced and every declared condition holds, else 0",
        reference="El-Yaniv & Wiener 2010, selective classification: coverage and risk",
    ),
    measure=_success,
    told=True,
    of_validated=True,
)


METRICS = (
    ANSWER_COVERAGE,
    ANSWER_QUALITY,
    ANSWER_SUCCESS,
)
