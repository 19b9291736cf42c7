"""Answers handed out to processes that judge them, where a judge is bound by nothing but the cores there are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import chain, islice
from typing import Protocol, runtime_checkable

from ragvet.records import Case, JudgeFailure, Trace, Verdicts

Judged = Verdicts | JudgeFailure
Item = tuple[Case, Trace]

_FEWEST = 400
"""Answers from which on it takes less time to start processes than they save."""
_AT_A_TIME = 16
"""Answers a process is given at a time: what is judged is kept no later than these are done."""


class Workers(Protocol):
    """Processes that judge as some judge does."""

    @property
    def size(self) -> int:
        """How many there are."""
        ...

    async def judge(self, items: Sequence[Item]) -> Sequence[Judged | None]:
        """What was judged of each item, in their order; None: the judge itself must look at it."""
        ...


@runtime_checkable
class Divisible(Protocol):
    """A judge whose work processes can share."""

    def in_processes(self) -> AbstractContextManager[Workers] | None:
        """Processes that judge as it does, gone where the context ends; None: it does as well alone."""
        ...


def workers_for(judge: object, items: Iterable[Item]) -> tuple[AbstractContextManager[Workers] | None, Iterator[Item]]:
    """The processes that are worth starting for these items, if any, and the items."""
    if not isinstance(judge, Divisible):
        return None, iter(items)
    left = iter(items)
    first = list(islice(left, _FEWEST))
    return (judge.in_processes() if len(first) == _FEWEST else None), chain(first, left)


async def hand_out(
    workers: Workers,
    left: Iterator[tuple[int, Item]],
    here: Callable[[Item], Awaitable[Judged]],
    keep: Callable[[int, Judged], None],
) -> None:
    """Keeps one of the processes busy until no item is left; what it cannot judge is judged `here`."""
    while numbered := list(islice(left, _AT_A_TIME)):
        results = await workers.judge([item for _, item in numbered])
        for (number, item), result in zip(numbered, results, strict=True):
            keep(number, result or await here(item))
