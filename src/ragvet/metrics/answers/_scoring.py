"""Every metric that applies, on many answers at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ragvet.metrics.answers._batch import AnsweredCase, Batch, Judged
from ragvet.metrics.answers._chunk_grades import ChunkGrades
from ragvet.metrics.answers._metric import AnswerMetric, Condition
from ragvet.metrics.answers._outcomes import Outcomes
from ragvet.metrics.answers._registry import REGISTRY
from ragvet.records import Case, JudgeFailure, Score, Trace, Verdicts
from ragvet.records.outcomes import SCORES

__all__ = ["score_batch", "score_case"]

Items = Sequence[tuple[Case, Trace]]
_NO_EVIDENCE = ChunkGrades()


def score_batch(  # noqa: PLR0913 - what a run declares, by name only
    items: Items,
    tables: Mapping[str, pl.DataFrame],
    *,
    evidence: Mapping[tuple[str, int], ChunkGrades],
    validated: tuple[Condition, ...] = (),
    cites: bool | None = None,
    judge: bool = True,
    metrics: Iterable[AnswerMetric] | None = None,
) -> pl.DataFrame:
    """The scores of many answers: one row for each answer and metric its case is eligible for.

    Args:
        items: what was asked and expected, and what the target did. Where that failed, every metric is failed.
        tables: the verdict tables, with at least the rows about these items. Where the judge failed, or none was
            heard, the metrics that need one are failed.
        evidence: case id and repeat → which of the chunks carry annotated passages; without it what hangs on that
            stays open.
        validated: the declared conjunction behind `answer_quality` and `answer_success`.
        cites: whether the system cites what it says, as declared or as the whole run shows; None: unknown.
        judge: whether there was one; without it a metric that needs no more than the target's own word is open where
            that is missing, and not failed.
        metrics: the metrics to compute; by default all.

    Returns:
        a frame of `SCORES`, metric by metric in the order of the registry.
    """
    answered = _answered(items, evidence)
    keys = [one.trace.key for one in answered]
    own = tables["judged"].filter(pl.col("member").is_null()).select("case_id", "repeat", "failure")
    failures = {(case_id, repeat): failure for case_id, repeat, failure in own.iter_rows()}
    heard: dict[tuple[str, int], str | None] = {
        key: None if failure is None else _of_judge(failure) for key, failure in failures.items()
    }
    if not judge:
        heard = dict.fromkeys(keys)
    batch = Batch(answered, Judged.of_tables(tables, keys), validated, cites=cites)
    return _frame(list(_scored(items, batch, heard, metrics)))


def score_case(  # noqa: PLR0913 - what a run declares, by name only
    case: Case,
    trace: Trace,
    verdicts: Verdicts | JudgeFailure | None,
    *,
    evidence: ChunkGrades = _NO_EVIDENCE,
    validated: tuple[Condition, ...] = (),
    cites: bool | None = None,
    metrics: Iterable[AnswerMetric] | None = None,
) -> list[Score]:
    """One score per metric the case is eligible for, in the order of the registry: `score_batch` of one answer.

    Args:
        case: what was asked and expected.
        trace: what the target did.
        verdicts: what was judged about it.
        evidence: which of the trace's chunks carry annotated passages.
        validated: the declared conjunction behind `answer_quality` and `answer_success`.
        cites: whether the system cites what it says; None: unknown.
        metrics: the metrics to compute; by default all.
    """
    items = [(case, trace)]
    answered = _answered(items, {trace.key: evidence})
    said = verdicts if isinstance(verdicts, Verdicts) else None
    failure = _of_judge(verdicts.error) if isinstance(verdicts, JudgeFailure) else None
    heard = {} if verdicts is None else {trace.key: failure}
    batch = Batch(answered, Judged.of_verdicts([said] if answered else []), validated, cites=cites)
    return [
        Score(
            metric=part.metric.name,
            version=part.metric.declaration.version,
            case_id=case.id,
            repeat=trace.repeat,
            outcome=part.outcomes[0],
        )
        for part in _scored(items, batch, heard, metrics)
    ]


def _answered(items: Items, evidence: Mapping[tuple[str, int], ChunkGrades]) -> list[AnsweredCase]:
    return [
        AnsweredCase(case, trace, trace.answer, evidence.get(trace.key, _NO_EVIDENCE))
        for case, trace in items
        if trace.answer is not None
    ]


def _of_judge(error: str) -> str:
    return f"judge: {error}"


def _of_target(trace: Trace) -> str | None:
    """Why there is no answer, or None."""
    if trace.answer is not None:
        return None
    return f"{trace.error.kind}: {trace.error.message}" if trace.error else "the trace holds no answer"


@dataclass(frozen=True, slots=True)
class _Part:
    """What one metric found: an outcome for each item whose case it applies to."""

    metric: AnswerMetric
    items: Items
    outcomes: Outcomes


def _scored(
    items: Items,
    batch: Batch,
    heard: Mapping[tuple[str, int], str | None],
    metrics: Iterable[AnswerMetric] | None,
) -> Iterator[_Part]:
    """Every metric that applies to an item.

    Args:
        items: with an answer, in the order of the batch, and without.
        batch: the answers of the items.
        heard: the items a judge was heard on, and how it failed, if it did.
        metrics: those wanted; None: all.
    """
    unanswered = [_of_target(trace) for _, trace in items]
    unheard = [heard.get(trace.key, _of_judge("the answer was not judged")) for _, trace in items]
    unjudged = [target or judge for target, judge in zip(unanswered, unheard, strict=True)]
    untold = [
        target if trace.answer and trace.answer.behaviour else other
        for (_, trace), target, other in zip(items, unanswered, unjudged, strict=True)
    ]
    place = np.cumsum([reason is None for reason in unanswered]) - 1
    eligible: dict[Callable[[Case], bool], list[int]] = {}
    for metric in REGISTRY.values() if metrics is None else metrics:
        rows = eligible.get(metric.applies)
        if rows is None:
            rows = eligible[metric.applies] = [row for row, (case, _) in enumerate(items) if metric.applies(case)]
        if rows:
            told = metric.told and (not metric.of_validated or _needs_no_judge(batch.validated))
            errors = unanswered if not metric.judged else untold if told else unjudged
            found = metric.measure(batch).at(place[rows], [errors[row] for row in rows])
            yield _Part(metric, [items[row] for row in rows], found)


def _needs_no_judge(validated: Iterable[Condition]) -> bool:
    return all(condition.metric.told or not condition.metric.judged for condition in validated)


def _frame(parts: Sequence[_Part]) -> pl.DataFrame:
    """The outcomes as rows, one part below the other."""
    traces = [trace for part in parts for _, trace in part.items]
    counts = [len(part.items) for part in parts]
    found = Outcomes.joined([part.outcomes for part in parts])
    low, high = (pl.Series(values=end, nan_to_null=True) for end in (found.low, found.high))
    kinds = [error.partition(":")[0] if failed else error
             for error, failed in zip(found.reason, found.status == "failed", strict=True)]  # fmt: skip
    return pl.DataFrame(
        {
            "case_id": [trace.case_id for trace in traces],
            "repeat": [trace.repeat for trace in traces],
            "metric": np.repeat(np.array([part.metric.name for part in parts], np.object_), counts).tolist(),
            "version": np.repeat([part.metric.declaration.version for part in parts], counts),
            "status": found.status.tolist(),
            "value": pl.Series(values=np.where(found.status == "scored", found.low, np.nan), nan_to_null=True),
            "low": low,
            "high": high,
            "may_drop": found.may_drop,
            "reason": kinds,  # of a failure: what follows its kind may quote a document, and stays with the traces
            "numerator": pl.Series(values=found.numerator, nan_to_null=True),
            "denominator": pl.Series(values=found.denominator, nan_to_null=True),
        },
        schema_overrides=SCORES,
    )
