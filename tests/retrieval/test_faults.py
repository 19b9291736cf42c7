"""What cannot be read is an error that says where and what."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.retrieval.material import QRELS, RUN, aligned

from ragvet.errors import InputError
from ragvet.retrieval import align

WRONG = {
    "empty qrels": (b"", RUN, {}, "no judgments"),
    "blank qrels": ("\n \n", RUN, {}, "no judgments"),
    "only a header": ("query-id\tcorpus-id\tscore\n", RUN, {}, "no judgments"),
    "empty run": (QRELS, b"", {}, "no ranked items"),
    "NaN": (QRELS, RUN.replace("2.0", "nan"), {}, "line 2, score: found 'nan'"),
    "infinity": (QRELS, RUN.replace("2.0", "-inf"), {}, "line 2, score: found '-inf'"),
    "too large": (QRELS, RUN.replace("2.0", "1e999"), {}, "line 2, score: found '1e999'"),
    "words": (QRELS, RUN.replace(" 2 ", " two ").replace("1.0", "one"), {}, "'two'.*\n.*line 3, score: found 'one'"),
    "half grades": (QRELS.replace("b 0", "b 0.5"), RUN, {}, "line 2, grade: found '0.5'"),
    "grade beyond the scale": (QRELS.replace("b 0", "b 101"), RUN, {}, "grade 101"),
    "two grades": (QRELS + "q1 0 a 0\n", RUN, {}, "query q1, item a: found grades 1 and 0"),
    "item twice": (QRELS, RUN + "q1 Q0 a 3 1.0 t\n", {}, "query q1: found item a more than once"),
    "item twice in a dict": ({"q": {"a": 1}}, {"q": ["a", "b", "a"]}, {}, "item a more than once"),
    "rank twice": (QRELS, RUN + "q1 Q0 y 2 1.0 t\n", {}, "rank 2 twice"),
    "no common query": ("z 0 a 1\n", RUN, {}, r"none of the 1 judged queries \(z, …\)"),
    "three columns of qrels": ("q1 a 1\n", RUN, {}, "--qrels-columns query,item,grade"),
    "three columns with scores": (QRELS, "q1 a 0.5\n", {}, "--run-columns query,item,score"),
    "unknown column": (QRELS, RUN, {"run_columns": "query,thing,rank"}, "unknown thing"),
    "qrels and run the wrong way round": (RUN, QRELS, {}, "It looks like a run: name the qrels first"),
    "qrels in place of the run": (QRELS, QRELS, {}, "It looks like qrels: name the qrels first"),
    "commas": ("query_id,doc_id,relevance\nq1,a,1\n", RUN, {}, "1 column .*Separate the fields by tabs or spaces"),
    "one column": (QRELS, "a\nb\n", {}, r"1 column \(a\); expected 6 columns"),
    "underscores": (QRELS, RUN.replace("2.0", "2_0"), {}, "line 2, score: found '2_0'"),
    "huge grade": (QRELS.replace("b 0", "b 99999999999999999999"), RUN, {}, "line 2, grade: found '9"),
    "rank and score the wrong way round": (QRELS, "q1 Q0 a 3.5 1 t\n", {}, "line 1, rank: found '3.5'"),
    "a field too few": (QRELS + "q1 0\n", RUN, {}, "line 4: found 2 fields"),
    "a field too many": (QRELS + "q1 0 e 1 9\n", RUN, {}, "line 4: found 5 fields"),
    "lone surrogate": (b"q1 0 \xed\xa0\x80 1\n", RUN, {}, "line 1: found byte 0xed, which is not UTF-8"),
    "latin-1": (b"q1 0 a 1\nq1 0 \xe9 1\n", RUN, {}, "line 2: found byte 0xe9, which is not UTF-8"),
    "lone surrogate in a dict": ({"q\ud800": {"a": 1}}, {"q": ["a"]}, {}, "an id that is no text"),
    "an object for an id": ({"q": {object(): 1}}, {"q": ["a"]}, {}, "record 1, item"),
    "lists for ids": (pl.DataFrame({"qid": [["q"]], "doc": ["a"], "rel": [1]}), {"q": ["a"]}, {}, "record 1, qid"),
    "no grade in a dict": ({"q": {"a": None}}, {"q": ["a"]}, {}, "found None"),
    "no grade at all": ({"q": ["a"]}, {"q": ["a"]}, {}, "a list; expected {item: grade}"),
    "no columns": (pl.DataFrame({"x": [1]}), RUN, {}, "columns x; expected query_id, doc_id, relevance"),
    "something else": (QRELS, 5, {}, "a int; expected a path"),
    "too small a corpus": (QRELS, RUN, {"corpus": 1}, "1 documents; expected at least 3"),
    "no scores to order by": (QRELS, {"q1": ["a"]}, {"order": "trec"}, "no scores"),
    "unknown order": (QRELS, RUN, {"order": "name"}, "order: found 'name'"),
    "no depth": (QRELS, RUN, {"depth": 0}, "depth: found 0"),
}  # fmt: skip


@pytest.mark.parametrize("fault", WRONG)
def test_an_error_names_place_and_fault(fault: str, tmp_path: Path) -> None:
    qrels, run, options, message = WRONG[fault]
    with pytest.raises(InputError, match=message):
        aligned(tmp_path, qrels, run, **options)


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no such file or folder"):
        align(tmp_path / "none", {"q": ["a"]})
    (tmp_path / "broken.jsonl").write_text('{"query_id": "q"}\n{"query_id"\n')
    with pytest.raises(InputError, match=r"broken.jsonl, line 2"):
        align(tmp_path / "broken.jsonl", {"q": ["a"]})
