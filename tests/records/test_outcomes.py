"""The outcome algebra against a slow second implementation that goes through every assignment."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragvet.records import MetricDeclaration
from ragvet.records.outcomes import SCORES, extremes, over_groups, per_case

Item = tuple[str, float, float]
"""Status, of which `drops` is a bounded score that may drop out, and the two ends."""

ends = st.tuples(st.integers(0, 8), st.integers(0, 8)).map(lambda pair: (min(pair) / 8, max(pair) / 8))
items = st.one_of(
    ends.map(lambda pair: ("scored", pair[0], pair[0])),
    ends.map(lambda pair: ("bounded", *pair)),
    ends.map(lambda pair: ("drops", *pair)),
    st.just(("undefined", 0.0, 0.0)),
    st.just(("failed", 0.0, 0.0)),
)


def declared(low: float | None = 0.0, high: float | None = 1.0) -> dict[str, MetricDeclaration]:
    words = dict.fromkeys(("title", "needs", "undefined_when", "does_not_catch", "formula", "reference"), "")
    return {
        "m": MetricDeclaration(name="m", version=1, family="Retrieval", direction="higher", low=low, high=high, **words)
    }


def frame(cases: dict[str, list[Item]]) -> pl.DataFrame:
    rows = []
    for case, repeats in cases.items():
        for repeat, (status, low, high) in enumerate(repeats):
            known = status in {"scored", "bounded", "drops"}
            shown = "bounded" if status == "drops" else status
            reason = None if status == "scored" else f"why {status}"
            value = low if status == "scored" else None
            both = (low, high) if known else (None, None)
            rows.append((case, repeat, "m", 1, shown, value, *both, status == "drops", reason, None, None))
    return pl.DataFrame(rows, schema=SCORES, orient="row")


def summary(cases: dict[str, list[Item]], **ends_of_metric: float | None) -> dict[str, object]:
    (row,) = over_groups(per_case(frame(cases), declared(**ends_of_metric)), ["metric"]).to_dicts()
    return row


def assignments(item: Item) -> list[float | None]:
    """Every value the item may turn out to have that matters for an extreme; None: it has none."""
    status, low, high = item
    return {
        "scored": [low],
        "bounded": [low, high],
        "drops": [low, high, None],
        "undefined": [None],
        "failed": [0.0, 1.0],
    }[status]


def means(cases: list[list[Item]]) -> Iterator[float]:
    """The mean over cases of the means over their repeats, under every assignment that defines one."""
    for chosen in itertools.product(*(itertools.product(*map(assignments, repeats)) for repeats in cases)):
        averages = [sum(kept) / len(kept) for values in chosen if (kept := [v for v in values if v is not None])]
        if averages:
            yield sum(averages) / len(averages)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(items, min_size=1, max_size=2), min_size=1, max_size=3))
def test_the_mean_with_all_that_is_unknown_lies_exactly_between_its_extremes(cases: list[list[Item]]) -> None:
    found = summary({str(number): repeats for number, repeats in enumerate(cases)})
    every = list(means(cases))
    if not every:
        assert (found["failed_low"], found["failed_high"]) == (None, None)
        return
    assert found["failed_low"] == pytest.approx(min(every))
    assert found["failed_high"] == pytest.approx(max(every))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(items, min_size=1, max_size=2), min_size=1, max_size=3))
def test_a_case_with_a_failed_repeat_is_outside_the_mean_of_what_has_a_value(cases: list[list[Item]]) -> None:
    found = summary({str(number): repeats for number, repeats in enumerate(cases)})
    whole = [repeats for repeats in cases if all(status != "failed" for status, _, _ in repeats)]
    every = list(means(whole))
    assert found["failed"] == len(cases) - len(whole)
    if not every:
        assert (found["low"], found["high"]) == (None, None)
        return
    assert (found["low"], found["high"]) == (pytest.approx(min(every)), pytest.approx(max(every)))


def test_a_case_that_may_drop_out_of_the_mean_is_in_it_or_not() -> None:
    # a is 1; b is 0 if it is defined at all: the mean is 1/2 with it and 1 without
    found = summary({"a": [("scored", 1, 1)], "b": [("drops", 0, 0)]})
    assert (found["low"], found["high"], found["bounded"], found["may_drop"]) == (0.5, 1.0, 1, 1)


def test_nothing_reads_as_less_than_nothing() -> None:
    for zero in ({"a": [("scored", 0, 0)]}, {"a": [("scored", 0, 0)], "b": [("drops", 0, 0)]}):
        assert str(summary(zero)["high"]) == "0.0"


def test_undefined_repeats_leave_the_others_to_measure() -> None:
    # one refusal among three answers: the mean of the two that can be measured
    (case,) = per_case(frame({"a": [("scored", 1, 1), ("undefined", 0, 0), ("scored", 0, 0)]}), declared()).to_dicts()
    assert (case["status"], case["low"], case["high"]) == ("scored", 0.5, 0.5)
    assert (case["repeats"], case["measured"], case["failed"]) == (3, 2, 0)


def test_a_failed_repeat_makes_a_failed_case_that_says_where_it_could_be() -> None:
    # one repeat is 1, the other could have been anything from 0 to 1: from 1/2 to 1
    (case,) = per_case(frame({"a": [("scored", 1, 1), ("failed", 0, 0)]}), declared()).to_dicts()
    assert (case["status"], case["worst"], case["best"], case["reason"]) == ("failed", 0.5, 1.0, "why failed")


def test_where_a_metric_has_no_end_a_failed_case_leaves_none() -> None:
    found = summary({"a": [("scored", 1, 1)], "b": [("failed", 0, 0)]}, high=None)
    assert (found["failed_low"], found["failed_high"]) == (0.5, None)
    repeated = summary({"a": [("scored", 1, 1), ("failed", 0, 0)]}, high=None)
    assert (repeated["failed_low"], repeated["failed_high"]) == (0.5, None)


def test_zero_tolerance_looks_at_the_lowest_and_the_highest_repeat() -> None:
    found = extremes(frame({"a": [("scored", 1, 1), ("bounded", 0.25, 0.5)], "b": [("undefined", 0, 0)]}))
    assert found.rows() == [("a", 0.25, 0.5, 1.0, 1.0), ("b", None, None, None, None)]
