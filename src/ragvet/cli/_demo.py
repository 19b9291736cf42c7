"""`ragvet demo`."""

from __future__ import annotations

from typing import Annotated

import typer

from ragvet.cli._activation import activation
from ragvet.cli._console import terminal

__all__ = ["demo"]


def demo(
    as_json: Annotated[bool, typer.Option("--json", help="Print the report and the gate's decision as JSON.")] = False,
) -> None:
    """Evaluate a small assistant over the documentation inside this Python.

    No network, no keys. Its golden set, corpus, config and policy are written
    to .ragvet/demo, the run to .ragvet/runs. The exit code is the gate's.
    """
    from ragvet.demo import FOLDER, tell, write_project
    from ragvet.gate import decide, load_policy
    from ragvet.report import write_report
    from ragvet.runs import load_config, progress_bar, run

    config = load_config(write_project())
    with progress_bar() as progress:
        done = run(config, progress=progress)
    policy = FOLDER / "policy.toml"
    decision = decide(load_policy(policy), done)
    report, page = write_report(done, gate=decision)
    if as_json:
        print(f'{{"report": {report.model_dump_json()}, "decision": {decision.model_dump_json()}}}')
    else:
        commands = activation() | {
            f"ragvet gate --policy {policy} --explain": "the arithmetic behind every rule",
            f"ragvet run --config {FOLDER / 'ragvet.toml'}": "the same again, by hand",
            "ragvet init my-project": "a project of your own, ready to run",
        }
        tell(report, decision, terminal(), page=page, commands=commands)
    raise typer.Exit(decision.exit_code)
