"""`ragvet report`: a finished run for people, pull requests and machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragvet.cli._console import terminal
from ragvet.cli._gate import changes, decided

__all__ = ["report"]


def report(  # noqa: PLR0917 - one parameter per option
    run: Annotated[
        str, typer.Argument(help="A run: its folder or its id. Left out: the latest one.", show_default=False)
    ] = "latest",
    html: Annotated[
        Path | None, typer.Option(help="Write a self-contained HTML page to this file.", show_default=False)
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write Markdown for a pull request to this file.", show_default=False)
    ] = None,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML to this file.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON instead of tables.")] = False,
    content: Annotated[
        bool,
        typer.Option("--content/--no-content", help="Leave out every text of questions, documents and answers."),
    ] = True,
    every_metric: Annotated[
        bool, typer.Option("--every-metric", help="Show all metrics, not only those to look at first.")
    ] = False,
    policy: Annotated[
        Path | None, typer.Option(help="Show what the gate says by this policy as well.", show_default=False)
    ] = None,
) -> None:
    """Show a finished run: per stratum, worst first, every number with its counts.

    Nothing is run or judged again. Without options the summary is printed. The exit
    code is 0 whatever the report says; ragvet gate decides.
    """
    from ragvet.report import build, print_summary, to_junit, to_markdown, write_report
    from ragvet.runs import Run

    finished = Run.open(run)
    decision = (
        None if policy is None else decided(finished, policy, changes(finished, policy) if run == "latest" else ())
    )
    if html is None:
        made = build(finished, gate=decision, content=content)
    else:
        made, _ = write_report(finished, html, gate=decision, content=content)
    if markdown is not None:
        _write("--markdown", markdown, to_markdown(made))
    if junit is not None:
        _write("--junit", junit, to_junit(made))
    if as_json:
        print(made.model_dump_json(indent=2))
    elif (html, markdown, junit) == (None, None, None):
        page = finished.folder / "report.html"
        print_summary(made, terminal(), every_metric=every_metric, page=page if page.is_file() else None)


def _write(option: str, path: Path, text: str) -> None:
    from ragvet.errors import InputError, Problem, cause

    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        action = "Name a file that can be written."
        raise InputError(Problem(f"{option} {path}", cause(error), "a file to write to", action)) from error
