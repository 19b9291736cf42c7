from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ragvet.runs import Progress, Run

__all__ = ["run"]

_INTERRUPTED = 130
"""The exit code shells give a program that Ctrl-C ended."""


def run(
    config: Annotated[Path, typer.Option(help="What to run.", show_default=True)] = Path("ragvet.toml"),
    repeat: Annotated[
        int | None, typer.Option(help="Ask each case so often, whatever the configuration says.", min=1)
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="RUN", help="Go on with this run: its folder, its id, or latest.")
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
    from ragvet.runs import progress_bar

    if resume is None and retry_failed:
        action = "Name the run whose failures to retry."
        raise InputError(Problem("--retry-failed", "no run", "--resume RUN beside it", action))
    if resume is not None and repeat is not None:
        action = "Leave one of them out: a run keeps the number it was started with."
        raise InputError(Problem("--repeat", "--resume beside it", "one of the two", action))
    with progress_bar() as progress:
        try:
            done = (
                _new(config, repeat, runs, progress)
                if resume is None
                else _resumed(resume, runs, progress, retry_failed=retry_failed)
            )
        except KeyboardInterrupt as stopped:
            print(stopped or "interrupted", file=sys.stderr)
            raise typer.Exit(_INTERRUPTED) from None
    _show(done, as_json=as_json)


def _new(path: Path, repeat: int | None, runs: Path, progress: Progress) -> Run:
    from ragvet.runs import load_config
    from ragvet.runs import run as start_run

    config = load_config(path)
    if repeat is not None:
        config = config.model_copy(update={"target": config.target.model_copy(update={"repeat": repeat})})
    return start_run(config, runs=runs, progress=progress)


def _resumed(name: str, runs: Path, progress: Progress, *, retry_failed: bool) -> Run:
    from ragvet.runs import config_of, locate_run, plan, resume

    folder = locate_run(name, runs)
    return resume(folder, plan(config_of(folder)), retry_failed=retry_failed, progress=progress)


def _show(run: Run, *, as_json: bool) -> None:
    from ragvet.report import CasePages, build, to_html
    from ragvet.runs._storage import replace_text

    pages = CasePages(run)
    report = build(run, each=pages.add)
    pages.finish()
    page = run.folder / "report.html"
    replace_text(page, to_html(report, pages))
    if as_json:
        print(f'{{"folder": {json.dumps(str(run.folder))}, "manifest": {run.manifest.model_dump_json()}}}')
        return
    from rich.console import Console

    from ragvet.report import print_summary

    print_summary(report, Console(highlight=False))
    print(f"\n{page}\nragvet gate {run.id} --policy policy.toml")
