from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragvet.errors import BudgetReached
from ragvet.runs._bundle import Run
from ragvet.runs._journal import JOURNAL, Journal
from ragvet.runs._manifest import Manifest, to_go_on, write_manifest

__all__ = ["Sitting"]


@dataclass(frozen=True)
class Sitting:
    """One sitting at a run: what is not done yet is done, and the run is finished or interrupted.

    Attributes:
        folder: of the run, locked.
        manifest: as the sitting finds it.
    """

    folder: Path
    manifest: Manifest
    began: float = field(default_factory=time.monotonic)

    @contextmanager
    def journal(self, *, retry_failed: bool) -> Generator[Journal]:
        """The open journal of the run, whose manifest says `running` meanwhile.

        Raises:
            KeyboardInterrupt: it was stopped; the message says how to go on.
            BudgetReached: the same.
        """
        self._write(self.manifest, status="running", finished_at=None)
        with Journal(self.folder / JOURNAL) as journal:
            if retry_failed:
                journal.forget_failed()
            try:
                yield journal
            except (KeyboardInterrupt, BudgetReached) as stopped:
                self._write(self.manifest, status="interrupted", seconds=self._seconds())
                why = f"{str(stopped).removesuffix('.')}. " if str(stopped) else ""
                raise type(stopped)(f"{why}Stopped; go on with: {to_go_on(self.manifest, self.folder)}") from None

    def finish(self, counted: Manifest) -> Run:
        """The finished run, under the manifest of what was counted."""
        self._write(counted, status="finished", finished_at=datetime.now(UTC), seconds=self._seconds())
        (self.folder / JOURNAL).unlink()
        return Run.open(self.folder)

    def _seconds(self) -> float:
        """What all sittings at the run took together."""
        return (self.manifest.seconds or 0.0) + time.monotonic() - self.began

    def _write(self, manifest: Manifest, **changes: Any) -> None:
        write_manifest(self.folder, manifest.model_copy(update=changes))
