"""How rankings and judgments are brought together: what is missing, cut, batched or read in parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.retrieval.material import aligned, labels

from ragvet.errors import InputError
from ragvet.metrics.rankings import parse
from ragvet.retrieval import Reading, ReadingOptions, align


def test_a_query_without_ranking_counts_as_empty_or_not_at_all() -> None:
    qrels, run = {"p": {"a": 1}, "q": {"a": 1}, "r": {"a": 1}}, {"r": ["a"], "p": ["b", "a"]}
    empty = align(qrels, run)
    assert empty.query_ids.to_list() == ["p", "q", "r"]
    assert empty.score(parse("RR")).low.tolist() == [0.5, 0.0, 1.0]
    skipped = align(qrels, run, missing="skip")
    assert skipped.query_ids.to_list() == ["p", "r"]
    assert skipped.score(parse("RR")).low.tolist() == [0.5, 1.0]


def test_qrels_that_only_mark_what_is_unjudged_leave_all_of_it_open() -> None:
    scores = align({"q": {"a": -1}}, {"q": ["a"]}).score(parse("precision@1"))
    assert (scores.low.tolist(), scores.high.tolist()) == ([0.0], [1.0])


def test_depth_cuts_rankings_and_leaves_the_rest_unjudged_elsewhere() -> None:
    collection = align({"q": {"a": 1}}, {"q": ["x", "y", "a"]}, depth=2, corpus=10)
    assert labels(collection) == [[-1, -1]]
    assert collection.batches[0].rankings.unjudged_elsewhere.tolist() == [7]  # 10 less a, x and y's two


def test_rankings_of_very_different_length_are_batched_and_put_back_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragvet.retrieval._assemble._SMALL", 0)
    monkeypatch.setattr("ragvet.retrieval._assemble._WASTE", 1)
    qrels = {f"q{i}": {f"d{i}": 1} for i in range(9)}
    run = {f"q{i}": [*(f"x{j}" for j in range(3**i % 200)), f"d{i}"] for i in range(8, -1, -1)}
    collection = align(qrels, run)
    assert len(collection.batches) > 2
    assert collection.score(parse("RR")).low.tolist() == [1 / (3**i % 200 + 1) for i in range(9)]


def test_a_long_run_is_read_in_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ragvet.retrieval._run.PART", 50)
    monkeypatch.setattr("ragvet.files._text.BLOCK", 300)
    lines = [f"q{i} Q0 d{(i * 7 + r) % 40} {r} {50 - r} t\n" for i in range(40) for r in range(1, 11)]
    qrels = "".join(f"q{i} 0 d{i} 1\nq{i} 0 d{i + 1} 0\n" for i in range(40))
    whole = aligned(tmp_path, qrels, "".join(lines))
    monkeypatch.setattr("ragvet.retrieval._run.PART", 1 << 20)
    monkeypatch.setattr("ragvet.files._text.BLOCK", 1 << 20)
    assert labels(aligned(tmp_path, qrels, "".join(lines))) == labels(whole)
    for rows in (1, 25):  # less than a query, and some
        monkeypatch.setattr("ragvet.retrieval._run._AT_ONCE", rows)
        assert labels(aligned(tmp_path, qrels, "".join(lines))) == labels(whole)
    monkeypatch.setattr("ragvet.retrieval._run.PART", 50)
    monkeypatch.setattr("ragvet.files._text.BLOCK", 300)
    with pytest.raises(InputError, match="lines of 1 queries far apart"):
        aligned(tmp_path, qrels, "".join([*lines, "q3 Q0 z 11 1 t\n"]))


def test_keyword_options_are_the_fields_of_reading() -> None:
    assert set(ReadingOptions.__annotations__) == set(Reading.__dataclass_fields__)
