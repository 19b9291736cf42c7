"""What a policy can be about. A package that can be gated adds one line here and a module that knows the subject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

import polars as pl

from ragvet.dataset import Dataset
from ragvet.errors import Problem
from ragvet.gate._decision import RuleResult
from ragvet.gate._entry import Entry, Placed
from ragvet.records import MetricDeclaration
from ragvet.runs import Manifest, RetrievalConfig

__all__ = ["SUBJECTS", "GatedRun", "Subject", "subject"]

SUBJECTS: Mapping[str, str] = {
    "score": "ragvet.gate._score",
    "tested": "ragvet.gate._tested",
}
"""Name of the subject → the module whose `SUBJECT` knows it; it is loaded where a policy names it."""


class GatedRun(Protocol):
    """What the gate reads of a run; `ragvet.runs.Run` is one. It needs no document text."""

    @property
    def manifest(self) -> Manifest: ...

    @property
    def declarations(self) -> Mapping[str, MetricDeclaration]: ...

    def scores(self) -> pl.DataFrame: ...

    def case_frame(self) -> pl.DataFrame: ...


class Subject(Protocol):
    """One thing a policy can be about: how its entries are written, and how they are decided."""

    @property
    def entry(self) -> type[Entry]:
        """What an entry holds."""
        ...

    def faults(self, written: Mapping[str, Any]) -> Iterator[Problem]:
        """What cannot be meant, of an entry as it was written, before anything has run; without its place."""
        ...

    def foresee(self, placed: Sequence[Placed], dataset: Dataset, retrieval: RetrievalConfig) -> Iterator[Problem]:
        """Entries that no run of this golden set at these depths will answer; without the file."""
        ...

    def decide(self, placed: Sequence[Placed], run: GatedRun) -> list[RuleResult]:
        """At least one result for each entry.

        Where the run holds nothing an entry speaks about, that is *not measured*: never a pass, and never a failure.

        Raises:
            InputError: an entry that cannot be meant of this run; without the file.
        """
        ...

    def doubts(self, placed: Sequence[Placed], run: GatedRun) -> Iterator[str]:
        """What a reader should know beside the results."""
        ...


def subject(name: str) -> Subject:
    """The subject of that name.

    Raises:
        KeyError: there is none.
    """
    return import_module(SUBJECTS[name]).SUBJECT
