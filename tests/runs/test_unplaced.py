"""Bounds hold whatever chunks that nobody can place turn out to carry: every way is tried."""

from itertools import product

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.metrics.rankings import slow
from tests.runs.make import case

from ragvet.metrics.rankings import parse
from ragvet.records import Case
from ragvet.runs._anchoring import Anchoring, unit_of
from ragvet.runs._count_retrieval import RetrievalItems, retrieval_scores
from ragvet.runs._frames import RANKINGS

METRICS = {
    name: parse(name)
    for name in (
        "precision@2",
        "recall@2",
        "recall",
        "F@3",
        "hit@1",
        "hit",
        "RR",
        "RR@2",
        "RR(rel=2)",
        "AP",
        "AP@2",
        "context_precision",
        "R-precision",
        "nDCG@2",
        "nDCG",
        "nDCG(gain=exp)@3",
        "RBP",
        "bpref",
        "ERR",
        "precision(rel=2)@3",
        "recall(rel=2)@3",
        "redundancy@3",
        "coverage@2",
    )
}


def redundancy(ranked, k):
    window = ranked[:k]
    return sum(again for _, again in window) / len(window) if window else None


def coverage(passages, carried, k):
    reached = set().union(*map(set, carried[:k]))
    units = {}
    for number, passage in enumerate(passages):
        if passage.grade > 0:
            units.setdefault(unit_of(passages, number), []).append(number in reached)
    return sum(map(any, units.values())) / len(units) if units else None


def true_value(metric, passages, carried):
    """By definition, once it is known what every chunk carries."""
    anchoring = Anchoring(None, "exhaustive", 0.5)
    ranked = tuple(anchoring._graded(passages, [(numbers, []) for numbers in carried]))
    if metric.definition.name == "redundancy":
        return redundancy(ranked, metric.cutoff)
    if metric.definition.name == "coverage":
        return coverage(passages, carried, metric.cutoff)
    reached = {unit_of(passages, number) for numbers in carried for number in numbers if passages[number].grade}
    missed = {}
    for number, passage in enumerate(passages):
        unit = unit_of(passages, number)
        if passage.grade and unit not in reached:
            missed[unit] = max(passage.grade, missed.get(unit, 0))
    seen = {number for numbers in carried for number in numbers}
    useless = [0 for number, passage in enumerate(passages) if not passage.grade and number not in seen]
    top = max([1, *(passage.grade for passage in passages)])
    arguments = dict(metric.arguments) | ({} if metric.definition.cutoff == "none" else {"k": metric.cutoff})
    return slow.SLOW[metric.definition.name](slow.Query(ranked, (*missed.values(), *useless), top), **arguments)


@st.composite
def situations(draw, grades=st.integers(0, 2)):  # noqa: B008 - a strategy is a value
    groups = draw(st.lists(st.sampled_from([None, None, "a"]), min_size=1, max_size=3))
    drawn = draw(st.lists(grades, min_size=len(groups), max_size=len(groups)).filter(any))
    gold = [{"doc_id": f"d{n}", "any_of": group, "grade": drawn[n]} for n, group in enumerate(groups)]
    cell = st.sampled_from(["no", "no", "yes", "maybe"])
    cells = draw(st.lists(st.lists(cell, min_size=len(gold), max_size=len(gold)), min_size=1, max_size=4))
    chosen = [(row, n) for row, line in enumerate(cells) for n, c in enumerate(line) if c == "maybe"]
    return Case.model_validate(case("q", *gold)), cells, chosen[:7]


