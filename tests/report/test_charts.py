"""Charts: which marks there are and where they stand."""

from __future__ import annotations

import pytest

from ragvet.records import Summary
from ragvet.report._charts import Chart, depth_chart, latency_chart
from ragvet.report._model import Depths, Latency


def summary(low: float | None, high: float | None) -> Summary:
    mean = low if low == high else None
    scored, bounded = int(mean is not None), int(low is not None and mean is None)
    return Summary(
        metric="recall@5", version=1, stratum="all", eligible=1, scored=scored, bounded=bounded, failed=0, mean=mean,
        low=low, high=high, failed_low=low, failed_high=high,
    )  # fmt: skip


def points(chart: Chart | None) -> int:
    assert chart is not None
    return sum(lane.point is not None for row in chart.rows for lane in row.lanes)


def test_a_value_is_a_point_and_a_bounded_one_is_a_line_without_a_point_in_between():
    exact = Depths(
        metric="recall", stratum="a", supplied=summary(0.5, 0.5), deep=summary(0.7, 0.7), gap_low=0.2, gap_high=0.2
    )
    bounded = Depths(
        metric="recall", stratum="b", supplied=summary(0.1, 0.9), deep=summary(0.2, 1.0), gap_low=0.0, gap_high=0.9
    )
    assert points(depth_chart([exact])) == 2
    assert points(depth_chart([bounded])) == 0
    assert points(depth_chart([exact, bounded])) == 2


def test_what_is_undefined_is_not_drawn():
    undefined = Depths(
        metric="recall",
        stratum="a",
        supplied=summary(None, None),
        deep=summary(None, None),
        gap_low=None,
        gap_high=None,
    )
    assert depth_chart([undefined]) is None


def test_marks_stand_where_their_values_do():
    pair = Depths(
        metric="recall", stratum="a", supplied=summary(0.5, 0.5), deep=summary(0.2, 1.0), gap_low=0, gap_high=0
    )
    chart = depth_chart([pair])
    assert chart is not None
    supplied, deep = chart.rows[0].lanes
    places = {label: x for x, label in chart.ticks}
    assert supplied.point == pytest.approx((places["0.0"] + places["1.0"]) / 2)
    assert deep.line == pytest.approx((places["0.2"], places["1.0"]))
    assert chart.rows[0].words == "a: supplied 0.500, deep 0.200–1.000"
    assert max(places.values()) < chart.width


def test_times_stand_on_a_logarithmic_scale_and_zero_has_no_place_there():
    rows = [
        Latency(stage="whole", n=9, p50=0.1, p95=1.0, p99=10.0, maximum=11.0),
        Latency(stage="cache", n=9, p50=0.0, p95=0.0, p99=0.0, maximum=0.0),
    ]
    chart = latency_chart(rows)
    assert chart is not None
    assert [row.name for row in chart.rows] == ["whole"]
    (lane,) = chart.rows[0].lanes
    places = {label: x for x, label in chart.ticks}
    assert lane.line == (places["100 ms"], places["10 s"])
    assert lane.tick == pytest.approx(places["1 s"])
    assert latency_chart(rows[1:]) is None


def test_a_stage_whose_times_are_all_one_still_has_a_scale():
    chart = latency_chart([Latency(stage="x", n=1, p50=1.0, p95=1.0, p99=1.0, maximum=1.0)])
    assert chart is not None
    assert len(chart.ticks) == 2
