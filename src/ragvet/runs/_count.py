from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import polars as pl

from ragvet.heap import collector_paused
from ragvet.metrics.answers import REGISTRY, conditions
from ragvet.metrics.retrieval import Metric, parse_all
from ragvet.records import Case, JudgeFailure, MetricDeclaration, Score, Trace, Usage, Verdicts
from ragvet.runs._bundle import ROWS_PER_GROUP, Run
from ragvet.runs._config import AnswersConfig
from ragvet.runs._count_answers import AnswerCounting, score_frame
from ragvet.runs._count_retrieval import RetrievalItems, retrieval_scores
from ragvet.runs._frames import compact
from ragvet.runs._journal import Key
from ragvet.runs._manifest import Counts, Manifest, Spend
from ragvet.runs._ranked import Ranked, StoredRankings
from ragvet.runs._storage import replace_frame

__all__ = ["count", "retrieval_metrics"]

_DEFAULT = (
    "coverage@{k}",
    "recall@{k}",
    "precision@{k}",
    "RR@{k}",
    "nDCG@{k}",
    "nDCG(gain=exp)@{k}",
    "hit@{k}",
    "judged@{k}",
    "redundancy@{k}",
)
_LAST = "[last]"
"""Marks a metric over the last retrieval call where traces hold several; without it, it is over all of them."""


@dataclass
class _Tally:
    """What one pass over the traces of a run counts on the way."""

    stale: dict[str, frozenset[int]]
    ranked: list[tuple[Case, int]] = field(default_factory=list[tuple[Case, int]])
    undefined: dict[Key, str] = field(default_factory=dict[Key, str])
    failed: dict[Key, str] = field(default_factory=dict[Key, str])
    failures: Counter[str] = field(default_factory=Counter[str])
    items: int = 0
    judged: int = 0
    judge_failed: int = 0
    several_calls: bool = False
    serving: list[Usage] = field(default_factory=list[Usage])
    judging: list[Usage] = field(default_factory=list[Usage])

    def add(self, case: Case, trace: Trace, judged: Verdicts | JudgeFailure | None) -> None:
        self.items += 1
        self.judged += isinstance(judged, Verdicts)
        self.judge_failed += isinstance(judged, JudgeFailure)
        if judged is not None and judged.usage is not None:
            self.judging.append(judged.usage)
        if trace.error is not None:
            self.failures[trace.error.kind] += 1
        elif trace.answer is not None:
            self.several_calls |= len(trace.answer.retrievals) > 1
            if trace.answer.usage:
                self.serving.append(_sum(trace.answer.usage.values()))
        if case.reference_passages:
            self._note_retrieval(case, trace)

    @property
    def retrieval(self) -> RetrievalItems:
        return RetrievalItems(self.ranked, self.undefined, self.failed, self.stale)

    def _note_retrieval(self, case: Case, trace: Trace) -> None:
        if len(self.stale.get(case.id, ())) == len(case.reference_passages):
            self.undefined[trace.key] = "every annotation of the case is stale"
        elif trace.error is not None:
            self.failed[trace.key] = trace.error.kind
        elif trace.answer is not None and trace.answer.retrievals:
            self.ranked.append((case, trace.repeat))
        else:
            self.undefined[trace.key] = "the target did not report what it retrieved"

    def counts(self, cases: Sequence[Case], *, unplaced_chunks: int) -> Counts:
        return Counts(
            cases=len(cases),
            ambiguous=sum(case.ambiguous for case in cases),
            unmarked=sum(case.unmarked for case in cases),
            items=self.items,
            answered=self.items - self.failures.total(),
            failed=dict(self.failures),
            judged=self.judged,
            judge_failed=self.judge_failed,
            stale_annotations=sum(map(len, self.stale.values())),
            unplaced_chunks=unplaced_chunks,
        )