def scored(situation, scope):
    """The row of each metric, and what every chunk carries, way by way."""
    asked, cells, open_cells = situation
    passages = asked.reference_passages
    carried = [[n for n, c in enumerate(line) if c == "yes"] for line in cells]
    maybe = [[n for n in range(len(passages)) if (row, n) in open_cells] for row in range(len(cells))]
    graded = Anchoring(None, scope, 0.5)._graded(passages, list(zip(carried, maybe, strict=True)))
    first = {number: rank for rank, numbers in reversed(list(enumerate(carried))) for number in numbers}
    reached = [
        [{"passage": number, "share": 1.0, "found": True} for number in numbers if first[number] == rank]
        for rank, numbers in enumerate(carried)
    ]
    rows = [
        (
            "q",
            0,
            "union",
            rank,
            f"c{rank}",
            None,
            None,
            grade,
            again,
            carried[rank - 1],
            maybe[rank - 1],
            reached[rank - 1],
            None,
            None,
        )
        for rank, (grade, again) in enumerate(graded, start=1)
    ]
    frame = pl.DataFrame(rows, schema=RANKINGS, orient="row")
    scores = retrieval_scores(frame.lazy(), RetrievalItems([(asked, 0)], {}, {}), scope, METRICS)
    found = {row["metric"]: row for row in scores.iter_rows(named=True)}
    truths = [
        [
            sorted({*numbers, *(n for (at, n), way in zip(open_cells, ways, strict=True) if at == row and way)})
            for row, numbers in enumerate(carried)
        ]
        for ways in product([False, True], repeat=len(open_cells))
    ]
    return found, truths


def test_what_there_is_to_find_does_not_hang_on_which_alternative_was_found():
    asked = Case.model_validate(case("q", {"doc_id": "d0", "any_of": "a", "grade": 2}, {"doc_id": "d1", "any_of": "a"}))
    for cells in ([["no", "yes"], ["yes", "no"]], [["yes", "no"], ["no", "yes"]], [["no", "yes"], ["no", "no"]]):
        found, _ = scored((asked, cells, []), "exhaustive")
        assert found["recall(rel=2)@3"]["value"] == 1
        assert found["nDCG"]["value"] == 1


@pytest.mark.parametrize("scope", ["exhaustive", "listed"])
@settings(max_examples=150, deadline=None)
@given(situation=situations())
def test_no_way_of_carrying_evidence_leads_out_of_the_bounds(scope, situation):
    found, truths = scored(situation, scope)
    for name, metric in METRICS.items():
        for truth in truths:
            value = true_value(metric, situation[0].reference_passages, truth)
            if value is None:
                assert found[name]["status"] != "scored", (name, truth)
                continue
            low, high = found[name]["low"], found[name]["high"]
            assert low is not None, (name, truth)
            assert low - 1e-12 <= value <= high + 1e-12, (name, truth)


@pytest.mark.parametrize("name", ["precision@2", "hit@1", "hit", "RR", "RR@2", "RBP", "context_precision"])
@settings(max_examples=150, deadline=None)
@given(situation=situations(grades=st.just(1)))
def test_bounds_of_what_only_asks_whether_a_chunk_is_relevant_are_reached(name, situation):
    found, truths = scored(situation, "exhaustive")
    values = [true_value(METRICS[name], situation[0].reference_passages, truth) for truth in truths]
    defined = [value for value in values if value is not None]
    if not defined:
        assert found[name]["status"] == "undefined"
        return
    assert (found[name]["low"], found[name]["high"]) == pytest.approx((min(defined), max(defined)), abs=1e-12)
    assert (found[name]["status"] == "scored") == (len(defined) == len(values) and min(defined) == max(defined))


def test_a_chunk_that_carries_a_passage_is_relevant_whatever_stands_above_it():
    # c1 may carry the passage or not, c2 carries it for sure
    asked = Case.model_validate(case("q", {"doc_id": "d"}))
    found, _ = scored((asked, [["maybe"], ["yes"]], [(0, 0)]), "exhaustive")
    assert (found["RR"]["low"], found["RR"]["high"]) == (0.5, 1.0)
    assert found["hit"]["value"] == 1.0
    assert found["recall"]["value"] == 1.0  # by the one or the other
    assert found["nDCG"]["reason"] == "ranked items that could not be placed in their document may carry the evidence"
