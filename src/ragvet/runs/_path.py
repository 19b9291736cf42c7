"""The evidence path: the stages at which a case can break, in the order in which evidence travels, and what shows each.

A stage is passed (true), broken (false) or not known (null), each told independently of the others: a stage is only to
be blamed where all before it are known to be passed, and who reads the path sees whether they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import get_args

import polars as pl

from ragvet.records import MetricDeclaration, Stage
from ragvet.records.lattice import OPEN
from ragvet.runs._bundle import Run

__all__ = ["PATH", "STAGES", "evidence_path", "shown_by_scores"]

STAGES: Mapping[Stage, str] = MappingProxyType(
    {
        "annotation valid": "the corpus still bears out what is marked as evidence",
        "in the corpus": "the documents of the evidence are in the corpus",
        "permitted": "the caller may read the evidence, and what was retrieved, supplied and cited",
        "in force": "the evidence and what was cited are in force on the date of the question",
        "retrieved": "all of the evidence is in the deep ranking",
        "above the cut": "all of the evidence is within the supplied depth",
        "supplied": "all of the evidence was before the model",
        "used": "a claim of the answer rests on a passage of the evidence",
        "supported": "what was supplied supports every claim",
        "on the question": "the answer addresses the question",
        "complete": "the answer says what it must",
        "cited": "every claim is cited, and every citation supports what it is cited for",
        "behaved": "the system did what it should do with the question: answer, refuse, ask back, hand over",
        "contract": "a structured answer has the form and the values it must have",
        "judged": "the judge decided about the answer",
    }
)
"""Every stage and what it means to pass it."""

_STAGE = pl.Enum(get_args(Stage))
PATH = pl.Schema(
    {
        "case_id": pl.String(),
        "repeat": pl.UInt32(),
        "stage": _STAGE,
        "ok": pl.Boolean(),
        "metric": pl.String(),
        "reason": pl.String(),
    }
)
"""One stage of one case and repeat as one thing shows it: a stage is broken where one row says so, passed where all do.

