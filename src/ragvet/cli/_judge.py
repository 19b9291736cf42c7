"""`ragvet judge`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from ragvet.cli._endings import configured, estimated, show_estimate, show_run, stoppable

if TYPE_CHECKING:
    from ragvet.judging.llm import AttackResult, Estimate, ModelSettings
    from ragvet.runs import Config, Run

__all__ = ["judge"]

_MOVED = 1


def judge(  # noqa: PLR0917 - typer reads options from the signature
    run: Annotated[str | None, typer.Argument(help="Finished run to judge: folder, id, or latest.")] = None,
    config: Annotated[Path, typer.Option(help="Names the judge, in its table judge.")] = Path("ragvet.toml"),
    estimate: Annotated[bool, typer.Option("--estimate", help="What judging RUN would take; send nothing.")] = False,
    budget: Annotated[float | None, typer.Option(help="US dollars; stop cleanly before it is passed.", min=0)] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again even where a reply is kept.")] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="In RUN itself, ask again where the judge failed.")
    ] = False,
    probe: Annotated[bool, typer.Option("--probe", help="Find out what the server can do; remember it.")] = False,
    attack: Annotated[bool, typer.Option("--attack", help="Try to talk the judge into verdicts.")] = False,
    output: Annotated[Path | None, typer.Option(help="Write the verdicts as JSON Lines, too.")] = None,
    runs: Annotated[Path, typer.Option(help="Folder the runs lie in.")] = Path(".ragvet/runs"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Judge a finished run's answers with the configured judge: a new run of the same traces; RUN stays as it is.

    A judging that was stopped goes on when its own run is named. Replies of a model are kept in .ragvet/ragvet.db, and
    not paid for twice. Or try the judge itself: --probe, and --attack, which exits with 1 where the judge was moved.
    """
    from ragvet.errors import InputError, Problem

    if sum((run is not None, probe, attack)) != 1:
        action = "Name a run, or give --probe or --attack."
        raise InputError(Problem("ragvet judge", "not one thing to do", "RUN, --probe or --attack", action))
    settings = configured(config, budget=budget)
    if probe:
        _show(_probed(_model(settings, config), runs), as_json=as_json)
    elif attack:
        tried = _attacked(settings, runs, fresh=fresh)
        _show(tried, as_json=as_json)
        if tried["moved"]:
            raise typer.Exit(_MOVED)
    elif estimate:
        show_estimate(_estimated(settings, str(run), runs, fresh=fresh), as_json=as_json)
    else:
        done = _judged(settings, str(run), runs, fresh=fresh, retry_failed=retry_failed)
        if output is not None:
            _write(done, output)
        show_run(done, as_json=as_json)


def _judged(config: Config, name: str, runs: Path, *, fresh: bool, retry_failed: bool) -> Run:
    from ragvet.runs import judge_run, locate_run, plan_judging, progress_bar

    folder = locate_run(name, runs)
    judging = plan_judging(config, runs=runs, fresh=fresh)
    with progress_bar() as progress, stoppable():
        return judge_run(folder, judging, runs=runs, retry_failed=retry_failed, progress=progress)


def _estimated(config: Config, name: str, runs: Path, *, fresh: bool) -> Estimate:
    from ragvet.runs import Run

    done = Run.open(name, runs)
    return estimated(config, done.cases(), done.traces(), runs, fresh=fresh)


def _probed(model: ModelSettings, runs: Path) -> dict[str, Any]:
    """The strictest mode the server can do, and what became of those tried before it."""
    from ragvet.calling import run_to_end
    from ragvet.judging import ReplyStore
    from ragvet.judging.llm import probe_server
    from ragvet.runs import replies

    store = ReplyStore(replies(runs))
    try:
        found = run_to_end(lambda: probe_server(model, store))
    finally:
        store.close()
    tried = {attempt.mode: attempt.refused or "works" for attempt in found.attempts}
    return {"model": model.model, "mode": found.mode, "server_fingerprint": found.server_fingerprint, "tried": tried}


def _attacked(config: Config, runs: Path, *, fresh: bool) -> dict[str, Any]:
    """How many attacks held, moved the judge, or left it without a verdict, and which."""
    from ragvet.calling import run_to_end
    from ragvet.judging.llm import attack, load_attacks
    from ragvet.runs import plan_judging

    judge = plan_judging(config, runs=runs, fresh=fresh).judge
    results = run_to_end(lambda: attack(judge, load_attacks(), _tell))
    counts = Counter(result.outcome for result in results)
    return {
        "judge": judge.fingerprint,
        "attacks": len(results),
        **{outcome: counts[outcome] for outcome in ("held", "moved", "failed")},
        "not_held": {one.attack.id: _about(one) for one in results if one.outcome != "held"},
    }


def _model(config: Config, source: Path) -> ModelSettings:
    from ragvet.errors import InputError, Problem
    from ragvet.judging import ModelSettings

    if isinstance(config.judge, ModelSettings):
        return config.judge
    found, expected = f"a judge of kind {config.judge.kind!r}", 'kind = "model" for --probe'
    raise InputError(Problem(str(source), found, expected, "Correct the table (see docs/judges.md).", field="judge"))


def _write(run: Run, output: Path) -> None:
    from ragvet.errors import BundleError, cause

    try:
        with output.open("w", encoding="utf-8") as file:
            file.writelines(judged.model_dump_json() + "\n" for judged in run.verdicts())
    except OSError as error:
        raise BundleError(f"{output}: cannot be written: {cause(error)}") from error


def _about(result: AttackResult) -> str:
    attack = result.attack
    why = f": {result.reason}" if result.reason else ""
    return f"{result.outcome} ({attack.where}, {attack.technique}, {attack.aim}){why}"


def _tell(result: AttackResult) -> None:
    if result.outcome != "held":
        print(f"{result.attack.id}: {_about(result)}", file=sys.stderr)


def _show(result: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(result, ensure_ascii=False, indent=2))
        return
    for name, value in result.items():
        title = name.replace("_", " ")
        if isinstance(value, dict):
            rows = cast("dict[str, str]", value)
            if rows:
                print("\n".join([f"{title}:", *(f"  {key}: {text}" for key, text in rows.items())]))
        else:
            print(f"{title}: {'unknown' if value is None else value}")
