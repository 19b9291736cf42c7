"""What a report says about a run, as records."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import polars as pl

from ragvet.gate import Decision
from ragvet.records import Case, MetricDeclaration, Summary, Trace
from ragvet.report._finished_run import FinishedRun
from ragvet.report._look_first import look_first
from ragvet.report._model import (
    AmbiguousCase,
    Depths,
    MetricReport,
    Report,
    RunFacts,
)
from ragvet.report._production import production, production_flags
from ragvet.report._tally import Judged, Tally

__all__ = ["EachItem", "build", "worst_first"]

EachItem = Callable[[Case, Trace, Judged], object]
"""Called once for every item while a run is read, so that pages need no second reading."""

_DEPTH = re.compile(r"^(?P<metric>.+)@(?P<k>\d+)(?P<rest>.*)$")


def build(
    run: FinishedRun, *, gate: Decision | None = None, each: EachItem | None = None, content: bool = True
) -> Report:
    """Everything a report says about a finished run. Scores are read, never made.

    Args:
        run: a finished run.
        gate: the gate's decision, if there is one.
        content: False leaves out messages and notes, which may quote documents or questions.
        each: called with the case, trace and verdicts of every item, in the order of the run.
    """
    summaries = run.summaries()  # while nothing else is in memory
    manifest = run.manifest
    agreed = [case.id for case in run.cases() if not case.ambiguous]
    worst, amiss = look_first(run.scan_scores(), agreed, run.declarations, supplied_k=manifest.supplied_k, gate=gate)
    flags = production_flags(run.scan_scores(), agreed, run.declarations)
    tally = Tally(_evidence(run.scan_rankings(), manifest.supplied_k), content=content)
    cases = {case.id: case for case in run.cases()}
    for trace, judged in run.judged_traces():
        case = cases[trace.case_id]
        tally.add(case, trace, judged)
        if each is not None:
            each(case, trace, judged)
    behaviours = tally.behaviours()
    metrics = _metrics(summaries, run.declarations)
    return Report(
        run=_facts(run, tally),
        gate=gate,
        retrieval=tuple(metric for metric in metrics if metric.declaration.family == "Retrieval"),
        answers=tuple(metric for metric in metrics if metric.declaration.family != "Retrieval"),
        depths=_depths(metrics, manifest.supplied_k, manifest.deep_k),
        behaviours=behaviours,
        production=production(flags, behaviours),
        failures=tally.failures(),
        ambiguous=tuple(_ambiguous(cases.values(), content=content)),
        look_first=worst,
        amiss=amiss,
        latency=tally.latency(),
        usage=tally.usage(),
    )


def worst_first(summaries: Iterable[Summary], direction: str) -> tuple[Summary, ...]:
    """Strata by the worst value they may have; those with nothing to measure come last."""

    def badness(summary: Summary) -> tuple[bool, float, float, str]:
        if summary.low is None or summary.high is None:
            return True, 0.0, 0.0, summary.stratum
        if direction == "lower":
            return False, -summary.high, -summary.low, summary.stratum
        return False, summary.low, summary.high, summary.stratum

    return tuple(sorted(summaries, key=badness))


def _metrics(summaries: Sequence[Summary], declarations: Mapping[str, MetricDeclaration]) -> list[MetricReport]:
    overall = {summary.metric: summary for summary in summaries if summary.stratum == "all"}
    ambiguous = {summary.metric: summary for summary in summaries if summary.stratum == "ambiguous"}
    strata: dict[str, dict[str, list[Summary]]] = {metric: {} for metric in overall}
    for summary in sorted(summaries, key=lambda summary: not summary.stratum.startswith("category=")):
        label, separator, _ = summary.stratum.partition("=")
        if separator and summary.metric in strata:
            strata[summary.metric].setdefault(label, []).append(summary)
    return [
        MetricReport(
            declaration=declarations[metric].model_copy(update={"name": metric}),
            overall=summary,
            strata={label: worst_first(rows, declarations[metric].direction) for label, rows in strata[metric].items()},
            ambiguous=ambiguous.get(metric),
        )
        for metric, summary in overall.items()
    ]


def _depths(metrics: Iterable[MetricReport], supplied_k: int, deep_k: int) -> tuple[Depths, ...]:
    by_name = {metric.declaration.name: metric for metric in metrics}
    pairs: list[Depths] = []
    for name, shallow in by_name.items():
        if not shallow.declaration.grows_with_depth:  # the gap is what a better order could win
            continue
        match = _DEPTH.match(name)
        if match is None or int(match["k"]) != supplied_k or supplied_k == deep_k:
            continue
        deep = by_name.get(f"{match['metric']}@{deep_k}{match['rest']}")
        if deep is None:
            continue
        below = {summary.stratum: summary for rows in deep.strata.values() for summary in rows}
        pairs.append(_pair(match["metric"] + match["rest"], shallow.overall, deep.overall))
        pairs.extend(
            _pair(match["metric"] + match["rest"], summary, below[summary.stratum])
            for rows in shallow.strata.values()
            for summary in rows
            if summary.stratum in below
        )
    return tuple(pair for pair in pairs if pair.supplied.low is not None or pair.deep.low is not None)


def _pair(metric: str, supplied: Summary, deep: Summary) -> Depths:
    low = high = None
    if None not in (supplied.low, supplied.high, deep.low, deep.high):
        # The same unknowns stand in both depths, and a deeper window never reaches less.
        low = max(0.0, _value(deep.low) - _value(supplied.high))
        high = max(0.0, _value(deep.high) - _value(supplied.low))
    return Depths(metric=metric, stratum=supplied.stratum, supplied=supplied, deep=deep, gap_low=low, gap_high=high)


def _value(number: float | None) -> float:
    return math.nan if number is None else number


def _evidence(rankings: pl.LazyFrame, supplied_k: int) -> frozenset[tuple[str, int]]:
    """The items with relevant evidence before the model: supplied, or ranked high enough where nobody said what was."""
    assumed = pl.col("supplied").is_null() & (pl.col("view") == "union") & (pl.col("rank") <= supplied_k)
    seen = pl.col("view").is_in(["union", "supplied"]) & pl.col("supplied").fill_null(value=False)
    reached = rankings.filter((seen | assumed) & (pl.col("grade") >= 1))
    return frozenset(reached.select("case_id", "repeat").unique().collect().iter_rows())


def _ambiguous(cases: Iterable[Case], *, content: bool) -> Iterable[AmbiguousCase]:
    for case in cases:
        if case.adjudication is not None and not case.adjudication.agreed:
            note = case.adjudication.note if content else None
            yield AmbiguousCase(case_id=case.id, reviewers=case.adjudication.reviewers, note=note)


def _facts(run: FinishedRun, tally: Tally) -> RunFacts:
    manifest = run.manifest
    return RunFacts(
        run_id=manifest.run_id,
        started_at=manifest.started_at,
        seconds=manifest.seconds,
        dataset=manifest.dataset,
        dataset_fingerprint=manifest.dataset_fingerprint,
        judgments=manifest.judgments,
        corpus_fingerprint=manifest.corpus_fingerprint,
        target=manifest.target,
        target_fingerprint=manifest.target_fingerprint,
        judges=tuple(sorted(tally.judges)) or tuple(filter(None, [manifest.judge_fingerprint])),
        config_fingerprint=manifest.config_fingerprint,
        supplied_k=manifest.supplied_k,
        deep_k=manifest.deep_k,
        repeats=manifest.repeat,
        seed=manifest.seed,
        code=manifest.code,
        versions=manifest.versions,
        system_versions={part: tuple(sorted(values)) for part, values in manifest.components.items()},
        cases=manifest.counts.cases,
        items=manifest.counts.items,
        answered=manifest.counts.answered,
        target_failures=sum(manifest.counts.failed.values()),
        judge_failures=manifest.counts.judge_failed,
        unmarked=manifest.counts.unmarked,
        left_out=manifest.counts.left_out,
        stale_annotations=manifest.counts.stale_annotations,
        unplaced_chunks=manifest.counts.unplaced_chunks,
    )