`metric` is the printed name of the metric that shows it, null where the corpus, the ranking or the judge does. `reason`
says why nothing is known, where that is so.
"""
_KEY = ["case_id", "repeat"]
_NO_EVIDENCE, _NO_CORPUS = "no evidence is marked", "no corpus was given"


def evidence_path(run: Run) -> pl.LazyFrame:
    """Every stage that applies to each case and repeat of a run; columns as in `PATH`, in the order of the stages."""
    manifest = run.manifest
    cases = run.case_frame().filter(expected_behaviour="answer").lazy()
    items = run.scan_items().join(cases, on="case_id", maintain_order="left")
    parts = [
        *_shown_by_corpus(items, known=manifest.corpus_fingerprint is not None),
        shown_by_scores(
            run.scan_scores(), run.declarations, supplied_k=manifest.supplied_k, deep_k=manifest.deep_k
        ).select(PATH.names()),
        _supplied(items, run.scan_rankings()),
        _used(items, run),
        _judged(run),
    ]
    return pl.concat([part.cast({**PATH}) for part in parts]).sort("stage", maintain_order=True)


def shown_by_scores(
    scores: pl.LazyFrame, declarations: Mapping[str, MetricDeclaration], *, supplied_k: int, deep_k: int
) -> pl.LazyFrame:
    """The stages that metrics show: passed where the whole range lies at the better end, broken where none of it does.

    A metric that is undefined on a case shows nothing there.

    Args:
        scores: those of a run.
        declarations: printed metric name → which stage it shows.
        supplied_k: the depth given to the model; a metric of retrieval shows there what stands above the cut.
        deep_k: the depth at which it shows what was retrieved.

    Returns:
        `PATH`, with the `low`, `high` and `numerator` of each score beside it.
    """
    shows = pl.LazyFrame(
        list(_shows(declarations, supplied_k, deep_k)),
        schema={"metric": pl.String, "stage": _STAGE, "best": pl.Float64},
        orient="row",
    )
    good, bad = pl.col("best"), (pl.col("low") > pl.col("best")) | (pl.col("high") < pl.col("best"))
    ok = (
        pl.when((pl.col("low") == good) & (pl.col("high") == good)).then(statement=True).when(bad).then(statement=False)
    )
    told = scores.filter(pl.col("status") != "undefined")
    return told.join(shows, on="metric", maintain_order="left").select(
        *_KEY, "stage", "metric", "low", "high", "numerator", ok=ok, reason=pl.when(ok.is_null()).then("reason")
    )


def _shows(
    declarations: Mapping[str, MetricDeclaration], supplied_k: int, deep_k: int
) -> Iterator[tuple[str, str, float]]:
    """Printed name of a metric, the stage it shows, and its value where that is passed."""
    for name, declared in declarations.items():
        best = declared.low if declared.direction == "lower" else declared.high
        if declared.stage is None or best is None:
            continue
        if not declared.grows_with_depth:
            yield name, declared.stage, best
        if declared.grows_with_depth and name == f"{declared.name}@{deep_k}":
            yield name, "retrieved", best
        if declared.grows_with_depth and name == f"{declared.name}@{supplied_k}":
            yield name, "above the cut", best


def _rows(items: pl.LazyFrame, stage: Stage, ok: pl.Expr, reason: pl.Expr) -> pl.LazyFrame:
    return items.select(
        *_KEY,
        stage=pl.lit(stage, _STAGE),
        ok=ok,
        metric=pl.lit(None, pl.String),
        reason=pl.when(ok.is_null()).then(reason),
    )


def _shown_by_corpus(items: pl.LazyFrame, *, known: bool) -> Iterator[pl.LazyFrame]:
    """What the corpus says about the marked evidence; without one nothing is known."""
    marked = pl.col("evidence").list.len() > 0
    amiss: dict[Stage, str | None] = {
        "annotation valid": "stale",
        "in the corpus": None,  # a run does not start with evidence of documents its corpus lacks
        "permitted": "denied",
        "in force": "lapsed",
    }
    for stage, column in amiss.items():
        found = (
            pl.lit(value=True) if column is None else pl.col("evidence").list.set_intersection(column).list.len() == 0
        )
        ok = pl.when(marked & known).then(found)
        yield _rows(items, stage, ok, pl.when(marked).then(pl.lit(_NO_CORPUS)).otherwise(pl.lit(_NO_EVIDENCE)))


def _supplied(items: pl.LazyFrame, rankings: pl.LazyFrame) -> pl.LazyFrame:
    """Whether each unit of the evidence was before the model: alternatives are one unit."""
    seen = rankings.filter(pl.col("view") == "supplied")
    carried = [
        seen.select(*_KEY, passage=column, known=pl.lit(known)).explode("passage").drop_nulls()
        for column, known in (("passages", True), ("unplaced", False))
    ]
    reported = rankings.filter(pl.col("supplied").is_not_null() | (pl.col("view") == "supplied")).select(_KEY).unique()
    wanted = items.select(*_KEY, passage="evidence", unit="units", out=pl.col("stale").list.set_union("denied"))
    units = (
        wanted.explode("passage", "unit")
        .drop_nulls("passage")
        .filter(~pl.col("passage").is_in(pl.col("out")))
        .join(pl.concat(carried), on=[*_KEY, "passage"], how="left")
        .group_by(*_KEY, "unit", maintain_order=True)
        .agg(reached=pl.col("known").max())  # carried for sure, perhaps, or (null) not at all
        .group_by(_KEY, maintain_order=True)
        .agg(lacking=pl.col("reached").is_null().any(), open=(~pl.col("reached").fill_null(value=True)).any())
    )
    joined = (
        items.select(_KEY)
        .join(units, on=_KEY, how="left", maintain_order="left")
        .join(reported.with_columns(told=pl.lit(value=True)), on=_KEY, how="left", maintain_order="left")
    )
    ok = (
        pl.when(pl.col("told").is_null() | pl.col("lacking").is_null())
        .then(None)
        .when("lacking")
        .then(statement=False)
        .when("open")
        .then(None)
        .otherwise(statement=True)
    )
    why = (
        pl.when(pl.col("lacking").is_null())
        .then(pl.lit(_NO_EVIDENCE))
        .when(pl.col("told").is_null())
        .then(pl.lit("the target did not report what it supplied"))
        .otherwise(pl.lit("some supplied chunks could not be placed in their documents"))
    )
    return _rows(joined, "supplied", ok, why)


def _used(items: pl.LazyFrame, run: Run) -> pl.LazyFrame:
    """Whether a claim rests on a chunk that carries evidence."""
    gold = run.scan_rankings().filter(pl.col("grade") > 0).select(*_KEY, passage="chunk_id").unique()
    support = run.scan_verdicts("support").filter(pl.col("member").is_null())
    found = (
        support.join(gold, on=[*_KEY, "passage"])
        .group_by(_KEY)
        .agg(
            rests=pl.col("verdict").is_in(["supported", "partial"]).any(),
            open=pl.col("verdict").is_in(sorted(OPEN)).any(),
        )
    )
    judged = support.select(_KEY).unique().with_columns(judged=pl.lit(value=True))
    joined = (
        items.select(_KEY)
        .join(judged, on=_KEY, how="left", maintain_order="left")
        .join(found, on=_KEY, how="left", maintain_order="left")
    )
    rests, open_ = (pl.col(name).fill_null(value=False) for name in ("rests", "open"))
    ok = pl.when("judged").then(pl.when(rests).then(statement=True).when(open_).then(None).otherwise(statement=False))
    why = pl.when("judged").then(pl.lit("verdicts on the evidence are open")).otherwise(pl.lit("no claim was judged"))
    return _rows(joined, "used", ok, why)


def _judged(run: Run) -> pl.LazyFrame:
    """Whether the judge was heard on each answer; without a judge the stage does not apply."""
    said = run.scan_verdicts("judged").filter(pl.col("member").is_null())
    return _rows(said, "judged", pl.col("failure").is_null(), pl.lit(None, pl.String))
