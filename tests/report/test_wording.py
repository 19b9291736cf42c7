from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragvet.records import Summary
from ragvet.report._wording import brief, counts, interval, money, number, seconds, value

SUMMARY = Summary(
    metric="m",
    version=1,
    stratum="all",
    eligible=18,
    scored=15,
    bounded=1,
    undefined={"a": 1},
    failed=1,
    low=0.2,
    high=0.4,
)


@given(st.floats(min_value=0, max_value=1))
def test_a_share_reads_as_perfect_or_nothing_only_when_it_is(share: float):
    assert (number(share) == "1.000") == (share == 1)
    assert (number(share) == "0.000") == (share == 0)
    assert abs(float(number(share)) - share) <= 0.001


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (0.5, "0.500"),
        (0.99999, "0.999"),
        (0.00001, "0.001"),
        (-0.25, "-0.250"),
        (12.0, "12"),
        (12.34, "12.340"),
        (1234.5, "1234"),
    ],
)
def test_numbers_have_three_decimals_where_these_say_something(amount: float, shown: str):
    assert number(amount) == shown


def test_an_interval_whose_ends_read_alike_is_one_number():
    assert interval(0.2, 0.2) == "0.200"
    assert interval(0.2, 0.4) == "0.200–0.400"


def test_a_summary_reads_as_mean_interval_or_undefined():
    assert value(SUMMARY) == "0.200–0.400"
    assert value(SUMMARY.model_copy(update={"mean": 0.3})) == "0.300"
    assert value(SUMMARY.model_copy(update={"low": None, "high": None})) == "undefined"


def test_every_denominator_is_in_the_counts():
    assert counts(SUMMARY) == "15 scored of 18, 1 bounded, 1 undefined, 1 failed"
    assert brief(SUMMARY) == "15/18 · b1 u1 f1"


@pytest.mark.parametrize(
    ("amount", "shown"),
    [(0.0004, "0.4 ms"), (0.056, "56 ms"), (1.606, "1.61 s"), (59.999, "60.00 s"), (156.2, "2 min 36 s")],
)
def test_seconds_come_in_the_unit_people_say(amount: float, shown: str):
    assert seconds(amount) == shown


@pytest.mark.parametrize(
    ("dollars", "shown"), [(0, "$0.00"), (12.5, "$12.50"), (0.0673, "$0.067"), (0.00012, "$0.00012"), (0.1, "$0.10")]
)
def test_money_has_as_many_decimals_as_it_takes(dollars: float, shown: str):
    assert money(dollars) == shown
