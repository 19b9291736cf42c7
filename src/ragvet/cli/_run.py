"""`ragvet run`."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragvet.cli._endings import estimated, overridden, show_estimate, show_run, stoppable

if TYPE_CHECKING:
    from ragvet.judging.llm import Estimate
    from ragvet.runs import Config

__all__ = ["run"]

_ASSUMED = (
    "each answer says its reference answer, or refuses where it should, and was given the quotes of its gold passages "
    "alone; longer answers and contexts take more tokens, contexts above context_characters more requests"
)


def run(
    *,
    config: Annotated[Path | None, typer.Option(help="What to run.", show_default="ragvet.toml")] = None,
    repeat: Annotated[
        int | None, typer.Option(help="Ask each case so often, whatever the configuration says.", min=1)
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            help="Ask the cases of this split (dev, holdout, calibration) or of all. "
            "Left out: all but holdout and calibration."
        ),
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="RUN", help="Go on with this run: its folder, its id, or latest.")
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="What a model judge would take: requests, tokens, dollars; send nothing.")
    ] = False,
    budget: Annotated[
        float | None, typer.Option(help="Stop cleanly before judging has cost this many US dollars.", min=0)
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Ask a model judge again even where its reply is kept.")
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="With --resume: ask again where the target or the judge failed.")
    ] = False,
    runs: Annotated[Path, typer.Option(help="Folder the runs lie in.", show_default=True)] = Path(".ragvet/runs"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the run's folder and manifest as JSON.")] = False,
) -> None:
    """Ask the system under test every case, judge what it answers, count scores, and write a report.

    A run that was stopped, or killed, goes on with --resume where it was: nothing finished is asked for twice. Exits
    with 2 where every call, or every judgment, failed; how many failures are too many otherwise is for a gate to say.
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
    if resume is not None and config is not None:
        action = "Leave --config out: a run goes on with the configuration it was started with."
        raise InputError(Problem("--config", "--resume beside it", "one of the two", action))
    folder = None if resume is None else locate_run(resume, runs)
    config = config or Path("ragvet.toml")
    written = load_config(config) if folder is None else config_of(folder)
    settings = overridden(written, budget=budget, repeat=repeat, split=split)
    if estimate:
        show_estimate(_estimated(settings, runs, fresh=fresh), as_json=as_json)
        return
    with redirect_stdout(sys.stderr), progress_bar() as progress, stoppable():  # what the target prints is no result
        planned = plan(settings, runs=runs, fresh=fresh, policy=config.with_name("policy.toml"))
        done = (
            start(planned, runs=runs, progress=progress)
            if folder is None
            else continue_run(folder, planned, retry_failed=retry_failed, progress=progress)
        )
    show_run(done, as_json=as_json, project=config.parent)


def _estimated(config: Config, runs: Path, *, fresh: bool) -> Estimate:
    """What judging would take: of recorded answers, else of such as the golden set lets expect."""
    from ragvet.dataset import load_dataset
    from ragvet.judging import stand_in
    from ragvet.targets import RecordedTraces

    dataset = load_dataset(config.dataset.path, judgments=config.dataset.judgments)
    if config.target.recorded is not None:
        recorded = RecordedTraces.open(config.target.recorded)
        traces = recorded.read({case.id: case for case in dataset})
        return estimated(config, dataset.cases, traces, runs, fresh=fresh)
    expected = [stand_in(case, repeat) for case in dataset for repeat in range(config.target.repeat)]
    told = [trace for trace in expected if trace is not None]
    likely = estimated(config, dataset.cases, told, runs, fresh=fresh)
    return likely.model_copy(update={"unknown": len(expected) - len(told), "assumes": _ASSUMED})
