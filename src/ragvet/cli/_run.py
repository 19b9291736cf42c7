from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragvet.runs import Config, Run

__all__ = ["run"]

_INTERRUPTED = 130
"""The exit code shells give a program that Ctrl-C ended."""


def run(
    *,
    config: Annotated[Path, typer.Option(help="What to run.", show_default=True)] = Path("ragvet.toml"),
    repeat: Annotated[
        int | None, typer.Option(help="Ask each case so often, whatever the configuration says.", min=1)
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="RUN", help="Go on with this run: its folder, its id, or latest.")
    ] = None,
    budget: Annotated[
        float | None, typer.Option(help="Stop cleanly before a model judge has cost this many US dollars.", min=0)
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="With --resume: ask again where the target or the judge failed.")
    ] = False,
    runs: Annotated[Path, typer.Option(help="Folder the runs lie in.", show_default=True)] = Path(".ragvet/runs"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the run's folder and manifest as JSON.")] = False,
) -> None:
    """Ask the system under test every case, judge what it answers, count scores, and write a report.

    A run that was stopped, or killed, goes on with --resume where it was: nothing finished is asked for twice.
    """
    from ragvet.errors import InputError, Problem
    from ragvet.runs import config_of, load_config, locate_run, plan, progress_bar, start
    from ragvet.runs import resume as continue_run

    if resume is None and retry_failed:
        action = "Name the run whose failures to retry."
        raise InputError(Problem("--retry-failed", "no run", "--resume RUN beside it", action))
    if resume is not None and repeat is not None:
        action = "Leave one of them out: a run keeps the number it was started with."
        raise InputError(Problem("--repeat", "--resume beside it", "one of the two", action))
    folder = None if resume is None else locate_run(resume, runs)
    settings = load_config(config) if folder is None else config_of(folder)
    with redirect_stdout(sys.stderr), progress_bar() as progress:  # what the target prints is no result
        planned = plan(_overridden(settings, repeat, budget), runs=runs)
        try:
            done = (
                start(planned, runs=runs, progress=progress)
                if folder is None
                else continue_run(folder, planned, retry_failed=retry_failed, progress=progress)
            )
        except KeyboardInterrupt as stopped:
            print(stopped, file=sys.stderr)
            raise typer.Exit(_INTERRUPTED) from None
    _show(done, as_json=as_json)


def _overridden(config: Config, repeat: int | None, budget: float | None) -> Config:
    """The configuration with what the command line says otherwise."""
    from ragvet.judging import ModelSettings

    if repeat is not None:
        config = config.model_copy(update={"target": config.target.model_copy(update={"repeat": repeat})})
    if budget is not None and isinstance(config.judge, ModelSettings):
        config = config.model_copy(update={"judge": config.judge.model_copy(update={"budget": budget})})
    return config


def _show(run: Run, *, as_json: bool) -> None:
    from ragvet.report import write_report

    report, page = write_report(run)
    if as_json:
        print(f'{{"folder": {json.dumps(str(run.folder))}, "manifest": {run.manifest.model_dump_json()}}}')
        return
    from rich.console import Console

    from ragvet.report import print_summary

    print_summary(report, Console(highlight=False))
    print(f"\n{page}\nragvet gate {run.id} --policy policy.toml")
