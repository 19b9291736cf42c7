from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ragvet.report._model import Depths, Latency

__all__ = ["depth_chart", "latency_chart"]

_FONT = "system-ui, sans-serif"
_INK, _QUIET, _LINE, _BAR, _DEEP, _PAGE = (f"var(--{name})" for name in ("ink", "quiet", "line", "bar", "deep", "page"))
"""Colours are the page's own variables, so that a chart follows the theme."""
_ROW = 26


def depth_chart(pairs: Sequence[Depths]) -> str:
    """SVG: per stratum one mark at the depth supplied and, below it, one at the deep one.

    A value is a point; what is only bounded is a line from one end to the other, never a point in between.
    """
    import altair as alt  # noqa: PLC0415 - heavy, and only pages with charts need it

    rows = [
        {"stratum": _printable(pair.stratum), "depth": depth, "low": summary.low, "high": summary.high}
        for pair in pairs
        for depth, summary in (("supplied", pair.supplied), ("deep", pair.deep))
        if summary.low is not None and summary.high is not None
    ]
    if not rows:
        return ""
    strata = list(dict.fromkeys(str(row["stratum"]) for row in rows))
    order = ["supplied", "deep"]
    low = alt.X("low:Q", scale=alt.Scale(domain=(0, 1)), title=None)
    lane = alt.YOffset("depth:N", sort=order)
    colour = alt.Color("depth:N", scale=alt.Scale(domain=order, range=[_BAR, _DEEP]), legend=None)
    chart = alt.Chart(alt.Data(values=rows)).encode(y=_names("stratum", strata), yOffset=lane, color=colour)
    span = chart.mark_rule(strokeWidth=3, opacity=0.45).encode(x=low, x2="high:Q")
    exact = chart.transform_filter("datum.low === datum.high")
    supplied = exact.transform_filter("datum.depth === 'supplied'").mark_point(fill=_BAR, size=60, opacity=1)
    deep = exact.transform_filter("datum.depth === 'deep'").mark_point(fill=_PAGE, size=60, strokeWidth=2.2, opacity=1)
    layers = alt.layer(span, supplied.encode(x=low), deep.encode(x=low))
    return _svg(layers.properties(width=480, height=1.3 * _ROW * len(strata)))


def latency_chart(rows: Sequence[Latency]) -> str:
    """SVG: per stage a line from the median to the 99th percentile with a tick at the 95th."""
    import altair as alt  # noqa: PLC0415 - heavy, and only pages with charts need it

    rows = [row for row in rows if row.p50 > 0]  # a logarithm has no place for zero; the table beside has every row
    values = [{"stage": _printable(row.stage), "p50": row.p50, "p95": row.p95, "p99": row.p99} for row in rows]
    if not values:
        return ""
    chart = alt.Chart(alt.Data(values=values)).encode(y=_names("stage", [str(row["stage"]) for row in values]))
    label = "datum.value < 1 ? round(datum.value * 1e6) / 1e3 + ' ms' : datum.value + ' s'"
    axis = alt.Axis(values=_decades(rows), labelExpr=label)
    x = alt.X("p50:Q", scale=alt.Scale(type="log", nice=True), title=None, axis=axis)
    line = chart.mark_rule(color=_BAR, strokeWidth=3, opacity=0.4).encode(x=x, x2="p99:Q")
    tick = chart.mark_tick(color=_BAR, thickness=2.5, height=12).encode(x="p95:Q")
    dot = chart.mark_point(color=_BAR, fill=_BAR, size=80, opacity=1).encode(x="p50:Q")
    return _svg(alt.layer(line, tick, dot).properties(width=330, height=_ROW * len(values)))


def _printable(name: str) -> str:
    """A name as a chart can carry it: line separators would end a string in the middle of the chart's own code."""
    return "".join(character if character.isprintable() else " " for character in name)


def _names(field: str, names: Sequence[str]) -> Any:
    """The axis of names, with room for the longest in fonts a little wider than the one measured with."""
    import altair as alt  # noqa: PLC0415 - heavy, and only pages with charts need it

    room = min(170, 12 + 8 * max(len(name) for name in names))
    return alt.Y(f"{field}:N", sort=list(names), title=None, axis=alt.Axis(labelLimit=160, minExtent=room))


def _decades(rows: Sequence[Latency]) -> list[float]:
    """Powers of ten around all values: more ticks than these crowd a logarithmic axis."""
    first = math.floor(math.log10(min(row.p50 for row in rows)))
    last = math.ceil(math.log10(max(row.p99 for row in rows)))
    return [10.0**power for power in range(first, last + 1)]


def _svg(chart: Any) -> str:
    import vl_convert  # noqa: PLC0415 - heavy, and only pages with charts need it

    axis = {
        "labelColor": _INK,
        "labelFontSize": 12,
        "gridColor": _LINE,
        "domain": False,
        "ticks": False,
        "labelPadding": 8,
        "labelFont": _FONT,
    }
    themed = chart.configure(background="transparent", font=_FONT, padding=2).configure_view(stroke=None)
    themed = themed.configure_axis(**axis).configure_axisY(grid=False).configure_axisX(labelColor=_QUIET, tickCount=5)
    return vl_convert.vegalite_to_svg(themed.to_dict())
