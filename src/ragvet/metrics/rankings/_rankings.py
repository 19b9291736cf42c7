"""Many ranked lists with all that is known of their items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragvet.errors import InputError, Problem

UNJUDGED = -1
EMPTY = -2
UNBOUNDED = float("inf")
NEVER = np.iinfo(np.int64).max
MAX_GRADE = 100

Assumption = Literal["unjudged-as-nonrelevant", "condensed"]
"""What other tools do with unjudged items: call them non-relevant, or take them out of the ranking."""


class Reach(NamedTuple):
    """Where a ranking reaches one gold passage.

    Attributes:
        rank: of the item with which all of it is reached, counted from 1; None: no item is known to.
        any_of, all_of: the group the passage belongs to.
        maybe: the rank of the first item of which nobody can tell whether it carries it; None: there is none.
        found: the rank from which on it counts as found; None: `rank`.
        partial: the ranks at which more of it is reached, but not all, and the share that is then.
    """

    rank: int | None
    any_of: str | None = None
    all_of: str | None = None
    maybe: int | None = None
    found: int | None = None
    partial: tuple[tuple[int, float], ...] = ()

    @property
    def counts_from(self) -> int:
        """The rank from which on it is found for sure, `NEVER` where it may not be."""
        return self.found or self.rank or NEVER


class Partial(NamedTuple):
    """Where more of units is reached, but not all: the unit, ascending, the rank, and the share reached with it."""

    unit: NDArray[np.int64]
    rank: NDArray[np.int64]
    share: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The annotated evidence of every query and the rank at which each unit of it was first reached.

    A unit is one gold passage, or one group: `any_of` is reached with its first passage, `all_of` with its last.

    Attributes:
        offsets: int64 (n + 1,); the units of query i are ``ranks[offsets[i]:offsets[i + 1]]``.
        ranks: int64, counted from 1, the rank by which all of the unit is reached; `NEVER` where that is not sure.
        earliest: int64, the rank at which it is reached if every item that nobody can place carries it; at most
            `ranks`. None: every item is placed, and it is `ranks`.
        partial: what is reached of units before. None: nothing is known to be reached in part.
    """

    offsets: NDArray[np.int64]
    ranks: NDArray[np.int64]
    earliest: NDArray[np.int64] | None = None
    partial: Partial | None = None

    @classmethod
    def from_passages(cls, queries: Iterable[Iterable[Reach]]) -> Evidence:
        """The units of each query from its passages.

        >>> Evidence.from_passages([[Reach(3, any_of="a"), Reach(1, any_of="a"), Reach(None, maybe=2)]]).earliest
        array([1, 2])
        """
        offsets, ranks, earliest = [0], list[int](), list[int]()
        partial: list[tuple[int, int, float]] = []
        for passages in queries:
            reaches = list(passages)
            units = _units(reaches)
            for unit, members in enumerate(units, start=len(ranks)):
                partial += [(unit, *step) for reach in members if reach.all_of is None for step in reach.partial]
            ranks += [_reached([(one.rank or NEVER, one.counts_from) for one in members], members) for members in units]
            earliest += [
                _reached([(min(one.rank or NEVER, one.maybe or NEVER), min(one.counts_from, one.maybe or NEVER))
                          for one in members], members)
                for members in units
            ]  # fmt: skip
            offsets.append(len(ranks))
        unit, rank, share = zip(*partial, strict=True) if partial else ((), (), ())
        steps = Partial(np.array(unit, np.int64), np.array(rank, np.int64), np.array(share, np.float64))
        return cls(
            np.array(offsets, np.int64), np.array(ranks, np.int64), np.array(earliest, np.int64),
            steps if partial else None,
        )  # fmt: skip

    def rows(self, start: int, stop: int) -> Evidence:
        """The evidence of the queries ``start`` to ``stop`` (excluded)."""
        offsets = self.offsets[start : stop + 1]
        units = slice(offsets[0], offsets[-1])
        earliest = None if self.earliest is None else self.earliest[units]
        return Evidence(offsets - offsets[0], self.ranks[units], earliest, self._partial(offsets[0], offsets[-1]))

    def _partial(self, first: int, last: int) -> Partial | None:
        """What is reached in part of the units ``first`` to ``last`` (excluded)."""
        if self.partial is None:
            return None
        steps = slice(*np.searchsorted(self.partial.unit, (first, last)))
        return Partial(self.partial.unit[steps] - first, self.partial.rank[steps], self.partial.share[steps])

    def settled(self) -> Evidence:
        """The same, were no item that nobody can place to carry any of it."""
        return replace(self, earliest=None)


