"""What a metric found for many answers at once, as columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragvet.records import Bounded, Failed, Outcome, Scored, Undefined
from ragvet.records.facts import Facts, Places

__all__ = ["Missing", "Outcomes", "amounts", "each", "either", "flag", "share", "share_of"]

Column = NDArray[Any]
Floats = NDArray[np.float64]
Missing = Sequence[str | None]
"""For each answer why there is nothing to measure; None where there is."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """One outcome for each of n answers.

    Attributes:
        status: `scored`, `bounded`, `undefined` or `failed`.
        low: float64 (n,), the least value over all completions of what is unknown; NaN where there is none.
        high: float64 (n,), the greatest.
        reason: why it is bounded, undefined or failed.
        numerator: float64 (n,), of a share that is scored, else NaN.
        denominator: float64 (n,), likewise.
        may_drop: bool (n,), whether it is undefined in some completion.
    """

    status: Column
    low: Column
    high: Column
    reason: Column
    numerator: Column
    denominator: Column
    may_drop: Column

    def __len__(self) -> int:
        return len(self.status)

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> Outcomes:
        """From single outcomes."""
        rows = [_row(outcome) for outcome in outcomes]
        columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * 7
        kinds = (np.object_, np.float64, np.float64, np.object_, np.float64, np.float64, np.bool_)
        return cls(*(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)))

    @classmethod
    def joined(cls, parts: Sequence[Outcomes]) -> Outcomes:
        """Those of several metrics, one below the other."""
        whole = [cls.of([]), *parts]  # there may be no part
        return cls(*(np.concatenate([getattr(part, name) for part in whole]) for name in cls.__slots__))

    def at(self, places: Places, errors: Missing) -> Outcomes:
        """Those of some answers, failed where there is an error instead of what is to be measured.

        Args:
            places: int, the answers; not looked at where there is an error.
            errors: what stands in the way, for each of them.
        """
        failed = np.array([error is not None for error in errors], np.bool_)
        taken = places[~failed]

        def spread(column: Column, otherwise: Any) -> Column:
            whole = np.full(len(failed), otherwise, column.dtype)
            whole[~failed] = column[taken]
            return whole

        reason = np.array(errors, np.object_)
        reason[~failed] = self.reason[taken]
        return Outcomes(
            status=spread(self.status, "failed"),
            low=spread(self.low, np.nan),
            high=spread(self.high, np.nan),
            reason=reason,
            numerator=spread(self.numerator, np.nan),
            denominator=spread(self.denominator, np.nan),
            may_drop=spread(self.may_drop, otherwise=False),
        )

    def that_may_drop(self, open_: NDArray[np.bool_], reason: str) -> Outcomes:
        """The same, where `open_` is true bounded, and perhaps undefined, for this reason."""
        return Outcomes(
            status=np.where(open_, "bounded", self.status),
            low=self.low,
            high=self.high,
            reason=np.where(open_, reason, self.reason),
            numerator=np.where(open_, np.nan, self.numerator),
            denominator=np.where(open_, np.nan, self.denominator),
            may_drop=open_,
        )

    def __getitem__(self, place: int) -> Outcome:
        """A single outcome."""
        low, high, reason = float(self.low[place]), float(self.high[place]), self.reason[place]
        match self.status[place]:
            case "scored":
                numerator, denominator = (_number(column[place]) for column in (self.numerator, self.denominator))
                return Scored(value=low, numerator=numerator, denominator=denominator)
            case "bounded":
                return Bounded(low=low, high=high, reason=reason, may_drop=bool(self.may_drop[place]))
            case "undefined":
                return Undefined(reason=reason)
            case _:
                return Failed(error=reason)


def _row(outcome: Outcome) -> tuple[Any, ...]:
    nan = np.nan
    match outcome:
        case Scored(value=value, numerator=numerator, denominator=denominator):
            parts = (nan if part is None else part for part in (numerator, denominator))
            return ("scored", value, value, None, *parts, False)
        case Bounded(low=low, high=high, reason=reason, may_drop=may_drop):
            return ("bounded", low, high, reason, nan, nan, may_drop)
        case Undefined(reason=reason):
            return ("undefined", nan, nan, reason, nan, nan, False)
        case Failed(error=error):
            return ("failed", nan, nan, error, nan, nan, False)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def either(*reasons: Missing) -> Missing:
    """The first reason there is for each answer."""
    return [next((reason for reason in of_one if reason), None) for of_one in zip(*reasons, strict=True)]


def share(certain: Floats, possible: Floats, total: Floats, *, missing: Missing, empty: str, unknown: str) -> Outcomes:
    """Members over total: scored where nothing is unknown, else the exact range.

    Args:
        certain: members under the worst completion of what is unknown, for each answer.
        possible: members under the best.
        total: the denominators; 0 is undefined for the reason `empty`.
        missing: why there is nothing to measure at all.
        empty: what is missing where the total is 0.
        unknown: what is undecided where there is a range.
    """
    absent = np.array([reason is not None for reason in missing], np.bool_) | (total == 0)
    scored, bounded = ~absent & (certain == possible), ~absent & (certain != possible)
    divisor = np.where(absent, np.nan, total)
    return Outcomes(
        status=np.where(absent, "undefined", np.where(scored, "scored", "bounded")).astype(np.object_),
        low=certain / divisor,
        high=possible / divisor,
        reason=np.array(
            [reason or (empty if none else unknown if open_ else None)
             for reason, none, open_ in zip(missing, absent.tolist(), bounded.tolist(), strict=True)], np.object_
        ),
        numerator=np.where(scored, certain, np.nan),
        denominator=np.where(scored, total, np.nan),
        may_drop=np.zeros(len(absent), np.bool_),
    )  # fmt: skip


def share_of(facts: Facts, place: Places, *, missing: Missing, empty: str, unknown: str) -> Outcomes:
    """The share of the facts about each answer that hold.

    Args:
        facts: of all answers.
        place: int, the answer each of them is about.
        missing: as of `share`, like what follows.
        empty: likewise.
        unknown: likewise.
    """
    count = len(missing)
    certain, possible = (_counted(place[holds], count) for holds in (facts.sure, facts.possible))
    return share(certain, possible, _counted(place, count), missing=missing, empty=empty, unknown=unknown)


def _counted(place: Places, count: int) -> Floats:
    return np.bincount(place, minlength=count).astype(np.float64)


def flag(facts: Facts, *, missing: Missing | None = None, unknown: str) -> Outcomes:
    """For each answer 1 where its fact is true, 0 where it is false, [0, 1] where it is unknown."""
    missing = [None] * len(facts) if missing is None else missing
    return share_of(facts, np.arange(len(facts)), missing=missing, empty=unknown, unknown=unknown)


def amounts(values: Sequence[float | None], *, missing: Missing) -> Outcomes:
    """Amounts as they are, where nothing is missing."""
    absent = np.array([reason is not None for reason in missing], np.bool_)
    value = np.array([np.nan if amount is None else amount for amount in values], np.float64)
    value[absent] = np.nan
    nowhere = np.full(len(absent), np.nan)
    status = np.where(absent, "undefined", "scored").astype(np.object_)
    reason = np.array(missing, np.object_)
    return Outcomes(status, value, value, reason, nowhere, nowhere, np.zeros(len(absent), np.bool_))


def each(answers: Sequence[Any], measure: Callable[[Any], Outcome]) -> Outcomes:
    """For what is asked of one answer at a time."""
    return Outcomes.of([measure(answer) for answer in answers])
