"""One sitting at a run: what is not done yet is done, and the run is finished or interrupted."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from ragvet.calling import run_to_end
from ragvet.errors import BudgetReached
from ragvet.judging import AnyJudge, judge_each
from ragvet.records import Case, JudgeFailure, Trace, Verdicts
from ragvet.runs._bundle import Run
from ragvet.runs._count import count
from ragvet.runs._evidence_files import restore_journal, write_judged
from ragvet.runs._journal import JOURNAL, Journal
from ragvet.runs._manifest import Manifest, to_go_on, write_manifest
from ragvet.runs._progress import Progress
from ragvet.runs._ranked import Ranked

__all__ = ["Sitting", "TraceSource"]


class TraceSource(Protocol):
    """Where the traces of a run come from: a target that is asked, or another run."""

    def gather(self, run: Run, journal: Journal) -> tuple[Run, Ranked | None]:
        """The run with its traces and cases on disk, and its rankings; None: they are on disk as well."""
        ...


@dataclass(frozen=True)
class Sitting:
    """One sitting at a run.

    Attributes:
        folder: of the run, locked.
        manifest: as the sitting finds it.
        progress: told about every finished item.
    """

    folder: Path
    manifest: Manifest
    progress: Progress
    began: float = field(default_factory=time.monotonic)

    def complete(self, evidence: TraceSource, judge: AnyJudge | None, *, retry_failed: bool = False) -> Run:
        """The finished run: its traces gathered, every answer judged, everything counted.

        Args:
            evidence: where its traces come from.
            judge: who judges; None: nobody.
            retry_failed: whether to ask again where target or judge failed; it opens a finished run again.

        Raises:
            KeyboardInterrupt: it was stopped; the message says how to go on.
            BudgetReached: the same.
        """
        if self.manifest.status == "finished":
            with Journal(self.folder / f"{JOURNAL}.new", empty=True) as journal:
                restore_journal(Run(self.folder, self.manifest), journal)
            journal.path.replace(self.folder / JOURNAL)
        with self._journal(retry_failed=retry_failed) as journal:
            run, ranked = evidence.gather(Run(self.folder, self.manifest), journal)
            if judge is not None and run.manifest.answers:
                self._judge(run, journal, judge)
            write_judged(run, journal)
        self._write(count(run, ranked), status="finished", finished_at=datetime.now(UTC), seconds=self._seconds())
        (self.folder / JOURNAL).unlink()
        return Run.open(self.folder)

    def _judge(self, run: Run, journal: Journal, judge: AnyJudge) -> None:
        """Puts every answer that is not judged yet to the judge."""
        self.progress.stage("judge", run.answered(), journal.judged)

        def keep(_: int, judged: Verdicts | JudgeFailure) -> None:
            journal.add_judged(judged)
            self.progress.advance()

        run_to_end(lambda: judge_each(judge, _unjudged(run, journal), keep))

    @contextmanager
    def _journal(self, *, retry_failed: bool) -> Generator[Journal]:
        """The open journal of the run, whose manifest says `running` meanwhile."""
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

    def _seconds(self) -> float:
        """What all sittings at the run took together."""
        return (self.manifest.seconds or 0.0) + time.monotonic() - self.began

    def _write(self, manifest: Manifest, **changes: Any) -> None:
        write_manifest(self.folder, manifest.model_copy(update=changes))


def _unjudged(run: Run, journal: Journal) -> Iterator[tuple[Case, Trace]]:
    cases = {case.id: case for case in run.cases()}
    for trace in run.traces():
        if trace.answer is not None and not journal.has_judged(trace.key):
            yield cases[trace.case_id], trace