def _units(reaches: Iterable[Reach]) -> list[list[Reach]]:
    """The passages of each unit."""
    units: dict[tuple[str, str | int], list[Reach]] = {}
    for number, reach in enumerate(reaches):
        if reach.any_of is not None:
            units.setdefault(("any", reach.any_of), []).append(reach)
        elif reach.all_of is not None:
            units.setdefault(("all", reach.all_of), []).append(reach)
        else:
            units["one", number] = [reach]
    return list(units.values())


def _reached(ranks: Sequence[tuple[int, int]], members: Sequence[Reach]) -> int:
    """The rank of a unit, given those at which its passages are reached whole and found.

    Of alternatives the first that is whole decides; what counts only together is there once each is found.
    """
    together = members[0].any_of is None and members[0].all_of is not None
    return max(found for _, found in ranks) if together else min(rank for rank, _ in ranks)


@dataclass(frozen=True, slots=True)
class Rankings:
    """A batch of ranked lists, one row a query, with what is known about each item.

    Attributes:
        labels: int8 (n, depth), best first: the grade (0: judged, not relevant), `UNJUDGED`, or `EMPTY` after the end.
        judged: int64 (n, G + 1): how many items of each grade 0..G the whole judged set holds, ranked or not. G is
            the top of the grading scale: an unjudged item may turn out to have any grade up to G.
        unjudged_elsewhere: float64 (n,): unjudged items that are not in the ranking. 0 under scope `exhaustive`,
            `UNBOUNDED` where their number is not known.
        redundant: bool (n, depth): the item only repeats evidence an earlier one carried. It counts as relevant, and as
            nothing new; `judged` does not count it. None: not known.
        unsure: bool (n, depth): nobody can tell whether the item only repeats evidence; it is unjudged, and not in
            `redundant`. None: there is no such item.
        at_least: int8 (n, depth): the grade that an unjudged item has at least, a repeat or not; 0 where nothing is
            known of it. None: nowhere is.
        evidence: the annotated evidence, for coverage. None: each judged relevant item is one unit.
        completed: int64 (n, depth): the rank by which what an item is the first to carry is found, its own or a later
            one; `NEVER`. None: its own everywhere.
        adds: bool (n, depth): the item brings more of evidence that an earlier one carried in part, so that it
            repeats nothing. None: no item does.
        chunks: the annotated chunk ids, each of each passage a unit, for chunk coverage. None: as for `evidence`.
        uncounted: whether any number of non-relevant items that `judged` does not count may stand outside the
            rankings: under scope `exhaustive`, where nobody says how many items there are.
    """

    labels: NDArray[np.int8]
    judged: NDArray[np.int64]
    unjudged_elsewhere: NDArray[np.float64]
    redundant: NDArray[np.bool_] | None = None
    evidence: Evidence | None = None
    unsure: NDArray[np.bool_] | None = None
    at_least: NDArray[np.int8] | None = None
    completed: NDArray[np.int64] | None = None
    adds: NDArray[np.bool_] | None = None
    chunks: Evidence | None = None
    uncounted: bool = False

    def __post_init__(self) -> None:
        n = len(self.labels)
        shapes = {
            "labels": self.labels.ndim == 2 and self.labels.dtype == np.int8,  # noqa: PLR2004 - a matrix
            "judged": self.judged.ndim == 2 and len(self.judged) == n and self.judged.shape[1] >= 2,  # noqa: PLR2004 - grades 0 and 1
            "unjudged_elsewhere": self.unjudged_elsewhere.shape == (n,),
            "redundant": self.redundant is None or self.redundant.shape == self.labels.shape,
            "unsure": self.unsure is None or self.unsure.shape == self.labels.shape,
            "at_least": self.at_least is None or self.at_least.shape == self.labels.shape,
            "completed": self.completed is None or self.completed.shape == self.labels.shape,
            "adds": self.adds is None or self.adds.shape == self.labels.shape,
            "evidence": self.evidence is None or self.evidence.offsets.shape == (n + 1,),
        }
        wrong = [field for field, right in shapes.items() if not right]
        if wrong:
            raise ValueError(f"Rankings of {n} queries: wrong shape or type of {', '.join(wrong)}")

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def depth(self) -> int:
        """The length of the longest ranking the batch can hold."""
        return self.labels.shape[1]

    @property
    def top_grade(self) -> int:
        """G, the top of the grading scale."""
        return self.judged.shape[1] - 1

    @classmethod
    def from_items(
        cls,
        grades: Sequence[Sequence[int | None]],
        judged: Sequence[Sequence[int]],
        *,
        unjudged_elsewhere: float | Sequence[float],
        redundant: Sequence[Sequence[bool]] | None = None,
        evidence: Evidence | None = None,
    ) -> Rankings:
        """The batch for rankings given item by item.

        Args:
            grades: for each query the grade of each ranked item, best first; None: unjudged.
            judged: for each query how many items of grade 0, 1, …, G were judged, ranked or not. Rows may differ in
                length: the longest sets G.
            unjudged_elsewhere: items neither judged nor ranked, `UNBOUNDED` where unknown; one number for all or each.
            redundant: for each ranked item whether it only repeats evidence reached before.
            evidence: see `Rankings`.

        Raises:
            InputError: a grade outside 0..100, or more items of a grade ranked than judged.

        >>> Rankings.from_items([[1, None, 0]], [[4, 2]], unjudged_elsewhere=0).labels
        array([[ 1, -1,  0]], dtype=int8)
        """
        counts = np.zeros((len(grades), max([2, *map(len, judged)])), np.int64)
        labels = np.full((len(grades), max([1, *map(len, grades)])), EMPTY, np.int8)
        again = np.zeros(labels.shape, np.bool_)
        problems: list[Problem] = []
        for row, (items, known) in enumerate(zip(grades, judged, strict=True)):
            counts[row, : len(known)] = known
            if any(grade is not None and not 0 <= grade <= MAX_GRADE for grade in items):
                found = next(grade for grade in items if grade is not None and not 0 <= grade <= MAX_GRADE)
                problems.append(_wrong(row, f"grade {found}", f"0 to {MAX_GRADE}", "Map the grades to that range."))
                continue
            labels[row, : len(items)] = [UNJUDGED if grade is None else grade for grade in items]
            if redundant is not None:
                again[row, : len(items)] = redundant[row]
            fresh = labels[row][~again[row]]
            ranked = np.bincount(fresh[fresh >= 0], minlength=counts.shape[1])
            short = np.flatnonzero(ranked > np.pad(counts[row], (0, len(ranked) - counts.shape[1])))
            if len(short):
                grade = int(short[0])
                held = counts[row, grade] if grade < counts.shape[1] else 0
                problems.append(
                    _wrong(row, f"{ranked[grade]} ranked items of grade {grade}", f"at most {held}, as many as judged",
                           "Count every judged item, or mark repeats of the same evidence as redundant.")
                )  # fmt: skip
        if problems:
            raise InputError(problems)
        elsewhere = np.broadcast_to(np.asarray(unjudged_elsewhere, np.float64), (len(grades),))
        return cls(labels, counts, elsewhere, None if redundant is None else again, evidence)

    def rows(self, start: int, stop: int) -> Rankings:
        """The queries ``start`` to ``stop`` (excluded), without copying."""
        return Rankings(
            self.labels[start:stop],
            self.judged[start:stop],
            self.unjudged_elsewhere[start:stop],
            None if self.redundant is None else self.redundant[start:stop],
            None if self.evidence is None else self.evidence.rows(start, stop),
            None if self.unsure is None else self.unsure[start:stop],
            None if self.at_least is None else self.at_least[start:stop],
            None if self.completed is None else self.completed[start:stop],
            None if self.adds is None else self.adds[start:stop],
            None if self.chunks is None else self.chunks.rows(start, stop),
            self.uncounted,
        )

    def select(self, rows: NDArray[np.int64]) -> Rankings:
        """The queries at these places; without `evidence` and `chunks`, which have no order to keep."""
        return Rankings(
            self.labels[rows],
            self.judged[rows],
            self.unjudged_elsewhere[rows],
            None if self.redundant is None else self.redundant[rows],
            unsure=None if self.unsure is None else self.unsure[rows],
            at_least=None if self.at_least is None else self.at_least[rows],
            completed=None if self.completed is None else self.completed[rows],
            adds=None if self.adds is None else self.adds[rows],
            uncounted=self.uncounted,
        )

    def assuming(self, assumption: Assumption) -> Rankings:
        """The same rankings with nothing unknown left, by an assumption the caller names."""
        known = replace(self._at_their_least(), uncounted=False)
        nothing = np.zeros(len(self))
        unjudged = known.labels == UNJUDGED
        evidence = None if self.evidence is None else self.evidence.settled()
        if assumption == "unjudged-as-nonrelevant":
            judged = known.judged.copy()
            judged[:, 0] += unjudged.sum(axis=1)
            labels = np.where(unjudged, np.int8(0), known.labels)
            return replace(known, labels=labels, judged=judged, unjudged_elsewhere=nothing, evidence=evidence)
        order = np.argsort(unjudged, axis=1, kind="stable")
        labels = np.take_along_axis(np.where(unjudged, np.int8(EMPTY), known.labels), order, axis=1)
        redundant = None if self.redundant is None else np.take_along_axis(self.redundant, order, axis=1)
        adds = None if self.adds is None else np.take_along_axis(self.adds, order, axis=1)
        completed = None if self.completed is None else np.take_along_axis(_moved_up(self, unjudged), order, axis=1)
        evidence = None if evidence is None else _condensed(evidence, unjudged)
        chunks = None if self.chunks is None else _condensed(self.chunks, unjudged)
        return replace(
            known, labels=labels, redundant=redundant, evidence=evidence, unjudged_elsewhere=nothing,
            completed=completed, adds=adds, chunks=chunks,
        )  # fmt: skip

    def _at_their_least(self) -> Rankings:
        """Unjudged items that have some grade in any case as judged ones of that grade; nothing else left unsure."""
        if self.at_least is None:
            return replace(self, unsure=None)
        at_least = np.where(self.labels == UNJUDGED, self.at_least, np.int8(0))
        judged = self.judged.copy()
        row, column = np.nonzero(at_least)
        np.add.at(judged, (row, at_least[row, column]), 1)
        labels = np.where(at_least > 0, at_least, self.labels)
        return replace(self, labels=labels, judged=judged, unsure=None, at_least=None)


