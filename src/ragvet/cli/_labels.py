"""`ragvet labels`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragvet.cli._blind_spots import print_blind_spots
from ragvet.cli._console import terminal
from ragvet.numbers import number
from ragvet.text import plain

if TYPE_CHECKING:
    from ragvet.runs import Run

__all__ = ["labels"]


def labels(
    path: Annotated[
        Path,
        typer.Argument(help="List of {case, gold, retrieved, supported_claims, total_claims}: JSON, JSON Lines, YAML."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one record per case, and the means, as JSON.")] = False,
) -> None:
    """Score declared labels: id recall, id precision and the share of supported claims of each case.

    A share of nothing (no gold ids, nothing retrieved, no claims) is undefined, never 0 or 1.
    """
    from ragvet.runs import labels_run, load_labels

    declared = load_labels(path)
    with tempfile.TemporaryDirectory(prefix="ragvet-") as folder:
        run = labels_run(declared, source=str(path), runs=Path(folder) / "runs")
        rows = list(_rows(run, [label.case for label in declared]))
        means = _means(run)
    if as_json:
        print(json.dumps({"cases": rows, "means": means}, ensure_ascii=False, indent=2))
        return
    from rich.table import Table
    from rich.text import Text

    headings = [heading for heading, _ in _metrics(run)]
    table = Table("case", *headings, box=None, pad_edge=False)
    for row in rows:
        table.add_row(Text(plain(row["case"])), *(_cell(row[heading]) for heading in headings))
    table.add_row(f"mean of {len(rows)}", *(_cell(means[heading]) for heading in headings))
    console = terminal(soft_wrap=True)
    console.print(table)
    for heading in headings:
        for reason, count in means[heading]["undefined"].items():
            console.print(f"{heading} undefined for {count}: {reason}", markup=False)
    print_blind_spots(console, {heading: means[heading]["does_not_catch"] for heading in headings})


def _metrics(run: Run) -> tuple[tuple[str, str], ...]:
    """Heading → the metric's name in the run."""
    depth = run.manifest.deep_k
    return (
        ("id recall", f"recall@{depth}"),
        ("id precision", f"precision_returned@{depth}"),
        ("support", "faithfulness"),
    )


def _rows(run: Run, cases: list[str]) -> Iterator[dict[str, Any]]:
    found = {(row["case_id"], row["metric"]): row for row in run.scores().iter_rows(named=True)}
    for case in cases:
        scores = {heading: found[case, metric] for heading, metric in _metrics(run)}
        yield {
            "case": case,
            **{heading: {"value": score["value"], "reason": score["reason"]} for heading, score in scores.items()},
        }


def _means(run: Run) -> dict[str, Any]:
    summaries = {summary.metric: summary for summary in run.summaries() if summary.stratum == "all"}
    return {
        heading: {
            "value": summaries[metric].mean,
            "scored": summaries[metric].scored,
            "undefined": dict(summaries[metric].undefined),
            "does_not_catch": run.declarations[metric].does_not_catch,
        }
        for heading, metric in _metrics(run)
    }


def _cell(score: dict[str, Any]) -> str:
    if score["value"] is None:
        return "undefined"
    count = f" (n={score['scored']})" if "scored" in score else ""
    return f"{number(score['value'])}{count}"
