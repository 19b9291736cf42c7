"""The range over equal scores is the extreme over every order of them, each with every assignment of grades."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.metrics.rankings.every import every_metric

from ragvet.metrics.rankings import UNBOUNDED, Metric, Rankings, compute, parse, tie_extent

METRICS = every_metric(1, 3, uncut=True) + [
    parse(name)
    for name in ("precision(rel=2)@2", "AP(rel=2)@3", "bpref(rel=2)", "nDCG(gain=exp)@3", "ERR(top=1)@2", "F(rel=3)@2")
]


@pytest.mark.parametrize("metric", METRICS, ids=str)
@settings(max_examples=40, deadline=None)
@given(
    items=st.lists(st.tuples(st.sampled_from([0, 1, 2, None]), st.integers(1, 3)), min_size=1, max_size=6),
    outside=st.lists(st.sampled_from([0, 1, 2]), max_size=2),
    elsewhere=st.sampled_from([0.0, 1.0, UNBOUNDED]),
)
def test_it_is_the_extreme_over_every_order(metric: Metric, items: list, outside: list[int], elsewhere: float) -> None:
    items.sort(key=lambda item: -item[1])
    scores = [score for _, score in items]
    known = [*outside, *(grade for grade, _ in items if grade is not None)]
    judged = [known.count(grade) for grade in range(3)]
    orders = [order for order in itertools.permutations(items) if [score for _, score in order] == scores]
    grades = [[grade for grade, _ in order] for order in orders]
    every = compute(metric, Rankings.from_items(grades, [judged] * len(grades), unjudged_elsewhere=elsewhere))
    tied = np.array([[place > 0 and scores[place] == scores[place - 1] for place in range(len(scores))]])
    one = Rankings.from_items(grades[:1], [judged], unjudged_elsewhere=elsewhere)
    low, high = tie_extent(metric, one, tied)
    if np.isnan(every.low).all():
        assert np.isnan([low[0], high[0]]).all()
        return
    assert (low[0], high[0]) == pytest.approx((np.nanmin(every.low), np.nanmax(every.high)), abs=1e-12)


def test_an_unjudged_item_is_ranked_by_the_grade_it_may_have() -> None:
    # Grades 2, 1 and ? share a score. At best ? is of grade 2, and 2 2 1 or 2 ? 1 is ideal: nDCG 1.
    # At worst, ? is 0 and stands first: 0 1 2. DCG = 1 * 0.6309 + 2 * 0.5, IDCG = 2 + 0.6309
    one = Rankings.from_items([[2, 1, None]], [[0, 1, 1]], unjudged_elsewhere=0)
    low, high = tie_extent(parse("nDCG"), one, np.array([[False, True, True]]))
    second = 0.6309297535714575
    assert (low[0], high[0]) == pytest.approx(((second + 1) / (2 + second), 1.0), abs=1e-15)


def test_batches_are_ranged_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(-1, 3, (50, 6)).astype(np.int8)
    judged = np.stack([(labels == grade).sum(axis=1) for grade in range(3)], axis=1)
    batch = Rankings(labels, judged, np.full(50, 2.0))
    tied = (rng.random((50, 6)) < 0.5) & (np.arange(6) > 0)
    whole = [tie_extent(metric, batch, tied) for metric in METRICS]
    monkeypatch.setattr("ragvet.metrics.rankings._compute._CELLS", 40)
    for metric, (low, high) in zip(METRICS, whole, strict=True):
        np.testing.assert_array_equal(tie_extent(metric, batch, tied), (low, high))
