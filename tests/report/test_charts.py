import re

from ragvet.records import Summary
from ragvet.report._charts import depth_chart
from ragvet.report._model import Depths


def summary(low: float | None, high: float | None) -> Summary:
    mean = low if low == high else None
    scored, bounded = int(mean is not None), int(low is not None and mean is None)
    return Summary(
        metric="recall@5", version=1, stratum="all", eligible=1, scored=scored, bounded=bounded, failed=0, mean=mean,
        low=low, high=high, failed_low=low, failed_high=high,
    )  # fmt: skip


def points(svg: str) -> int:
    return len(re.findall(r'aria-roledescription="point"', svg))


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
    assert depth_chart([undefined]) == ""
