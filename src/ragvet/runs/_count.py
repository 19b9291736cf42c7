"""Counting: from traces, rankings and verdicts to scores."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

import polars as pl

from ragvet.heap import rare_collections
from ragvet.metrics.answers import REGISTRY, conditions
from ragvet.metrics.rankings import Metric, parse_all
from ragvet.records import MetricDeclaration
from ragvet.runs._bundle import Run
from ragvet.runs._case_table import standings
from ragvet.runs._config import AnswersConfig
from ragvet.runs._count_answers import AnswerCounting
from ragvet.runs._count_retrieval import retrieval_scores
from ragvet.runs._frames import compact
from ragvet.runs._manifest import Manifest
from ragvet.runs._ranked import Ranked, StoredRankings
from ragvet.runs._storage import replace_frame
from ragvet.runs._tally import Tally, spend

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
_TOLD = [name for name, metric in REGISTRY.items() if metric.told]
"""Metrics of what the system did: without a judge there are none unless the target tells of any answer."""
_LAST = "[last]"
"""Marks a metric over the last retrieval call where traces hold several; without it, it is over all of them."""


@rare_collections()
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
        judged=manifest.judge_fingerprint is not None,
        supplied_k=manifest.supplied_k,
        validated=declared,
        cites=_cites(run),
    )
    ranked = StoredRankings(run.scan_rankings()) if ranked is None else ranked
    tally = Tally(standings(run.case_frame()))
    frames = list(_answer_frames(run, ranked, counting, tally))
    if not counting.judged and not tally.tells_behaviour:
        frames = [frame.filter(~pl.col("metric").is_in(_TOLD)) for frame in frames]

    further = manifest.config.get("retrieval", {}).get("metrics", ())
    metrics = retrieval_metrics(manifest.supplied_k, manifest.deep_k, further)
    rankings = ranked.all()
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
            "counts": tally.counts(run.cases(), unplaced_chunks=unplaced, left_out=manifest.counts.left_out),
            "cites": counting.cites,
            "components": {part: dict(values) for part, values in sorted(tally.components.items())},
            "serving": spend(tally.serving),
            "judging": spend(tally.judging),
        }
    )


def retrieval_metrics(supplied_k: int, deep_k: int, further: Iterable[str] = ()) -> dict[str, Metric]:
    """Printed name → metric: the default ones at both depths, then what the configuration adds.

    Raises:
        InputError: a name is no metric's.
    """
    names = [name.format(k=k) for k in dict.fromkeys((supplied_k, deep_k)) for name in _DEFAULT]
    return {metric.name: metric for metric in parse_all((*names, *further))}


def _cites(run: Run) -> bool | None:
    """Whether the target cites: as declared, else as any of its answers shows; None: nobody looked for citations."""
    declared = run.manifest.config.get("target", {}).get("cites")
    if declared is not None or run.manifest.judge_fingerprint is None:
        return declared
    return not run.scan_verdicts("citations").head(1).collect().is_empty()


def _answer_frames(run: Run, ranked: Ranked, counting: AnswerCounting, tally: Tally) -> Iterator[pl.DataFrame]:
    """Answer scores, a frame per piece of the run; notes every trace in `tally` on the way."""
    cases = {case.id: case for case in run.cases()}
    for traces, tables in run.evidence():
        items = [(cases[trace.case_id], trace) for trace in traces]
        tally.add(items, tables)
        rankings = ranked.of(items)
        if run.manifest.answers:
            yield compact(counting.scores(items, tables, rankings))


def _view(rankings: pl.LazyFrame, view: str) -> pl.LazyFrame:
    """The rows of one view, and of them what metrics look at; they are read a piece at a time."""
    chosen = rankings.filter(pl.col("view") == view)
    return chosen.select("case_id", "repeat", "rank", "grade", "redundant", "passages", "unplaced", "reached")


def _last_calls(rankings: pl.LazyFrame) -> pl.LazyFrame:
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
