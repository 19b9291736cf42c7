"""Summaries as people read them: value and counts in words, and the table that `print(run.summary(…))` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragvet.numbers import interval, number
from ragvet.records import Summary
from ragvet.text import plain

__all__ = ["UNDEFINED", "SummaryTable", "counts", "value"]

UNDEFINED = "undefined"


@dataclass(frozen=True, repr=False)
class SummaryTable:
    """Some summaries of a run; printed, or at the end of a notebook cell, it is a table."""

    rows: tuple[Summary, ...]

    def __iter__(self) -> Iterator[Summary]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        """Metric, stratum where it is not all cases, mean or range, and every denominator."""
        cells = [(row.metric, _stratum(row), value(row), counts(row)) for row in self.rows]
        return "\n".join(_aligned(cells)) or "no case has any of these metrics"

    __repr__ = __str__


def _stratum(summary: Summary) -> str:
    return "" if summary.stratum == "all" else plain(summary.stratum)


def _aligned(cells: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """The rows in columns; a column that is empty in every row is left out."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        line = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True) if width)
        yield "  ".join(line).rstrip()


def value(summary: Summary) -> str:
    """The mean, the interval it must lie in, or that there is none."""
    if summary.mean is not None:
        return number(summary.mean)
    if summary.low is None or summary.high is None:
        return "failed" if summary.failed and not summary.undefined else UNDEFINED
    return interval(summary.low, summary.high)


def counts(summary: Summary) -> str:
    """Every denominator in one line: 36 scored of 40, 2 bounded, 1 undefined, 1 failed."""
    parts = [f"{summary.scored} scored of {summary.eligible}"]
    rest = (("bounded", summary.bounded), ("undefined", sum(summary.undefined.values())), ("failed", summary.failed))
    return ", ".join([*parts, *(f"{count} {name}" for name, count in rest if count)])
