"""A finished run, read from its folder."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeVar

import polars as pl
from pydantic import ValidationError

from ragvet.errors import BundleError, InputError, Problem
from ragvet.records import Case, JudgeFailure, MetricDeclaration, Record, Summary, Trace, Verdicts
from ragvet.records.verdict_rows import from_tables
from ragvet.records.verdict_tables import TABLES
from ragvet.runs._folder import RUNS, locate_run
from ragvet.runs._manifest import Manifest, read_manifest, to_go_on
from ragvet.runs._printed import SummaryTable
from ragvet.runs._summaries import ALL, AMBIGUOUS, membership, summarise
from ragvet.runs._verdict_files import VerdictReader, scan_verdicts
from ragvet.text import nearest, plural

__all__ = ["ROWS_PER_GROUP", "Run"]

Stored = TypeVar("Stored", Case, Trace)

ROWS_PER_GROUP = 1000
"""Rows of evidence read or written at once: small enough for memory, large enough for compression."""


class Run:
    """A finished run, read from its folder as it is asked for.

    Attributes:
        folder: where it lies.
        manifest: what was run, with which versions.
    """

    def __init__(self, folder: Path, manifest: Manifest, *, cases: Sequence[Case] | None = None) -> None:
        self.folder = folder
        self.manifest = manifest
        if cases is not None:  # they need not be read again
            self._cases = list(cases)

    @classmethod
    def open(cls, name: Path | str = "latest", runs: Path = RUNS) -> Self:
        """A finished run; its manifest is read, all else when it is asked for.

        Args:
            name: its folder, its id, or `latest`.
            runs: where runs are kept; a name is looked for there if it is no folder.

        Raises:
            BundleError: there is none of this name, it is damaged, or it is not finished yet.
        """
        folder = locate_run(name, runs)
        manifest = read_manifest(folder)
        if manifest.status != "finished":
            raise BundleError(
                f"{folder}: the run is {manifest.status}, not finished. Continue it with: {to_go_on(manifest, folder)}"
            )
        return cls(folder, manifest)

    def __repr__(self) -> str:
        counts = self.manifest.counts
        return (
            f"Run {self.id}: {self.manifest.dataset} → {self.manifest.target}, {plural(counts.cases, 'case')}, "
            f"{counts.answered} of {plural(counts.items, 'call')} answered ({self.folder})"
        )

    @property
    def id(self) -> str:
        """Unique, and sorts by the time of the start."""
        return self.manifest.run_id

    @property
    def declarations(self) -> dict[str, MetricDeclaration]:
        """Every metric of the run under its printed name, e.g. `nDCG@10`."""
        return dict(self.manifest.metrics)

    @cached_property
    def _cases(self) -> list[Case]:
        first = self._scan("traces").filter(pl.col("repeat") == 0).select("case").collect()
        return [self._read(Case, text) for text in first["case"]]

    def cases(self) -> list[Case]:
        """Every case of the run, in the order of the golden set."""
        return self._cases

    def traces(self) -> Iterator[Trace]:
        """Every trace, case by case and repeat by repeat, read in pieces: the whole need not fit in memory."""
        for piece in self.trace_texts():
            for text in piece["trace"]:
                yield self._read(Trace, text)

    def trace_texts(self) -> Iterator[pl.DataFrame]:
        """The traces as JSON, a piece of the run at a time: `case_id, repeat, trace`."""
        yield from self._batches("traces", ["case_id", "repeat", "trace"])

    def scan_items(self) -> pl.LazyFrame:
        """Every case and repeat in the order of the run: `case_id, repeat`."""
        return self._scan("traces").select("case_id", "repeat")

    def answered(self) -> int:
        """How many traces hold an answer, and no error."""
        return self._scan("traces").filter(pl.col("error").is_null()).select(pl.len()).collect().item()

    def trace(self, case_id: str, repeat: int = 0) -> Trace:
        """The trace of one case and repeat."""
        wanted = (pl.col("case_id") == case_id) & (pl.col("repeat") == repeat)
        found = self._scan("traces").filter(wanted).select("trace").collect()["trace"]
        if found.is_empty():
            known = self.case_frame()["case_id"].to_list()
            meant = None if case_id in known else nearest(case_id, known)
            hint = f". Did you mean {meant!r}?" if meant else ""
            raise BundleError(f"{self.folder}: has no case {case_id!r} with repeat {repeat}{hint}")
        return self._read(Trace, found[0])

    def verdicts(self) -> Iterator[Verdicts | JudgeFailure]:
        """What was judged, in the order of the traces. A trace that failed, or a run without a judge, has none."""
        for _, judged in self.judged_traces():
            if judged is not None:
                yield judged

    def judged_traces(self) -> Iterator[tuple[Trace, Verdicts | JudgeFailure | None]]:
        """Every trace with what was judged about it, or None."""
        for traces, tables in self.evidence():
            try:
                judged = {one.key: one for one in from_tables(tables, traces)}
            except ValidationError as error:
                raise self._unreadable(Verdicts, error) from error
            for trace in traces:
                yield trace, judged.get(trace.key)

    def evidence(self) -> Iterator[tuple[list[Trace], dict[str, pl.DataFrame]]]:
        """Traces with the rows of each verdict table about them, a piece of the run at a time."""
        reader = VerdictReader(self.folder)
        for piece in self.trace_texts():
            traces = [self._read(Trace, text) for text in piece["trace"]]
            yield traces, reader.of(traces)

    def scan_verdicts(self, table: str) -> pl.LazyFrame:
        """One table of what was judged, e.g. `claims` or `support`, to be read in part; a row is one fact.

        Raises:
            InputError: there is no such table.
        """
        if table not in TABLES:
            raise InputError(_not_held("run.scan_verdicts", "verdict table", table, TABLES))
        return scan_verdicts(self.folder, table)

    def scores(self) -> pl.DataFrame:
        """One row per metric, case and repeat; the columns are on the architecture page."""
        return self.scan_scores().collect()

    def scan_scores(self) -> pl.LazyFrame:
        """What `scores` returns, to be read in part: of many cases with a judge they are hundreds of megabytes."""
        return self._scan("scores")

    def rankings(self) -> pl.DataFrame:
        """One row per ranked chunk and view, with its grade; the columns are on the architecture page."""
        return self.scan_rankings().collect()

    def scan_rankings(self) -> pl.LazyFrame:
        """What `rankings` returns, to be read in part."""
        return self._scan("rankings")

    def case_frame(self) -> pl.DataFrame:
        """Strata, expected behaviour and ambiguity of each case, without document text."""
        return self._scan("cases").collect()

    def values(self, metric: str, stratum: str = ALL) -> pl.DataFrame:
        """One metric on the cases of one stratum: `case_id, repeat, low, high, group, weight`, a row for each value.

        What is undefined or failed has no row.

        Args:
            metric: as it is printed, e.g. `coverage@5`.
            stratum: `all`, `ambiguous`, or `label=value`.

        Raises:
            InputError: the run holds no such metric, or no such stratum.
        """
        members = self.cases_in(stratum, metric=metric).select("case_id", "group", "weight")
        found = self.scan_scores().filter((pl.col("metric") == metric) & pl.col("low").is_not_null())
        scores = found.select("case_id", "repeat", "low", "high").collect()
        return scores.join(members, on="case_id", maintain_order="left")

    def cases_in(self, stratum: str = ALL, *, metric: str | None = None) -> pl.DataFrame:
        """The rows of `case_frame` that count in a stratum.

        Args:
            stratum: `all`, `ambiguous`, or `label=value`.
            metric: one that the run must hold.

        Raises:
            InputError: there is no such stratum, or no such metric.
        """
        cases = self.case_frame()
        places = membership(cases)
        strata = {ALL, AMBIGUOUS, *places["stratum"].unique()}
        problems = [] if stratum in strata else [_not_held(f"run {self.id}", "stratum", stratum, strata)]
        if metric is not None and metric not in self.declarations:
            problems.append(_not_held(f"run {self.id}", "metric", metric, self.declarations))
        if problems:
            raise InputError(problems)
        return cases.join(places.filter(stratum=stratum), on="case_id", how="semi", maintain_order="left")

    def summaries(self, label: str | None = None) -> list[Summary]:
        """Every metric summarised over all cases and over each value of a label.

        Args:
            label: a label such as `category` or `risk`: that one, `all` and `ambiguous`. None: every label.

        Raises:
            InputError: the cases of the run have no such label.
        """
        cases = self.case_frame()
        problems = _unknown_labels(cases, label, "run.summaries")
        if problems:
            raise InputError(problems)
        strata = None if label is None else [ALL, *_values(cases, label), AMBIGUOUS]
        return summarise(self.scan_scores(), cases, self.declarations, strata)

    def summary(self, *metrics: str, label: str | None = None) -> SummaryTable:
        """The metrics over all cases, as a table to be printed.

        Args:
            metrics: as they are printed, e.g. `coverage@5`; left out, every metric that has a value.
            label: a label such as `category`: its values follow, each on its own.

        Raises:
            InputError: the run holds no such metric, or its cases no such label.
        """
        source, cases = "run.summary", self.case_frame()
        known = self.declarations
        problems = [_not_held(source, "metric", name, known) for name in metrics if name not in known]
        problems += _unknown_labels(cases, label, source)
        if problems:
            raise InputError(problems)
        strata = [ALL] if label is None else [ALL, *_values(cases, label), AMBIGUOUS]
        found = summarise(self.scan_scores(), cases, known, strata)
        chosen = [row for row in found if (row.metric in metrics if metrics else row.low is not None)]
        order = {name: place for place, name in enumerate(metrics)}
        return SummaryTable(tuple(sorted(chosen, key=lambda row: order.get(row.metric, 0))))

    def _read(self, record: type[Stored], text: str) -> Stored:
        try:
            return record.model_validate_json(text)
        except ValidationError as error:
            raise self._unreadable(record, error) from error

    def _unreadable(self, record: type[Record], error: ValidationError) -> BundleError:
        first: Any = error.errors(include_url=False)[0]
        return BundleError(
            f"{self.folder}: holds a {record.__name__} this ragvet cannot read ({first['msg']}). "
            "Was it written by another version? Then use that one, or run again; else it is damaged."
        )

    def _batches(self, name: str, columns: list[str]) -> Iterator[pl.DataFrame]:
        frame = self._scan(name).select(columns)
        rows: int = frame.select(pl.len()).collect().item()
        for start in range(0, rows, ROWS_PER_GROUP):  # slices: collect_batches reads far ahead of what is taken
            yield frame.slice(start, ROWS_PER_GROUP).collect()

    def _scan(self, name: str) -> pl.LazyFrame:
        path = self.folder / f"{name}.parquet"
        if not path.is_file():
            remade = f"ragvet run --resume {shlex.quote(str(self.folder))}"
            raise BundleError(f"{path}: is missing. Make it again with: {remade}")
        return pl.scan_parquet(path)


def _values(cases: pl.DataFrame, label: str) -> list[str]:
    """The strata of a label, by name: `risk=high`, `risk=low`."""
    found: list[str] = cases["strata"].explode().drop_nulls().unique().sort().to_list()
    return [value for value in found if value.startswith(f"{label}=")]


def _unknown_labels(cases: pl.DataFrame, label: str | None, source: str) -> list[Problem]:
    known = {value.partition("=")[0] for value in cases["strata"].explode().drop_nulls()}
    return [] if label is None or label in known else [_not_held(source, "label", label, known)]


def _not_held(source: str, what: str, name: object, known: Iterable[str]) -> Problem:
    names = sorted(known)
    meant = nearest(name, names) if isinstance(name, str) else None
    action = f"Did you mean {meant!r}?" if meant else f"There are: {', '.join(names) or 'none'}."
    return Problem(source, repr(name), f"a {what} of the run", action)
