"""What holds for every metric of the registry, whatever it measures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.metrics.rankings.every import every_metric

import ragvet.metrics.rankings as package
from ragvet.errors import InputError
from ragvet.metrics.rankings import (
    EMPTY,
    NEVER,
    REGISTRY,
    UNBOUNDED,
    UNJUDGED,
    Evidence,
    Metric,
    Rankings,
    Reach,
    Status,
    compute,
    parse,
)


def random_batch(seed: int = 0, n: int = 400, depth: int = 12, top: int = 3) -> Rankings:
    rng = np.random.default_rng(seed)
    labels = rng.integers(-1, top + 1, (n, depth)).astype(np.int8)
    labels[np.arange(depth) >= rng.integers(0, depth + 1, n)[:, None]] = EMPTY
    redundant = (labels > 0) & (rng.random((n, depth)) < 0.2)
    counts = np.stack(
        [((labels == g) & ~redundant).sum(axis=1) + rng.integers(0, 3, n) for g in range(top + 1)], axis=1
    )
    elsewhere = rng.choice([0.0, 2.0, UNBOUNDED], n)
    units = rng.integers(0, 5, n)
    ranks = np.where(rng.random(units.sum()) < 0.3, NEVER, rng.integers(1, depth + 1, units.sum()))
    earliest = np.where(rng.random(units.sum()) < 0.3, np.minimum(ranks, rng.integers(1, depth + 1, len(ranks))), ranks)
    evidence = Evidence(np.concatenate(([0], np.cumsum(units))), ranks, earliest)
    unsure = (labels == UNJUDGED) & (rng.random((n, depth)) < 0.5)
    return Rankings(labels, counts, elsewhere, redundant, evidence, unsure, chunks=evidence.settled())


@pytest.mark.parametrize("metric", every_metric(5), ids=str)
def test_a_batch_scores_each_query_as_a_batch_of_one(metric: Metric) -> None:
    batch = random_batch(n=60)
    together = compute(metric, batch)
    for row in range(len(batch)):
        alone = compute(metric, batch.rows(row, row + 1))
        for field in ("value", "low", "high", "status", "reason", "numerator", "denominator"):
            np.testing.assert_array_equal(getattr(alone, field)[0], getattr(together, field)[row])


@pytest.mark.parametrize("metric", every_metric(4), ids=str)
def test_bounds_are_ordered_in_range_and_published_only_where_equal(metric: Metric) -> None:
    scores = compute(metric, random_batch())
    defined = scores.status != Status.undefined
    assert (scores.low[defined] <= scores.high[defined]).all()
    assert (scores.low[defined] >= 0).all()
    assert (scores.high[defined] <= 1 + 1e-12).all()
    published = scores.status == Status.scored
    np.testing.assert_array_equal(scores.value[published], scores.low[published])
    np.testing.assert_array_equal(scores.value[published], scores.high[published])
    assert np.isnan(scores.value[~published]).all()
    assert np.isnan(scores.low[~defined]).all()
    np.testing.assert_array_equal(scores.reason == 0, published)


@pytest.mark.parametrize("metric", every_metric(4), ids=str)
def test_a_judgment_more_never_widens_the_interval(metric: Metric) -> None:
    batch = random_batch(seed=3)
    before = compute(metric, batch)
    rows = np.flatnonzero((batch.labels == UNJUDGED).any(axis=1))
    column = (batch.labels[rows] == UNJUDGED).argmax(axis=1)
    for grade in range(batch.top_grade + 1):
        labels, judged = batch.labels.copy(), batch.judged.copy()
        labels[rows, column] = grade
        judged[rows, grade] += 1
        after = compute(
            metric,
            Rankings(
                labels,
                judged,
                batch.unjudged_elsewhere,
                batch.redundant,
                batch.evidence,
                None if batch.unsure is None else batch.unsure & (labels == UNJUDGED),
                chunks=batch.chunks,
            ),
        )
        still = (before.status != Status.undefined) & (after.status != Status.undefined)
        if metric.definition.name in {"judged", "unjudged"}:
            continue  # they count judgments
        assert (after.low[still] >= before.low[still] - 1e-12).all()
        assert (after.high[still] <= before.high[still] + 1e-12).all()


@pytest.mark.parametrize("metric", every_metric(4), ids=str)
def test_an_assumption_leaves_nothing_unknown(metric: Metric) -> None:
    batch = random_batch(seed=5)
    for assumption in ("unjudged-as-nonrelevant", "condensed"):
        assumed = batch.assuming(assumption)
        scores = compute(metric, assumed)
        assert not (scores.status == Status.bounded).any()
        if assumption == "unjudged-as-nonrelevant":
            exact, bounds = scores.status == Status.scored, compute(metric, batch)
            if metric.definition.name not in {"judged", "unjudged"}:
                assert (scores.value[exact] >= bounds.low[exact] - 1e-12).all()
                assert (scores.value[exact] <= bounds.high[exact] + 1e-12).all()


def test_an_item_that_is_relevant_in_any_case_is_called_so_under_every_assumption() -> None:
    # . ? with a grade of 1 at least: RR is 1/2 or, if the first one is relevant, 1
    batch = Rankings(
        np.array([[UNJUDGED, UNJUDGED]], np.int8),
        np.array([[0, 0]]),
        np.zeros(1),
        at_least=np.array([[0, 1]], np.int8),
    )
    bounds = compute(parse("RR"), batch)
    assert (bounds.low.tolist(), bounds.high.tolist()) == ([0.5], [1.0])
    assert compute(parse("RR"), batch.assuming("unjudged-as-nonrelevant")).value.tolist() == [0.5]
    assert compute(parse("recall"), batch).value.tolist() == [1.0]
    assert compute(parse("RR"), batch.assuming("condensed")).value.tolist() == [1.0]  # the first one is taken out


def test_condensing_takes_unjudged_items_out_and_moves_evidence_up() -> None:
    # x . a . b: unjudged at 2 and 4; the evidence at 3 and 5 moves to 2 and 3
    batch = Rankings.from_items(
        [[0, None, 1, None, 1]],
        [[1, 2]],
        unjudged_elsewhere=UNBOUNDED,
        evidence=Evidence.from_passages([[Reach(3), Reach(5, maybe=4)]]),
    )  # fmt: skip
    condensed = batch.assuming("condensed")
    assert condensed.labels.tolist() == [[0, 1, 1, EMPTY, EMPTY]]
    assert condensed.evidence is not None
    assert condensed.evidence.ranks.tolist() == [2, 3]
    assert condensed.evidence.earliest is None


def test_an_empty_ranking_scores_zero_where_something_could_be_found() -> None:
    batch = Rankings.from_items([[]], [[0, 2]], unjudged_elsewhere=0, redundant=[[]])
    found = {metric.definition.name: compute(metric, batch) for metric in every_metric(3)}
    for name in (
        "precision",
        "recall",
        "F",
        "hit",
        "RR",
        "AP",
        "R-precision",
        "nDCG",
        "RBP",
        "bpref",
        "ERR",
        "coverage",
    ):
        assert found[name].value.tolist() == [0], name
    for name in ("precision_returned", "context_precision", "judged", "unjudged", "redundancy"):
        assert found[name].status.tolist() == [Status.undefined], name


def test_a_batch_of_no_queries_scores_nothing() -> None:
    batch = Rankings.from_items([], [], unjudged_elsewhere=0, redundant=[])
    for metric in every_metric(3):
        assert len(compute(metric, batch)) == 0


def test_repeats_count_as_relevant_and_as_nothing_new() -> None:
    # three chunks carry the one gold passage of two: A A A x; judged set: two passages
    batch = Rankings.from_items([[1, 1, 1, 0]], [[1, 2]], unjudged_elsewhere=0, redundant=[[False, True, True, False]])
    value = {
        name: compute(parse(name), batch).value[0] for name in ("precision@4", "recall@4", "redundancy@4", "AP", "RR")
    }
    assert value == {"precision@4": 0.75, "recall@4": 0.5, "redundancy@4": 0.5, "AP": 0.5, "RR": 1.0}


def test_groups_of_passages_are_one_unit_each() -> None:
    # any_of g: reached at 4 and 2, so at 2. all_of h: at 1 and 3, so at 3. all_of i: one never reached. alone: at 1.
    any_of = [Reach(4, any_of="g"), Reach(2, any_of="g")]
    all_of = [
        Reach(1, all_of="h"),
        Reach(3, all_of="h"),
        Reach(1, all_of="i"),
        Reach(None, all_of="i"),
    ]
    evidence = Evidence.from_passages([[*any_of, *all_of, Reach(1)]])
    batch = Rankings.from_items([[1, 1, 1, 1]], [[0, 4]], unjudged_elsewhere=0, evidence=evidence)
    assert [compute(parse(f"coverage@{k}"), batch).value[0] for k in (1, 2, 3, 4)] == [1 / 4, 2 / 4, 3 / 4, 3 / 4]


def test_a_perfect_ranking_scores_exactly_one() -> None:
    for top in (1, 2, 3, 5):
        ideal = [grade for grade in range(top, 0, -1) for _ in range(7)]
        batch = Rankings.from_items([ideal], [[0] + [7] * top], unjudged_elsewhere=0)
        for name in ("nDCG@10", "nDCG(gain=exp)@10", "nDCG", "AP", "R-precision", "recall", "bpref"):
            assert compute(parse(name), batch).value.tolist() == [1.0], (name, top)


def test_impossible_batches_are_refused_query_by_query() -> None:
    with pytest.raises(InputError) as caught:
        Rankings.from_items([[1, 1], [101], [0]], [[0, 1], [0, 1], [1, 0]], unjudged_elsewhere=0)
    assert [problem.record for problem in caught.value.problems] == ["record 1", "record 2"]
    with pytest.raises(ValueError, match="labels"):
        Rankings(np.zeros((1, 2)), np.zeros((1, 2), np.int64), np.zeros(1))


def test_every_metric_has_its_file_and_says_what_it_does_not_catch() -> None:
    folder = Path(package.__file__).parent
    for name, definition in REGISTRY.items():
        holder = [path for path in folder.glob("_*.py") if f'name="{name}"' in path.read_text(encoding="utf-8")]
        assert len(holder) == 1, name
        assert len(holder[0].read_text(encoding="utf-8").splitlines()) < 130
        declaration = definition.declaration
        assert all((declaration.title, declaration.does_not_catch, declaration.formula, declaration.undefined_when))
