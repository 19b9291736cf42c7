"""The golden set: cases, what its judgments mean, and everything wrong with the file it was written in."""

from __future__ import annotations

import typing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ragvet.dataset._case_rules import case_problems
from ragvet.dataset._fingerprint import fingerprint
from ragvet.dataset._salvage import salvaged
from ragvet.dataset._validation import repeated, validate
from ragvet.errors import InputError, Problem
from ragvet.files import RawFile, RawRecord, read_records
from ragvet.heap import rare_collections
from ragvet.records import Case, JudgmentScope, Split
from ragvet.text import nearest, plain, shown

_HEADER = frozenset({"judgments"})
_SCOPES: tuple[str, ...] = typing.get_args(JudgmentScope)


@dataclass(frozen=True)
class Dataset:
    """Cases and what their judgments mean.

    Attributes:
        cases: in the order of the file.
        judgments: `exhaustive` or `listed`; None where nobody has declared it.
        source: where the cases come from, as the user named it.
        lines: case id → line of the file, where there is one.
        partial: what can be read of cases that cannot be used, so that a check sees their evidence too.
        left_out: split → how many cases of it are not among `cases`, since they were not asked for.
    """

    cases: tuple[Case, ...]
    judgments: JudgmentScope | None = None
    source: str = "cases"
    lines: Mapping[str, int] = field(default_factory=dict[str, int], repr=False, compare=False)
    partial: tuple[Case, ...] = field(default=(), repr=False, compare=False)
    left_out: Mapping[str, int] = field(default_factory=dict[str, int], compare=False)

    @classmethod
    def of(cls, cases: Iterable[Case | Mapping[str, Any]], *, judgments: JudgmentScope | None = None) -> Dataset:
        """A dataset of cases made in Python, held to the same rules as a file.

        >>> case = {"id": "q1", "question": "Who wrote it?", "category": "facts", "expected_behaviour": "refuse"}
        >>> len(Dataset.of([case], judgments="listed").cases)
        1

        Raises:
            InputError: with every problem found.
        """
        file = RawFile("cases")
        for case in cases:
            file.add(case, None)
        return _complete(*build(file, judgments))

    @cached_property
    def fingerprint(self) -> str:
        """Hash of what the cases and the judgment scope say; file format, key order and case order do not matter."""
        return fingerprint(self.cases, {"judgments": self.judgments})

    def asked(self, split: Split | Literal["all"] | None = None) -> Dataset:
        """The cases a run asks.

        Args:
            split: those of one split; `all`: every case; None: all but holdout and calibration cases, so that nobody
                tunes against them unknowingly.

        Raises:
            InputError: there is no such case.
        """
        wanted = {"all": {*typing.get_args(Split), None}, None: {"dev", None}}.get(split, {split})
        cases = tuple(case for case in self.cases if case.split in wanted)
        if self.cases and not cases:
            found = f"no case of split {split}" if split else "only holdout and calibration cases"
            action = "Name another one with --split: dev, holdout, calibration or all."
            raise InputError(Problem(self.source, found, "at least one case to ask", action, field="split"))
        left = Counter(case.split or "" for case in self.cases if case.split not in wanted)
        return replace(self, cases=cases, left_out=dict(sorted(left.items())))

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)

    def place(self, case: Case) -> str:
        """How a person finds the case in its source: its id, and its line where there is one."""
        line = self.lines.get(case.id)
        name = plain(case.id)
        return name if line is None else f"{name} (line {line})"


def load_dataset(path: str | Path, *, judgments: JudgmentScope | None = None) -> Dataset:
    """The golden set in a JSON, JSON Lines or YAML file.

    Args:
        path: a list of cases, or `{"judgments": …, "cases": [ … ]}`; in JSON Lines, `{"judgments": …}` may stand alone
            on the first line.
        judgments: the judgment scope, where the file does not declare it.

    Raises:
        InputError: with every problem of the file.
    """
    return _complete(*read_dataset(path, judgments=judgments))


def read_dataset(path: str | Path, *, judgments: JudgmentScope | None = None) -> tuple[Dataset, list[Problem]]:
    """The cases that are good and every problem of the others; `check` goes on with what there is."""
    with rare_collections():
        file = read_records(Path(path), records_key="cases", header_keys=_HEADER)
        return build(file, judgments)


def build(file: RawFile, judgments: JudgmentScope | None) -> tuple[Dataset, list[Problem]]:
    """Cases out of raw records, held to the rules of a single case and of the set."""
    scope = _scope(file, judgments)
    placed, invalid = validate(Case, file.records, file.source)
    if not file.records and not file.problems:
        file.problem("no cases", "at least one case", 'Write the cases as a list, or under "cases".')
    kept = _first_of_each_id(placed)
    partial = salvaged(file.records, placed) if invalid else []
    again = repeated(file.records, file.source, "an id of its own for every case")
    unusable = (
        problem for case, record in (*placed, *partial) for problem in case_problems(case, record.name(), file.source)
    )
    problems = [*file.problems, *invalid, *again, *unusable]
    lines = {case.id: record.line for case, record in (*partial, *kept) if record.line is not None}
    cases, rest = (tuple(case for case, _ in found) for found in (kept, partial))
    return Dataset(cases, scope, file.source, lines, rest), problems


def _complete(dataset: Dataset, problems: Sequence[Problem]) -> Dataset:
    if problems:
        raise InputError(problems)
    return dataset


def _scope(file: RawFile, argument: JudgmentScope | None) -> JudgmentScope | None:
    """The declared scope; an argument that contradicts the file is a problem, not a winner."""
    for key in file.header:
        if key not in _HEADER:
            meant = nearest(key, [*_HEADER, "cases"])
            action = f"Did you mean {meant!r}?" if meant else "Remove it, or write the file as a list of cases."
            file.problem(f"the key {key!r} beside the cases", "judgments, cases", action)
    declared = file.header.get("judgments")
    for value, field_name in ((declared, "judgments"), (argument, "argument judgments")):
        if value is not None and value not in _SCOPES:
            action = "Write exhaustive if whatever is not listed is non-relevant; listed if it is simply not judged."
            file.problems.append(Problem(file.source, shown(value), " or ".join(_SCOPES), action, field=field_name))
            return None
    if declared is not None and argument is not None and declared != argument:
        file.problem(
            f"judgments {declared!r} in the file and {argument!r} as argument", "one answer", "Leave one of them out."
        )
    return declared or argument


def _first_of_each_id(placed: Sequence[tuple[Case, RawRecord]]) -> list[tuple[Case, RawRecord]]:
    first: dict[str, tuple[Case, RawRecord]] = {}
    for case, record in placed:
        first.setdefault(case.id, (case, record))
    return list(first.values())
