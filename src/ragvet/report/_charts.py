"""Where the marks of a chart stand; `_page/charts.html.j2` draws them in the colours of the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ragvet.numbers import interval, seconds
from ragvet.records import Summary
from ragvet.report._model import Depths, Latency

__all__ = ["Chart", "Lane", "Row", "depth_chart", "latency_chart"]

_LETTER, _LONGEST = 7.2, 22
"""Room for one letter of a name in fonts a little wider than most; longer names are cut."""
_MARGIN, _AXIS = 10.0, 24.0


@dataclass(frozen=True, slots=True)
class Lane:
    """The marks of one thing measured: a line where it spans something, a tick and a point upon it.

    Attributes:
        kind: which of the things compared in a chart it is; it decides the colour.
        y: how far down, as all places in units of the drawing.
        line: from where to where.
        point: where its one value stands, if it has one.
        tick: a second value upon the line.
    """

    kind: Literal["supplied", "deep", "time"]
    y: float
    line: tuple[float, float]
    point: float | None = None
    tick: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One name with its lanes, and the same in words for who does not see them."""

    name: str
    y: float
    lanes: tuple[Lane, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Rows of marks over one scale."""

    id: str
    title: str
    width: float
    height: float
    left: float
    rows: tuple[Row, ...]
    ticks: tuple[tuple[float, str], ...]


def depth_chart(pairs: Sequence[Depths]) -> Chart | None:
    """Per stratum one mark at the depth supplied and, below it, one at the deep one; None: nothing to draw.

    A value is a point; what is only bounded is a line from one end to the other, never a point in between.
    """
    drawn = [pair for pair in pairs if _ends(pair.supplied) or _ends(pair.deep)]
    left, span, step = _room(pair.stratum for pair in drawn), 480.0, 34.0

    def lane(kind: Literal["supplied", "deep"], summary: Summary, y: float) -> Iterable[Lane]:
        if ends := _ends(summary):
            low, high = (round(left + span * end, 1) for end in ends)
            yield Lane(kind, y, (low, high), point=low if ends[0] == ends[1] else None)

    def row(place: int, pair: Depths) -> Row:
        y = step * (place + 0.5)
        lanes = (*lane("supplied", pair.supplied, y - 6), *lane("deep", pair.deep, y + 6))
        told = [
            f"{depth} {interval(*ends)}"
            for depth, ends in (("supplied", _ends(pair.supplied)), ("deep", _ends(pair.deep)))
            if ends
        ]
        return Row(_name(pair.stratum), y, lanes, f"{pair.stratum}: {', '.join(told)}")

    ticks = tuple((left + span * fifth / 5, f"{fifth / 5:.1f}") for fifth in range(6))
    rows = tuple(row(place, pair) for place, pair in enumerate(drawn))
    size = (left + span + 2 * _MARGIN, step * len(rows) + _AXIS)
    return Chart("depths-chart", "The value at both depths, by stratum", *size, left, rows, ticks) if rows else None


def latency_chart(rows: Sequence[Latency]) -> Chart | None:
    """Per stage a line from the median to the 99th percentile with a tick at the 95th; None: nothing to draw."""
    rows = [row for row in rows if row.p50 > 0]  # a logarithm has no place for zero; the table beside has every row
    if not rows:
        return None
    left, span, step = _room(row.stage for row in rows), 330.0, 26.0
    first = math.floor(math.log10(min(row.p50 for row in rows)))
    last = max(first + 1, math.ceil(math.log10(max(row.p99 for row in rows))))

    def at(amount: float) -> float:
        return round(left + span * (math.log10(amount) - first) / (last - first), 1)

    drawn = tuple(
        Row(
            _name(row.stage),
            step * (place + 0.5),
            (Lane("time", step * (place + 0.5), (at(row.p50), at(row.p99)), point=at(row.p50), tick=at(row.p95)),),
            f"{row.stage}: median {seconds(row.p50)}, p95 {seconds(row.p95)}, p99 {seconds(row.p99)}",
        )
        for place, row in enumerate(rows)
    )
    decades = range(first, last + 1, max(1, round((last - first) / 5)))  # more ticks than these crowd the axis
    ticks = tuple((at(10.0**power), _power(power)) for power in decades)
    size = (left + span + 2 * _MARGIN, step * len(rows) + _AXIS)
    return Chart("latency-chart", "Seconds by stage, on a logarithmic scale", *size, left, drawn, ticks)


def _ends(summary: Summary) -> tuple[float, float] | None:
    return None if summary.low is None or summary.high is None else (summary.low, summary.high)


def _room(names: Iterable[str]) -> float:
    return round(_MARGIN + _LETTER * max((len(_name(name)) for name in names), default=0), 1)


def _name(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def _power(power: int) -> str:
    """10 to this power, in the unit it is read in: 100 ms, 10 s."""
    return f"{10.0 ** (power + 3):g} ms" if power < 0 else f"{10**power:,} s"