@collector_paused()
def count(run: Run, ranked: Ranked | None = None) -> Manifest:
    """Writes the scores of a run out of its traces, rankings and verdicts, by arithmetic alone.

    Args:
        run: with traces, verdicts and cases on disk.
        ranked: its graded rankings; by default those on disk.

    Returns:
        the manifest with the metrics, counts and costs of this count.
    """
    manifest = run.manifest
    answers = AnswersConfig.model_validate(manifest.config.get("answers", {}))
    declared = conditions(answers.validated, source=f"run {manifest.run_id}, [answers] validated")
    counting = AnswerCounting(
        judged=manifest.judge_fingerprint is not None, supplied_k=manifest.supplied_k, validated=declared
    )
    ranked = StoredRankings(run.rankings()) if ranked is None else ranked
    stale = run.case_frame().select("case_id", "stale").filter(pl.col("stale").list.len() > 0)
    tally = _Tally({case_id: frozenset(indexes) for case_id, indexes in stale.iter_rows()})
    frames = list(_answer_frames(run, ranked, counting, tally))

    further = manifest.config.get("retrieval", {}).get("metrics", ())
    metrics = retrieval_metrics(manifest.supplied_k, manifest.deep_k, further)
    rankings = ranked.frame()
    union = _view(rankings, "union")
    unplaced = union.filter(pl.col("unplaced").list.len() > 0).select(pl.len()).collect().item()
    scored = [retrieval_scores(union, tally.retrieval, manifest.judgments, metrics)]
    if tally.several_calls:
        last = {f"{name}{_LAST}": metric for name, metric in metrics.items()}
        scored.append(retrieval_scores(_last_calls(rankings), tally.retrieval, manifest.judgments, last))
        metrics |= last
    counted = {name for frame in (*scored, *frames) for name in frame["metric"].unique()}
    scores = pl.concat([frame.lazy() for frame in (*scored, *frames)])
    replace_frame(run.folder / "scores.parquet", scores.cast({pl.Categorical: pl.String}))
    return manifest.model_copy(
        update={
            "metrics": _declarations(metrics, counted),
            "counts": tally.counts(run.cases(), unplaced_chunks=unplaced),
            "serving": _spend(tally.serving),
            "judging": _spend(tally.judging),
        }
    )


def retrieval_metrics(supplied_k: int, deep_k: int, further: Iterable[str] = ()) -> dict[str, Metric]:
    """Printed name → metric: the default ones at both depths, then what the configuration adds.

    Raises:
        InputError: a name is no metric's.
    """
    names = [name.format(k=k) for k in dict.fromkeys((supplied_k, deep_k)) for name in _DEFAULT]
    return {metric.name: metric for metric in parse_all((*names, *further))}


def _answer_frames(run: Run, ranked: Ranked, counting: AnswerCounting, tally: _Tally) -> Iterator[pl.DataFrame]:
    """Answer scores, a frame per piece of the run; notes every trace in `tally` on the way."""
    cases = {case.id: case for case in run.cases()}
    triples = ((cases[trace.case_id], trace, judged) for trace, judged in run.judged_traces())
    while piece := list(islice(triples, ROWS_PER_GROUP)):
        scores: list[Score] = []
        for case, trace, judged in piece:
            tally.add(case, trace, judged)
            rows = ranked.rows(case, trace)
            if run.manifest.answers:
                scores += counting.scores(case, trace, judged, rows)
        yield compact(score_frame(scores))


def _view(rankings: pl.DataFrame, view: str) -> pl.LazyFrame:
    """The rows of one view, and of them what metrics look at; they are read a piece at a time."""
    chosen = rankings.lazy().filter(pl.col("view") == view)
    return chosen.select("case_id", "repeat", "rank", "grade", "repeats", "passages", "unplaced")


def _last_calls(rankings: pl.DataFrame) -> pl.LazyFrame:
    """The last call of each item: for an item with a single call that is the union."""
    last = _view(rankings, "last")
    single = _view(rankings, "union").join(last, on=["case_id", "repeat"], how="anti")
    return pl.concat([last, single])


def _declarations(metrics: Mapping[str, Metric], counted: Container[str]) -> dict[str, MetricDeclaration]:
    """What each metric of the run is, in the order of reports."""
    retrieval = {
        name: metric.declaration.model_copy(update={"title": f"{metric.declaration.title} (last retrieval call)"})
        if name.endswith(_LAST)
        else metric.declaration
        for name, metric in metrics.items()
    }
    return {name: declaration for name, declaration in retrieval.items() if name in counted} | {
        name: metric.declaration for name, metric in REGISTRY.items() if name in counted
    }


def _sum(usages: Iterable[Usage]) -> Usage:
    """What was used in all; what nobody reported stays unknown."""
    usages = list(usages)

    def total(name: str) -> float | None:
        reported = [amount for usage in usages if (amount := getattr(usage, name)) is not None]
        return sum(reported) if reported else None

    return Usage.model_validate({name: total(name) for name in Usage.model_fields})


def _spend(usages: Sequence[Usage]) -> Spend:
    total = _sum(usages)
    return Spend(
        cost=total.cost, input_tokens=total.input_tokens, output_tokens=total.output_tokens, reported=len(usages)
    )
