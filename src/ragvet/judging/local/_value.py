from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


def same_value(claimed: Value, shown: Value) -> bool:
    """Whether `shown` says what `claimed` says: an equal number in no other unit, a date that is as exact."""
    if claimed.kind == shown.kind == "number":
        units_differ = claimed.unit is not None and shown.unit is not None and claimed.unit != shown.unit
        return not units_differ and not set(claimed.readings).isdisjoint(shown.readings)
    if claimed.kind in ("number", "date") and shown.kind in ("number", "date"):
        return any(_holds(wanted, given) for wanted in _days(claimed) for given in _days(shown))
    return claimed.kind == shown.kind and not set(claimed.readings).isdisjoint(shown.readings)


def _days(value: Value) -> Iterator[Day]:
    for reading in value.readings:
        if isinstance(reading, tuple):
            yield reading
        elif isinstance(reading, float) and value.unit is None:
            yield int(reading), 0, 0


def _holds(wanted: Day, given: Day) -> bool:
    return all(part in (0, other) for part, other in zip(wanted, given, strict=True))
