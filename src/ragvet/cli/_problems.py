"""Many problems of one kind, printed as one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ragvet.errors import Problem

__all__ = ["gathered"]

_NAMED = 3
"""So many records are named of those that share a problem."""
_INDEX = re.compile(r"\[\d+\]")


def gathered(problems: Iterable[Problem]) -> list[str]:
    """One line for each thing that is wrong; records in which the same is wrong are named together."""
    alike: dict[Problem, list[Problem]] = {}
    for problem in problems:
        kind = replace(problem, record=None, field=_INDEX.sub("[…]", problem.field or ""))
        alike.setdefault(kind, []).append(problem)
    return [_line(kind, group) for kind, group in alike.items()]


def _line(kind: Problem, group: Sequence[Problem]) -> str:
    first = group[0]
    field = first.field if all(problem.field == first.field for problem in group) else kind.field
    return str(replace(first, record=_named([*dict.fromkeys(_records(group))]), field=field))


def _records(group: Iterable[Problem]) -> Iterator[str]:
    return (problem.record for problem in group if problem.record is not None)


def _named(records: Sequence[str]) -> str | None:
    more = f" and {len(records) - _NAMED:,} more" if len(records) > _NAMED else ""
    return ", ".join(records[:_NAMED]) + more or None
