"""What is odd about the input is a counted remark: never silence."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import polars as pl
import pytest
from tests.retrieval.material import QRELS, RUN, aligned, kinds

from ragvet.errors import InputError
from ragvet.metrics.rankings import parse
from ragvet.retrieval import InputWarning, align, evaluate

REMARKS = {
    "query-not-in-run": (QRELS + "q9 0 a 1\n", RUN, 1),
    "query-not-in-qrels": (QRELS, RUN + "q3 Q0 a 1 1 t\n", 1),
    "judged-twice": (QRELS + "q1 0 a 1\nq1 0 a 1\n", RUN, 2),
    "listed-unjudged": (QRELS + "q1 0 x -1\n", RUN, 1),
    "negative-grade": (QRELS + "q1 0 y -2\n", RUN, 1),
    "rank-against-score": (QRELS, RUN.replace("3.0", "1.0"), 1),
    "rank-constant": (QRELS, "q1 Q0 x 0 1 t\nq1 Q0 a 0 2 t\nq2 Q0 c 0 1 t\n", 3),
    "tied-scores": (QRELS, RUN.replace("3.0", "2.0"), 1),
    "item-look-alike": (
        "q1 0 D-046 1\nq1 0 caf\u00e9 1\nq1 0 Doc 1\n",
        "q1 Q0 D-46 1 3 t\nq1 Q0 cafe\u0301 2 2 t\nq1 Q0 doc 3 1 t\n",
        3,
    ),
    "judged-alike": (QRELS + "q2 0 A 1\nq2 0 caf\u00e9 1\nq1 0 cafe\u0301 1\nq1 0 D-7 1\nq1 0 D-07 0\n", RUN, 3),
    "ranked-alike": (QRELS, RUN + "q2 Q0 D-7 2 1 t\nq2 Q0 D-007 3 0.5 t\nq2 Q0 X 4 0.2 t\n", 2),
    "query-alike": (QRELS + "Q1 0 a 1\n", RUN, 1),
    "nothing-judged-ranked": ("q1 a 0 1\nq2 c 0 2\n", RUN, 3),  # the second and third column changed places
    "query-look-alike": ("q01 0 a 1\nq2 0 c 1\n", RUN, 1),
}


@pytest.mark.parametrize("kind", REMARKS)
def test_a_remark_is_counted_and_with_strict_an_error(kind: str, tmp_path: Path) -> None:
    qrels, run, count = REMARKS[kind]
    assert kinds(aligned(tmp_path, qrels, run))[kind] == count
    with pytest.raises(InputError, match="strict was asked for"):
        aligned(tmp_path, qrels, run, strict=True)


@pytest.mark.parametrize("rows", [2, 1 << 20])
def test_a_look_alike_of_a_judged_id_is_found_wherever_it_stands(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragvet.retrieval._run._AT_ONCE", rows)  # also across the parts of a run
    filler = {f"f{i}": {f"d{i}": 1} for i in range(3_000)}
    qrels = {**filler, "q": {"D-7": 1, "b": 0}, "r": {"d-07": 1}, "Q": {"b": 0}}
    run = {**{query: [*items, "x"] for query, items in filler.items()}, "q": ["y", "D-007"], "r": ["z"]}
    collection = align(qrels, run)
    assert kinds(collection) == {"item-look-alike": 1, "judged-alike": 1, "query-alike": 1, "query-not-in-run": 1}
    assert "'D-007' for 'D-7'" in str(next(n for n in collection.notices if n.kind == "item-look-alike"))


def test_ranked_ids_are_compared_among_themselves_at_first_and_with_strict_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragvet.retrieval._spelling._LOOKED_AT", 3)
    qrels, run = {"p": {"a": 1}, "q": {"b": 1}}, {"p": ["X", "x", "y"], "q": ["z", "Y"]}
    found = next(notice for notice in align(qrels, run).notices if notice.kind == "ranked-alike")
    assert str(found).startswith("unjudged items of the first 3 ranked whose id is that of another but for case")
    assert found.examples == ("'x' for 'X'",)
    with pytest.raises(InputError, match=r"but for case, zero padding, Unicode form or invisible characters: 2;"):
        align(qrels, run, strict=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CACM-46", "CACM-0046"),
        ("D1", "d1"),
        ("a", " a"),
        ("caf\u00e9", "cafe\u0301"),
        ("D\u200b1", "D1"),
        ("D1", "D1\x00"),
        ("caf\u00e9", "caf\u00e9\u2060"),
        ("Stra\u00dfe", "STRASSE"),
        ("7", "\uff17"),
        ("\u03c3\u03bf\u03c6\u03cc\u03c2", "\u03a3\u039f\u03a6\u038c\u03a3"),
        ("a01b2", "a1b002"),
        ("0", "000"),
    ],
)
def test_ids_alike_are_those_of_one_canonical_form(one: str, other: str) -> None:
    for judged, ranked in ((one, other), (other, one)):
        assert kinds(align({"q": {judged: 1}}, {"q": [ranked]}))["item-look-alike"] == 1


@pytest.mark.parametrize(("one", "other"), [("10", "1"), ("a0", "a"), ("a1", "a10"), ("a b", "ab"), ("d-1", "d1")])
def test_ids_that_differ_in_more_are_not_alike(one: str, other: str) -> None:
    assert kinds(align({"q": {one: 1}}, {"q": [other]})) == {"nothing-judged-ranked": 1}


def test_rankings_of_one_item_each_are_no_constant_rank() -> None:
    run = pl.DataFrame({"query": ["p", "q"], "item": ["a", "a"], "rank": [1, 1], "score": [1.0, 2.0]})
    assert kinds(align({"p": {"a": 1}, "q": {"a": 1}}, run)) == {}


def test_evaluate_warns_of_every_remark() -> None:
    with pytest.warns(InputWarning, match="judged queries without a ranking in the run: 1"):
        evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"]}, ["RR"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["RR"])


def test_dangling_judgments_are_named_beside_what_they_nearly_are(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": i}) + "\n" for i in ("D-0046", "D-0047", "D-0048")))
    collection = align({"q": {"D-46": 1, "D-0047": 1}}, {"q": ["D-0047"]}, corpus=corpus)
    assert kinds(collection) == {"judged-not-in-corpus": 1, "judged-look-alike": 1}
    assert "'D-46' for 'D-0046'" in str(collection.notices[-1])


def test_a_query_among_its_own_results_is_named_and_left_out_when_asked() -> None:
    qrels, run = {"q": {"d": 1}, "p": {"d": 1}}, {"q": {"q": 9.0, "d": 8.0}, "p": {"d": 9.0, "p": 8.0}}
    collection = align(qrels, run, judgments="exhaustive")
    assert kinds(collection) == {"query-in-own-ranking": 1}
    assert collection.score(parse("RR")).value.tolist() == [0.5, 1.0]
    without = align(qrels, run, judgments="exhaustive", ignore_identical_ids=True)
    assert kinds(without) == {}
    assert without.score(parse("RR")).value.tolist() == [1.0, 1.0]
    alone = align(qrels, {**run, "q": {"q": 1.0}}, judgments="exhaustive", ignore_identical_ids=True)
    assert alone.score(parse("RR")).value.tolist() == [0.0, 1.0]
