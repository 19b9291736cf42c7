"""One ranking, typed on the command line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragvet.errors import InputError, Problem
from ragvet.metrics.rankings import MAX_GRADE, Metric, Rankings, Reason, Scores, Status, compute
from ragvet.records import Bounded, Outcome, Scored, Undefined


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a ranking: `contribution` to DCG is grade times discount; None: the item is unjudged."""

    rank: int
    item: str
    grade: int | None
    discount: float
    contribution: float | None


@dataclass(frozen=True, slots=True)
class TypedRanking:
    """A ranking with its judgments, as somebody typed them."""

    places: tuple[Place, ...]
    rankings: Rankings

    @classmethod
    def read(cls, judgments: str, ranking: str, *, elsewhere: float = 0.0) -> TypedRanking:
        """``A=1,B=?,C=0`` and ``C,A,B``; `elsewhere`: unjudged items beyond those written down.

        Raises:
            InputError: an item stands twice, is ranked without a judgment, or has no grade.
        """
        grades = _grades(judgments)
        items = [item.strip() for item in ranking.split(",") if item.strip()]
        problems = [
            Problem("--ranking", f"{item!r} more than once", "each item once", "Remove the repetition.")
            for item in dict.fromkeys(items)
            if items.count(item) > 1
        ]
        problems += [
            Problem("--ranking", f"{item!r}, for which nothing is written", "items of --judgments",
                    f"Add {item}=0, {item}=1 or, if nobody has judged it, {item}=?.")
            for item in dict.fromkeys(items)
            if item not in grades
        ]  # fmt: skip
        if problems:
            raise InputError(problems)
        known = [grade for grade in grades.values() if grade is not None]
        top = max([1, *known])
        unranked = sum(grade is None for item, grade in grades.items() if item not in items)
        rankings = Rankings.from_items(
            [[grades[item] for item in items]],
            [[known.count(grade) for grade in range(top + 1)]],
            unjudged_elsewhere=unranked + elsewhere,
        )
        return cls(tuple(_place(rank, item, grades[item]) for rank, item in enumerate(items, start=1)), rankings)

    def outcomes(self, metrics: Sequence[Metric]) -> list[tuple[Metric, Outcome]]:
        """Each metric's published value, interval with reason, or undefined with reason."""
        return [(metric, outcome(compute(metric, self.rankings), 0)) for metric in metrics]


def outcome(scores: Scores, row: int) -> Outcome:
    """One query's score as a record."""
    reason = next(reason.words for reason in Reason if reason.code == scores.reason[row])
    match Status(int(scores.status[row])):
        case Status.scored:
            numerator, denominator = scores.numerator[row], scores.denominator[row]
            return Scored(
                value=float(scores.value[row]),
                numerator=None if np.isnan(numerator) else float(numerator),
                denominator=None if np.isnan(denominator) else float(denominator),
            )
        case Status.bounded:
            low, high = float(scores.low[row]), float(scores.high[row])
            return Bounded(low=low, high=high, reason=reason, may_drop=bool(scores.may_drop[row]))
        case Status.undefined:
            return Undefined(reason=reason)


def _grades(judgments: str) -> dict[str, int | None]:
    grades: dict[str, int | None] = {}
    problems: list[Problem] = []
    for part in judgments.split(","):
        if not part.strip():
            continue
        item, equals, grade = (piece.strip() for piece in part.rpartition("="))
        readable = grade == "?" or (grade.isascii() and grade.isdigit() and int(grade) <= MAX_GRADE)
        if not (item and equals and readable):
            action = "Write 0 for not relevant, 1 or more for relevant, ? for unjudged."
            problems.append(Problem("--judgments", repr(part.strip()), "item=grade", action))
        elif item in grades:
            problems.append(
                Problem("--judgments", f"{item!r} more than once", "one grade for an item", "Decide on one.")
            )
        else:
            grades[item] = None if grade == "?" else int(grade)
    if problems:
        raise InputError(problems)
    return grades


def _place(rank: int, item: str, grade: int | None) -> Place:
    discount = 1 / math.log2(rank + 1)
    return Place(rank, item, grade, discount, None if grade is None else grade * discount)
