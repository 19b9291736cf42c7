"""The HTML report on disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ragvet.gate import Decision
from ragvet.heap import rare_collections
from ragvet.report._build import build
from ragvet.report._html import html_pieces
from ragvet.report._model import Report
from ragvet.report._pages import CasePages
from ragvet.runs import Run, replace_file

__all__ = ["write_report"]


@rare_collections()
def write_report(
    run: Run, path: Path | None = None, *, gate: Decision | None = None, content: bool = True
) -> tuple[Report, Path]:
    """Writes the HTML report of a run and returns what it says and where it lies.

    Args:
        run: a finished run.
        path: where to; by default `report.html` in the run's folder.
        gate: the gate's decision, if there is one.
        content: False leaves out every text of questions, documents and answers.

    Raises:
        BundleError: the run cannot be read, or the file cannot be written.
    """
    pages = CasePages(run, content=content)
    report = build(run, gate=gate, each=pages.add, content=content)
    pages.finish()
    path = path or run.folder / "report.html"
    replace_file(path, lambda temporary: _write(temporary, html_pieces(report, pages)))
    return report, path


def _write(path: Path, pieces: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        file.writelines(pieces)