def _condensed(evidence: Evidence, unjudged: NDArray[np.bool_]) -> Evidence:
    """The evidence with the ranks it has once unjudged items are taken out of the rankings."""
    row = np.repeat(np.arange(len(unjudged)), np.diff(evidence.offsets))
    partial = evidence.partial
    if partial is not None:
        partial = partial._replace(rank=_ranks_without(partial.rank, row[partial.unit], unjudged))
    return replace(evidence, ranks=_ranks_without(evidence.ranks, row, unjudged), partial=partial)


def _ranks_without(ranks: NDArray[np.int64], row: NDArray[np.int64], left_out: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Ranks of items of those rows, once others above them are left out."""
    above = np.cumsum(left_out, axis=1) - left_out
    reached = ranks != NEVER
    ranks = ranks.copy()
    ranks[reached] -= above[row[reached], ranks[reached] - 1]
    return ranks


def _moved_up(rankings: Rankings, left_out: NDArray[np.bool_]) -> NDArray[np.int64]:
    """`completed` by the ranks once items are left out."""
    assert rankings.completed is not None  # noqa: S101 - asked for only then
    row = np.repeat(np.arange(len(rankings)), rankings.depth)
    return _ranks_without(rankings.completed.ravel(), row, left_out).reshape(rankings.completed.shape)


def _wrong(row: int, found: str, expected: str, action: str) -> Problem:
    return Problem("rankings", found, expected, action, record=f"record {row + 1}", field="grades")
