"""TREC files that are written hold what was given, and are read back."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.retrieval.material import labels

from ragvet.errors import InputError
from ragvet.retrieval import align, write_qrels, write_run


def test_trec_files_are_written_and_read_back(tmp_path: Path) -> None:
    qrels = pl.DataFrame({"query": ["q1", "q1"], "item": ["a", "b"], "grade": [1, 0]})
    run = pl.DataFrame({"query": ["q1", "q1"], "item": ["b", "a"], "rank": [1, 2], "score": [0.1 + 0.2, 0.1]})
    write_qrels(qrels, tmp_path / "q")
    write_run(run, tmp_path / "r", tag="mine")
    assert (tmp_path / "q").read_text() == "q1 0 a 1\nq1 0 b 0\n"
    assert (tmp_path / "r").read_text() == "q1 Q0 b 1 0.30000000000000004 mine\nq1 Q0 a 2 0.1 mine\n"
    assert labels(align(tmp_path / "q", tmp_path / "r")) == [[0, 1]]
    with pytest.raises(InputError, match="without white space"):
        write_qrels(qrels.with_columns(item=pl.lit("a b")), tmp_path / "q")
    with pytest.raises(InputError, match="tag 'my run'"):
        write_run(run, tmp_path / "r", tag="my run")


def test_what_is_written_may_be_called_as_in_files_that_are_read(tmp_path: Path) -> None:
    write_qrels(pl.DataFrame({"query_id": [1], "doc_id": ["a"], "relevance": [2]}), tmp_path / "q")
    assert (tmp_path / "q").read_text() == "1 0 a 2\n"
    scores = {"qid": ["1", "2", "1", "1"], "docno": ["b", "x", "a", "c"], "score": [1.0, 9.0, 2.0, 1.0]}
    write_run(pl.DataFrame(scores), tmp_path / "r")
    lines = ["1 Q0 b 2 1.0 ragvet", "2 Q0 x 1 9.0 ragvet", "1 Q0 a 1 2.0 ragvet", "1 Q0 c 3 1.0 ragvet"]
    assert (tmp_path / "r").read_text().splitlines() == lines  # equal scores as they stand: b before c
    write_run({"1": ["a", "b"]}, tmp_path / "r")
    assert (tmp_path / "r").read_text() == "1 Q0 a 1 1.0 ragvet\n1 Q0 b 2 0.5 ragvet\n"
    write_run(pl.DataFrame({"query": ["1", "1"], "item": ["a", "b"], "rank": [0, 1]}), tmp_path / "r")
    assert (tmp_path / "r").read_text() == "1 Q0 a 0 1.0 ragvet\n1 Q0 b 1 0.5 ragvet\n"


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pl.DataFrame({"query": ["q"], "item": ["a"]}), "columns query, item; expected query_id, doc_id, rank"),
        (pl.DataFrame({"query": ["q"], "item": [None], "rank": [1]}), "record 1, item: found None"),
        (pl.DataFrame({"query": ["q"], "item": ["a"], "score": [float("nan")]}), "found nan"),
    ],
)
def test_what_cannot_be_written_is_an_input_error(frame: pl.DataFrame, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        write_run(frame, tmp_path / "r")
    with pytest.raises(InputError, match="qrels frame"):
        write_qrels(frame, tmp_path / "q")
    assert not list(tmp_path.iterdir())
