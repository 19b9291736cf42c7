"""`ragvet score`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["score"]


def score(
    run: Annotated[
        str, typer.Argument(help="A run: its folder or its id. Left out: the latest one.", show_default=False)
    ] = "latest",
    runs: Annotated[Path, typer.Option(help="Folder the runs lie in.", show_default=True)] = Path(".ragvet/runs"),
    as_json: Annotated[bool, typer.Option("--json", help="Print every summary as JSON.")] = False,
) -> None:
    """Count the scores of a finished run anew, from its traces and verdicts, asking neither target nor judge."""
    from ragvet.runs import locate_run
    from ragvet.runs import score as count_anew

    done = count_anew(locate_run(run, runs))
    if as_json:
        print(f"[{', '.join(summary.model_dump_json() for summary in done.summaries())}]")
    else:
        print(f"{done.folder}: {done.scores().height:,} scores of {len(done.declarations)} metrics")
