"""One way to write a number, and to hold it against a threshold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragvet.numbers import above, below, interval, money, number, seconds, share

shares = st.floats(0, 1)


@given(shares, shares)
def test_no_number_is_written_on_the_other_side_of_a_threshold(value: float, bound: float) -> None:
    shown = float(number(value, [bound]))
    for threshold in (0.0, 1.0, bound):
        assert (below(value, threshold), above(value, threshold)) == (below(shown, threshold), above(shown, threshold))


def test_what_is_no_perfect_score_never_reads_as_one() -> None:
    assert number(0.99996) == "0.99996"
    assert number(0.0004) == "0.0004"
    assert number(1 / 3 + 1 / 3 + 1 / 3) == "1.000"


def test_large_and_whole_numbers_have_no_decimals_unless_a_threshold_asks_for_them() -> None:
    assert (number(1234.5), number(2.0), number(1.5)) == ("1234", "2", "1.500")
    assert number(120.4, [120.3]) == "120.4"


def test_a_range_without_an_end_says_so() -> None:
    assert interval(0.5, math.inf) == "0.500–no upper end"
    assert interval(0.1, 0.3, padded=False, joint=" to ") == "0.1 to 0.3"


def test_a_share_is_never_rounded_to_none_or_all() -> None:
    assert share(1, 10_000) == "1 of 10,000 (0.01 %)"
    assert share(9_999, 10_000) == "9,999 of 10,000 (99.99 %)"
    assert share(0, 3) == "0 of 3 (0.0 %)"


def test_money_shows_something_however_little_it_is() -> None:
    assert [money(amount) for amount in (0, 0.00001234, 0.1, 2.5, 1_000)] == [
        "$0.00", "$0.00001234", "$0.10", "$2.50", "$1,000.00",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("amount", "shown"),
    [(0.0004, "0.4 ms"), (0.056, "56 ms"), (1.606, "1.61 s"), (59.999, "60.00 s"), (156.2, "2 min 36 s")],
)
def test_seconds_come_in_the_unit_people_say(amount: float, shown: str) -> None:
    assert seconds(amount) == shown
