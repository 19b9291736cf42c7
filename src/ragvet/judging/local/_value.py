"""Numbers, dates, times and versions by what they mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Literal

Day = tuple[int, int, int]
"""Year, month, day; 0 for what is not said."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number, date, time or version of a text, by what it means and not by how it is written.

    `readings` are the values the writing may have: "1.000" is 1000 or 1, "03/04/2024" a day of March or of April.
    `unit` is `%`, a currency sign, or None. `start`/`end` span the folded text.
    """

    kind: Literal["number", "date", "time", "version"]
    readings: tuple[float | Day | str, ...]
    unit: str | None
    start: int
    end: int


class ValueIndex:
    """The values of a text, to ask whether it shows one; asking takes the same time however many there are."""

    def __init__(self, values: Iterable[Value]) -> None:
        self._units: dict[float, set[str | None]] = {}
        self._days: set[Day] = set()
        self._others: set[tuple[str, float | Day | str]] = set()
        for value in values:
            for reading in value.readings:
                if isinstance(reading, float):
                    self._units.setdefault(reading, set()).add(value.unit)
                elif isinstance(reading, tuple):
                    year, month, day = reading
                    self._days.update(product((year, 0), (month, 0), (day, 0)))
                else:
                    self._others.add((value.kind, reading))

    def shows(self, value: Value) -> bool:
        """Whether a text value says what `value` says: an equal number in no other unit, a date that is as exact."""
        return any(self._shows(value, reading) for reading in value.readings)

    def _shows(self, value: Value, reading: float | Day | str) -> bool:
        if isinstance(reading, float):
            units = self._units.get(reading, set[str | None]())
            same_unit = value.unit in units or None in units or (value.unit is None and bool(units))
            return same_unit or (value.unit is None and (reading, 0, 0) in self._days)
        if isinstance(reading, tuple):
            year_alone = reading[1:] == (0, 0) and None in self._units.get(float(reading[0]), ())
            return reading in self._days or year_alone
        return (value.kind, reading) in self._others
