"""Bounds equal full enumeration: every grade for every unjudged item, ranked or not, metric by metric."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.metrics.rankings import slow

from ragvet.metrics.rankings import (
    REGISTRY,
    UNBOUNDED,
    Evidence,
    Metric,
    Rankings,
    Reach,
    Scores,
    Status,
    compute,
    parse,
)

COUNTED = {"judged", "unjudged", "redundancy", "coverage", "chunk_coverage"}
"""No unjudged item can move these; unplaced ones: see below, and tests/runs/test_unplaced.py."""
BINARY = [
    "precision@1",
    "precision@3",
    "precision@9",
    "precision_returned@4",
    "precision_returned",
    "recall@2",
    "recall",
    "F@3",
    "F(beta=2)@5",
    "hit@2",
    "hit",
    "RR@3",
    "RR",
    "AP@3",
    "AP",
    "context_precision@4",
    "context_precision",
    "R-precision",
    "nDCG@1",
    "nDCG@4",
    "nDCG",
    "RBP(p=0.5)@3",
    "RBP",
    "ERR@3",
    "ERR",
    "bpref",
]
GRADED = [
    *BINARY,
    *[
        "precision(rel=2)@3",
        "recall(rel=2)@4",
        "AP(rel=3)",
        "R-precision(rel=2)",
        "RR(rel=2)",
        "bpref(rel=2)",
        "nDCG(gain=exp)@3",
        "nDCG(gain=exp)",
        "ERR(top=4)@5",
        "F(rel=3)@2",
        "hit(rel=2)@2",
        "RBP(rel=2)",
    ],
]


@st.composite
def queries(draw: st.DrawFn, top: int, unknown: int) -> slow.Query:
    """A query with at most `unknown` unjudged items."""
    here = draw(st.integers(0, unknown))
    there = draw(st.integers(0, unknown - here))
    known = draw(st.lists(st.tuples(st.integers(0, top), st.booleans()), max_size=7))
    # Only an item of grade 1 or more can repeat evidence, and the first item has none before it.
    ranked = [(grade, again and grade > 0) for grade, again in known] + [(None, False)] * here
    ranked = draw(st.permutations(ranked))
    if ranked:
        ranked[0] = (ranked[0][0], False)
    outside = draw(st.lists(st.integers(0, top), max_size=4))
    return slow.Query(tuple(ranked), (*outside, *[None] * there), top)


def batch(query: slow.Query) -> Rankings:
    known = [grade for grade, again in query.ranked if grade is not None and not again]
    known += [grade for grade in query.outside if grade is not None]
    return Rankings.from_items(
        [[grade for grade, _ in query.ranked]],
        [[known.count(grade) for grade in range(query.top + 1)]],
        unjudged_elsewhere=query.outside.count(None),
        redundant=[[again for _, again in query.ranked]],
    )


def values(metric: Metric, query: slow.Query) -> list[float | None]:
    arguments = dict(metric.arguments)
    if metric.definition.cutoff != "none":
        arguments["k"] = metric.cutoff
    return [slow.SLOW[metric.definition.name](known, **arguments) for known in query.assignments()]


def check(metric: Metric, query: slow.Query, scores: Scores) -> None:
    found = values(metric, query)
    defined = [value for value in found if value is not None]
    status = Status(int(scores.status[0]))
    if not defined:
        assert status is Status.undefined
        assert math.isnan(scores.low[0])
        assert math.isnan(scores.high[0])
        assert math.isnan(scores.value[0])
        return
    low, high = min(defined), max(defined)
    assert scores.low[0] == pytest.approx(low, abs=1e-12)
    assert scores.high[0] == pytest.approx(high, abs=1e-12)
    published = len(defined) == len(found) and high - low < 1e-12
    assert status is (Status.scored if published else Status.bounded)
    if published:
        assert scores.value[0] == pytest.approx(low, abs=1e-12)
    if not math.isnan(scores.denominator[0]):
        assert scores.numerator[0] / scores.denominator[0] == pytest.approx(low, abs=1e-12)
    assert (scores.reason[0] == 0) == published


@pytest.mark.parametrize("name", BINARY)
@settings(max_examples=60, deadline=None)
@given(query=queries(top=1, unknown=8))
@example(query=slow.Query(((0, False), (1, True), (None, False)), (), 1))  # the one that may be relevant, and a repeat
def test_binary_bounds_are_the_extremes_of_all_assignments(name: str, query: slow.Query) -> None:
    metric = parse(name)
    check(metric, query, compute(metric, batch(query)))


@pytest.mark.parametrize("name", BINARY)
@settings(max_examples=3, deadline=None)
@given(
    query=queries(top=1, unknown=12).filter(lambda q: sum(g is None for g, _ in q.ranked) + q.outside.count(None) > 9)
)
def test_binary_bounds_hold_with_up_to_twelve_unjudged_items(name: str, query: slow.Query) -> None:
    metric = parse(name)
    check(metric, query, compute(metric, batch(query)))


@pytest.mark.parametrize("name", GRADED)
@settings(max_examples=60, deadline=None)
@given(query=st.integers(1, 3).flatmap(lambda top: queries(top=top, unknown=4)))
def test_graded_bounds_are_the_extremes_of_all_assignments(name: str, query: slow.Query) -> None:
    metric = parse(name)
    check(metric, query, compute(metric, batch(query)))


@pytest.mark.parametrize("name", GRADED)
@settings(max_examples=3, deadline=None)
@given(query=queries(top=2, unknown=7).filter(lambda q: sum(g is None for g, _ in q.ranked) > 4))
def test_graded_bounds_hold_with_up_to_seven_unjudged_items(name: str, query: slow.Query) -> None:
    metric = parse(name)
    check(metric, query, compute(metric, batch(query)))


@pytest.mark.parametrize("name", GRADED)
@settings(max_examples=20, deadline=None)
@given(query=queries(top=2, unknown=3))
def test_uncounted_items_are_any_number_of_non_relevant_ones(name: str, query: slow.Query) -> None:
    metric = parse(name)
    scores = compute(metric, replace(batch(query), uncounted=True))
    # more non-relevant items than relevant ones change nothing any more
    more = [0, 1, 2, 3, len(query.ranked) + len(query.outside)]
    found = [
        value
        for extra in more
        for value in values(metric, replace(query, outside=(*query.outside, *[0] * extra)))
        if value is not None
    ]
    assert bool(found) == (scores.status[0] != Status.undefined)
    if found:
        assert scores.low[0] == pytest.approx(min(found), abs=1e-12)
        assert scores.high[0] == pytest.approx(max(found), abs=1e-12)
        assert (scores.reason[0] == 0) == (scores.status[0] == Status.scored)


@pytest.mark.parametrize("name", GRADED)
@settings(max_examples=20, deadline=None)
@given(query=queries(top=2, unknown=4))
def test_an_unbounded_rest_is_the_limit_of_ever_more_unjudged_items_elsewhere(name: str, query: slow.Query) -> None:
    metric = parse(name)
    known = batch(query)
    endless = compute(
        metric, Rankings(known.labels, known.judged, known.unjudged_elsewhere + UNBOUNDED, known.redundant)
    )
    many = compute(metric, Rankings(known.labels, known.judged, known.unjudged_elsewhere + 1e7, known.redundant))
    assert endless.status == many.status
    assert endless.high == pytest.approx(many.high, abs=1e-6, nan_ok=True)
    # nDCG without a cutoff falls towards 0 like 1 / log: 1e7 items get it below 1e-4, an unbounded rest to 0
    assert endless.low == pytest.approx(many.low, abs=1e-4, nan_ok=True)


def test_every_metric_that_unjudged_items_can_move_is_enumerated() -> None:
    enumerated = {parse(name).definition.name for name in GRADED}
    assert enumerated == set(slow.SLOW) == set(REGISTRY) - COUNTED


GROUPS = [(None, None), ("a", None), ("b", None), (None, "c"), (None, "d")]  # any_of, all_of


def covered(carried: list[set[int]], groups: list[tuple[str | None, str | None]], k: int | None) -> float | None:
    """Coverage by its definition: units of which enough passages stand in the first k places, over all units."""
    reached = set().union(*carried[:k])
    units: dict[object, list[bool]] = {}
    for passage, (any_of, all_of) in enumerate(groups):
        units.setdefault(("any", any_of) if any_of else ("all", all_of) if all_of else passage, []).append(
            passage in reached
        )
    found = [any(hits) if isinstance(unit, tuple) and unit[0] == "any" else all(hits) for unit, hits in units.items()]
    return sum(found) / len(found) if found else None


@pytest.mark.parametrize("k", [1, 2, 3, None])
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_coverage_is_bounded_by_all_ways_in_which_items_nobody_can_place_may_carry_evidence(
    k: int | None, data: st.DataObject
) -> None:
    groups = data.draw(st.lists(st.sampled_from(GROUPS), max_size=5))
    cell = st.sampled_from(["no", "no", "yes", "maybe"])
    items = data.draw(st.lists(st.lists(cell, min_size=len(groups), max_size=len(groups)), max_size=4))
    open_cells = [(row, column) for row, cells in enumerate(items) for column, c in enumerate(cells) if c == "maybe"]
    open_cells = open_cells[:9]  # 512 ways; the rest carry nothing
    values: list[float] = []
    for ways in product([False, True], repeat=len(open_cells)):
        chosen = dict(zip(open_cells, ways, strict=True))
        carried = [
            {column for column, c in enumerate(cells) if c == "yes" or chosen.get((row, column))}
            for row, cells in enumerate(items)
        ]
        value = covered(carried, groups, k)
        if value is not None:
            values.append(value)

    def first(column: int, *, certain: bool) -> int | None:
        ranks = [
            row + 1
            for row, cells in enumerate(items)
            if (cells[column] == "yes" if certain else (row, column) in open_cells)
        ]
        return min(ranks, default=None)

    reaches = [
        Reach(first(place, certain=True), any_of, all_of, first(place, certain=False))
        for place, (any_of, all_of) in enumerate(groups)
    ]
    batch = Rankings.from_items(
        [[None] * len(items)], [[0, 0]], unjudged_elsewhere=0, evidence=Evidence.from_passages([reaches])
    )
    scores = compute(parse("coverage" if k is None else f"coverage@{k}"), batch)
    if not values:
        assert scores.status[0] == Status.undefined
        return
    assert (scores.low[0], scores.high[0]) == pytest.approx((min(values), max(values)), abs=1e-12)
    assert scores.status[0] == (Status.scored if min(values) == max(values) else Status.bounded)
