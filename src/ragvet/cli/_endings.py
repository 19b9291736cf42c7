"""What commands that make a run say when it is finished, or stopped."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ragvet.cli._console import terminal
from ragvet.text import plain, plural

if TYPE_CHECKING:
    from ragvet.judging.llm import Estimate
    from ragvet.records import Case, Trace
    from ragvet.report import Report
    from ragvet.runs import Config, Run

__all__ = ["configured", "estimated", "overridden", "show_estimate", "show_run", "stoppable"]

_SPLITS = ("dev", "holdout", "calibration", "all")
_INTERRUPTED = 130
"""The exit code shells give a program that Ctrl-C ended."""
_NOTHING = 2
"""A run in which everything failed is broken: no gate could decide on it."""


def configured(path: Path, *, budget: float | None = None, repeat: int | None = None) -> Config:
    """The configuration in a file, with what the command line says otherwise."""
    from ragvet.runs import load_config

    return overridden(load_config(path), budget=budget, repeat=repeat)


def overridden(
    config: Config, *, budget: float | None = None, repeat: int | None = None, split: str | None = None
) -> Config:
    """The configuration with what the command line says otherwise; a judge that costs nothing needs no budget."""
    from ragvet.errors import InputError, Problem
    from ragvet.judging import models_of, with_budget

    if split is not None:
        if split not in _SPLITS:
            raise InputError(Problem("--split", repr(split), " or ".join(_SPLITS), "Name one of them."))
        config = config.model_copy(update={"dataset": config.dataset.model_copy(update={"split": split})})
    if repeat is not None:
        config = config.model_copy(update={"target": config.target.model_copy(update={"repeat": repeat})})
    if budget is not None and not isfinite(budget):
        raise InputError(Problem("--budget", str(budget), "US dollars", "Give a number such as 5.00."))
    if budget is None or config.judge.kind == "none" or not models_of(config.judge):
        return config
    return config.model_copy(update={"judge": with_budget(config.judge, budget)})


def estimated(config: Config, cases: Iterable[Case], traces: Iterable[Trace], runs: Path, *, fresh: bool) -> Estimate:
    """What judging these traces would take that is not kept yet; nothing is sent."""
    from ragvet.errors import InputError, Problem
    from ragvet.judging import estimate
    from ragvet.runs import replies

    if config.judge.kind == "none":
        found, expected = 'kind = "none"', "somebody who judges"
        raise InputError(Problem("[judge]", found, expected, "Name a judge (docs/judges.md).", field="kind"))
    by_id = {case.id: case for case in cases}
    items = ((by_id[trace.case_id], trace) for trace in traces)
    return estimate(config.judge, items, database=replies(runs), fresh=fresh)


@contextmanager
def stoppable() -> Generator[None]:
    """Ctrl-C ends with how to go on, and with the exit code shells expect."""
    try:
        yield
    except KeyboardInterrupt as stopped:
        print(stopped, file=sys.stderr)
        raise typer.Exit(_INTERRUPTED) from None


def show_run(run: Run, *, as_json: bool, project: Path = Path()) -> None:
    """Writes the report, and prints its summary, where it lies, and what comes next.

    Args:
        run: a finished run.
        as_json: whether to print its folder and manifest instead.
        project: where its configuration lies, and a policy may.
    """
    from ragvet.report import write_report

    report, page = write_report(run)
    if as_json:
        print(f'{{"folder": {json.dumps(str(run.folder))}, "manifest": {run.manifest.model_dump_json()}}}')
    else:
        from ragvet.report import print_summary

        if run.manifest.counts.answered:
            print_summary(report, terminal(), page=page)
            print(f"\n{page}\n{_next(run, project)}")
        else:  # there is nothing to show and nothing to gate; why is told below
            print(page)
    _tell_failures(run, report)


def _next(run: Run, project: Path) -> str:
    """How to gate the run: the command, where there is a policy."""
    policy = project / "policy.toml"
    if not policy.is_file():
        return "No policy.toml to gate it by yet: `ragvet init` writes one to start from."
    return shlex.join(["ragvet", "gate", _name(run), "--policy", str(policy)])


def _name(run: Run) -> str:
    """What commands find the run by: its id where runs are kept, else its folder."""
    from ragvet.runs import RUNS

    return run.id if run.folder.parent == RUNS else str(run.folder)


def _tell_failures(run: Run, report: Report) -> None:
    """Says loudly what failed, with what was said of each cause. Exits with 2 where it was all: nothing is measured.

    How many failures are too many otherwise is the gate's business.
    """
    counts, facts = run.manifest.counts, report.run
    failures = [
        ("target", f"{facts.target_failures:,} of {plural(facts.items, 'call')} failed"),
        ("judge", f"the judge failed on {counts.judge_failed:,} of {plural(counts.answered, 'answer')}"),
    ]
    for stage, title in failures:
        causes = [cause for cause in report.failures if cause.stage == stage]
        if causes:
            print(f"warning: {title}:", file=sys.stderr)
        for cause in causes:
            said = cause.said or "no message"  # of a judge it begins with the cause
            message = plain(said if said.startswith(cause.cause) else f"{cause.cause}: {said}")
            print(f"  {cause.items:,} × {message}", file=sys.stderr)  # noqa: RUF001 - a multiplication sign
    if not report.failures:
        return
    judging = run.manifest.judged_from is not None
    again = shlex.join(["ragvet", *(["judge"] if judging else ["run", "--resume"]), _name(run), "--retry-failed"])
    changed = "judge" if judging else "target"
    print(f"Ask again only those (a {changed} that was mended needs a new run): {again}", file=sys.stderr)
    if counts.answered == 0 or (counts.judge_failed and not counts.judged):
        nothing = "answered: nothing is measured" if counts.answered == 0 else "judged: no answer is measured"
        print(f"error: not one of {plural(counts.answered or counts.items, 'item')} was {nothing}", file=sys.stderr)
        raise typer.Exit(_NOTHING)


def show_estimate(estimated: Estimate, *, as_json: bool) -> None:
    """What judging would take; an unknown price is called unknown."""
    if as_json:
        print(estimated.model_dump_json())
        return
    from ragvet.numbers import money

    for name, value in estimated:
        if name == "assumes" or (name == "unknown" and not value):
            continue
        shown = "unknown" if value is None else money(value) if name == "cost" else f"{value:,}"
        print(f"{name.replace('_', ' ')}: {shown}")
    if estimated.assumes is not None:
        print(f'assumed: {estimated.assumes}. Exactly: run with kind = "none", then ragvet judge latest --estimate')
