"""What a report reads of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

import polars as pl

from ragvet.records import Case, JudgeFailure, MetricDeclaration, Summary, Trace, Verdicts
from ragvet.runs import Manifest

__all__ = ["FinishedRun"]


class FinishedRun(Protocol):
    """What a report reads of a run; `ragvet.runs.Run` is one. Frames are described in docs/architecture.md."""

    @property
    def manifest(self) -> Manifest: ...

    @property
    def declarations(self) -> Mapping[str, MetricDeclaration]: ...

    def cases(self) -> list[Case]: ...

    def judged_traces(self) -> Iterator[tuple[Trace, Verdicts | JudgeFailure | None]]: ...

    def scan_scores(self) -> pl.LazyFrame: ...

    def scan_rankings(self) -> pl.LazyFrame: ...

    def summaries(self) -> list[Summary]: ...
