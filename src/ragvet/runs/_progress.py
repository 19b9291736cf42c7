"""How far a run has come."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

__all__ = ["Progress", "progress_bar", "silent"]


class Progress(Protocol):
    """Told about every finished item."""

    def stage(self, name: str, total: int, done: int = 0) -> None:
        """A new stage begins; `done` of its `total` items were finished in an earlier sitting."""
        ...

    def advance(self) -> None:
        """One more item of the stage is finished."""
        ...


class _Silent:
    def stage(self, name: str, total: int, done: int = 0) -> None:
        """Says nothing."""

    def advance(self) -> None:
        """Says nothing."""


silent: Progress = _Silent()


@contextmanager
def progress_bar() -> Generator[Progress]:
    """A bar on stderr with rate and remaining time; silent where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console  # noqa: PLC0415 - heavy, and needed at a terminal alone
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.progress import Progress as Bars  # noqa: PLC0415

    columns = (
        TextColumn("{task.description:>8}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True)) as bars:

        class _Bar:
            def stage(self, name: str, total: int, done: int = 0) -> None:
                self._task = bars.add_task(name, total=total, completed=done, rate="")

            def advance(self) -> None:
                bars.advance(self._task)
                speed = bars.tasks[self._task].speed
                bars.update(self._task, rate=f"{speed:.1f}/s" if speed else "")

        yield _Bar()
