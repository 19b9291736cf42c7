"""`ragvet gate`: hold a finished run against a policy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ragvet.cli._console import terminal
from ragvet.numbers import seconds

if TYPE_CHECKING:
    from ragvet.errors import InputError
    from ragvet.gate import Decision
    from ragvet.runs import Run

__all__ = ["changes", "decided", "gate"]

_LATEST = "latest"


def gate(
    run: Annotated[
        str, typer.Argument(help="A run: its folder or its id. Left out: the latest one.", show_default=False)
    ] = _LATEST,
    policy: Annotated[
        Path, typer.Option(help="What was agreed: thresholds, by whom, when, and why.", show_default=True)
    ] = Path("policy.toml"),
    explain: Annotated[bool, typer.Option("--explain", help="Show the arithmetic of every rule in words.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the whole decision as JSON, every case listed.")
    ] = False,
    junit: Annotated[
        Path | None, typer.Option(help="Write JUnit XML to this file as well.", show_default=False)
    ] = None,
    stale_ok: Annotated[
        bool, typer.Option("--stale-ok", help="Decide though golden set, code or configuration changed since.")
    ] = False,
) -> None:
    """Decide: pass (exit code 0), fail (1), undecided or not measured (3).

    A rule passes when its whole interval is on the right side, with every unknown
    verdict and failed item at its worst, and fails when all of it is on the wrong
    side. Between, or with less evidence than its own terms ask for, it is undecided.
    """
    from ragvet.gate import print_decision, to_junit
    from ragvet.runs import Run

    judged = Run.open(run)
    doubts = changes(judged, policy) if run == _LATEST else ()
    if doubts and not stale_ok:
        raise _stale(judged, doubts)
    decision = decided(judged, policy, doubts)
    if junit is not None:
        _write(junit, to_junit(decision))
    if as_json:
        print(decision.model_dump_json(indent=2))
    else:
        print_decision(decision, terminal(), every_step=explain)
    raise typer.Exit(decision.exit_code)


def decided(run: Run, policy: Path, doubts: Sequence[str] = ()) -> Decision:
    """What the policy in a file says of a run, and why it may not be the run that was meant."""
    from ragvet.gate import decide, load_policy

    decision = decide(load_policy(policy), run)
    told = (f"the latest run: {doubt}" for doubt in doubts)
    return decision.model_copy(update={"warnings": (*told, *decision.warnings)})


def changes(run: Run, policy: Path) -> tuple[str, ...]:
    """In what the latest run no longer speaks about what lies in the project of a policy."""
    from ragvet.runs import changed_since

    return tuple(changed_since(run.manifest, policy.with_name("ragvet.toml")))


def _stale(run: Run, doubts: Sequence[str]) -> InputError:
    from ragvet.errors import InputError, Problem

    finished = run.manifest.finished_at
    age = "" if finished is None else f", {seconds((datetime.now(UTC) - finished).total_seconds())} old"
    action = "Run again, name the run that is meant, or decide about this one all the same with --stale-ok."
    return InputError(
        Problem(f"the latest run, {run.id}{age}", "; ".join(doubts), "a run of what lies here now", action)
    )


def _write(path: Path, text: str) -> None:
    from ragvet.errors import InputError, Problem, cause

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        action = "Name a file that can be written."
        raise InputError(Problem(f"--junit {path}", cause(error), "a file to write to", action)) from error
