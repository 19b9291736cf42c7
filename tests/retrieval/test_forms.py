"""Every form in which people have qrels and runs is read, and read the same."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from tests.retrieval.material import LABELS, QRELS, RUN, aligned, file, kinds, labels

from ragvet.errors import InputError
from ragvet.retrieval import align, read_qrels, with_texts

READABLE = {
    "trec": (QRELS, RUN, {}),
    "crlf and byte order mark": ("\ufeff" + QRELS.replace("\n", "\r\n"), "\ufeff" + RUN.replace("\n", "\r\n"), {}),
    "no newline at the end": (QRELS.rstrip(), RUN.rstrip(), {}),
    "tabs": (QRELS.replace(" ", "\t"), RUN.replace(" ", "\t"), {}),
    "any white space": (" q1   0\ta  1\n\n\tq1 0 b 0  \nq2 0  c 2\n", RUN.replace(" ", "  \t"), {}),
    "comments": ("# made by hand\n" + QRELS + "# end\n", "#\n" + RUN, {}),
    "words after the tag": (QRELS, RUN.replace("t\n", "t and more\n"), {}),
    "scattered lines": (QRELS, "q1 Q0 a 1 3 t\nq2 Q0 c 1 1 t\nq1 Q0 x 2 2 t\n", {}),
    "unsorted ranks": (QRELS, "q1 Q0 x 2 2 t\nq1 Q0 a 1 3 t\nq2 Q0 c 1 1 t\n", {}),
    "BEIR qrels": ("query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\nq2\tc\t2\n", RUN, {}),
    "three columns of qrels, said so": ("q1 a 1\nq1 b 0\nq2 c 2\n", RUN, {"qrels_columns": "query,item,grade"}),
    "MS MARCO ranks": (QRELS, "q1\ta\t1\nq1\tx\t2\nq2\tc\t1\n", {}),
    "three columns of scores, said so": (QRELS, "q1 x 1\nq1 a 2\nq2 c 1\n", {"run_columns": "query,item,score"}),
    "dicts": ({"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}, {"q1": {"x": 0.5, "a": 0.7}, "q2": {"c": 1}}, {}),
    "lists of ids": ({"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}, {"q1": ["a", "x"], "q2": ["c"]}, {}),
    "frames": (
        pl.DataFrame({"qid": ["q1", "q1", "q2"], "docno": ["a", "b", "c"], "relevance": [1.0, 0.0, 2.0]}),
        pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["x", "a", "c"], "rank": [2, 1, 1]}),
        {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", READABLE)
def test_the_same_judgments_and_ranking_are_read_from(form: str, tmp_path: Path) -> None:
    qrels, run, options = READABLE[form]
    collection = aligned(tmp_path, qrels, run, **options)
    assert collection.query_ids.to_list() == ["q1", "q2"]
    assert labels(collection) == LABELS
    assert collection.batches[0].rankings.judged.tolist() == [[1, 1, 0], [0, 0, 1]]
    assert kinds(collection) == ({"layout": 1} if form == "MS MARCO ranks" else {})


class Frame:
    """As much of a pandas frame as is used; pandas itself is no dependency."""

    def __init__(self, columns: dict[str, list]) -> None:
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    def __getitem__(self, name: str) -> SimpleNamespace:
        missing = [value is None or value != value for value in self._columns[name]]  # noqa: PLR0124 - NaN
        return SimpleNamespace(tolist=lambda: self._columns[name], isna=lambda: SimpleNamespace(tolist=lambda: missing))


@pytest.fixture(params=["pandas", "pandas.core.frame"])  # where pandas 3 says its class is, and where pandas 2 does
def pandas_frame(request: pytest.FixtureRequest) -> type[Frame]:
    return type("DataFrame", (Frame,), {"__module__": request.param})


def test_pandas_frames_are_read_without_importing_pandas(tmp_path: Path, pandas_frame: type[Frame]) -> None:
    run = pandas_frame({"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "x", "c"], "rank": [1, 2, 1]})
    assert labels(aligned(tmp_path, run=run)) == LABELS
    assert "pandas" not in sys.modules


def test_what_pandas_calls_missing_is_no_id(tmp_path: Path, pandas_frame: type[Frame]) -> None:
    run = pandas_frame({"query_id": ["q1", "q1"], "doc_id": ["a", float("nan")], "rank": [1, 2]})
    with pytest.raises(InputError, match="record 2, doc_id: found None; expected an id"):
        aligned(tmp_path, run=run)


def test_ids_that_pandas_made_floats_are_whole_numbers(pandas_frame: type[Frame]) -> None:
    run = pandas_frame({"query_id": [1.0, 1.0], "doc_id": [7.0, 8.0], "rank": [1, 2]})
    assert labels(align({"1": {"7": 1}}, run)) == [[1, -1]]


def packed(content: bytes, packing: str) -> bytes:
    if packing == "plain":
        return content
    if packing == "gz":
        return gzip.compress(content)
    return pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd").compress(
        content
    )


def parquet() -> bytes:
    written = io.BytesIO()
    frame = pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "x", "c"], "rank": [1, 2, 1], "text": "long"})
    frame.write_parquet(written)
    return written.getvalue()


FORMS = {
    "txt": RUN.encode(),
    "jsonl": b"".join(
        b'{"query_id": "%s", "doc_id": "%s", "rank": %s, "score": %s}\n' % (fields[0], fields[2], fields[3], fields[4])
        for fields in (line.split() for line in RUN.encode().splitlines())
    ),
    "json": b'{"q1": ["a", "x"], "q2": ["c"]}',
    "json over lines": b'{\n "q1": {"a": 3.0, "x": 2.0},\n "q2": {"c": 1.0}\n}',
    "parquet": parquet(),
}


@pytest.mark.parametrize("packing", ["plain", "gz", "zst"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("place", ["file", "buffered stdin", "stdin"])
def test_every_form_is_read_packed_or_not_from_a_file_or_standard_input(
    place: str, form: str, packing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, content = file(tmp_path / "qrels", QRELS), packed(FORMS[form], packing)
    path = tmp_path / f"run.{form.split(maxsplit=1)[0]}{'' if packing == 'plain' else f'.{packing}'}"
    for shown in (content, content[:-6]):
        stream = io.BytesIO(shown) if place == "stdin" else io.BufferedReader(io.BytesIO(shown))
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
        path.write_bytes(shown)
        source = path if place == "file" else "-"
        if shown == content:
            assert labels(align(qrels, source)) == LABELS
            assert not stream.closed
        elif packing != "plain" or form not in {"txt", "jsonl"}:
            with pytest.raises(InputError, match=rf"{path.name if place == 'file' else '-'}(, line \d)?: found"):
                align(qrels, source)


def test_only_one_source_is_standard_input() -> None:
    with pytest.raises(InputError, match="more than one of the files"):
        align("-", "-")


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_rows_are_read_in_parts_and_counted_through(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"run.{form}"
    path.write_bytes(FORMS[form])
    monkeypatch.setattr("ragvet.retrieval._records._ROWS", 1)
    monkeypatch.setattr("ragvet.files._text.BLOCK", 10)
    assert labels(aligned(tmp_path, run=path)) == LABELS
    rows = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", None], "rank": [1, 2]})
    rows.write_parquet(path) if form == "parquet" else rows.write_ndjson(path)
    with pytest.raises(InputError, match="record 2, doc_id: found None"):
        aligned(tmp_path, run=path)


def test_a_beir_folder_gives_qrels_and_the_size_of_its_corpus(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\n")
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps({"_id": i, "text": "t"}) + "\n" for i in "abcde"))
    collection = align(tmp_path, {"q1": ["b", "a"]}, split="dev", corpus=tmp_path)
    # 5 documents, 1 judged, 1 ranked and unjudged
    assert collection.batches[0].rankings.unjudged_elsewhere.tolist() == [3]
    with pytest.raises(InputError, match=r"no qrels/test.tsv \(splits: dev\)"):
        align(tmp_path, {"q1": ["b"]})


def test_ids_may_hold_spaces_where_the_format_can_carry_them() -> None:
    judged = read_qrels({"q 1": {"a/b \u202e\"c'": 1}})
    assert judged.items.to_list() == ["a/b \u202e\"c'"]
    assert labels(align({"q 1": {"a b": 1}}, {"q 1": ["a b"]})) == [[1]]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "q.jsonl",
            '{"_id": "q1", "text": "one\u2028or \u0085 two"}\r\n\r\n{"_id": "q2", "text": "an \\"ä\\", or"}\r\n',
        ),
        ("q.csv", '_id,text\r\nq1,one\u2028or \u0085 two\r\nq2,"an ""ä"", or"\r\n'),
        ("q.tsv", 'q1\tone\u2028or \u0085 two\r\nq2\tan "ä", or\r\n'),
    ],
)
def test_questions_are_read_as_their_format_has_lines_and_quotation_marks(
    name: str, content: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content.encode())
    items = pl.DataFrame({"query_id": ["q1", "q2"]})
    found, notices = with_texts(items, queries=tmp_path / name)
    assert found["question"].to_list() == ["one\u2028or \u0085 two", 'an "ä", or']
    assert notices == []


def test_a_corpus_may_begin_with_an_empty_line_but_not_with_a_list(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('\n\n{"_id": "a", "text": "some"}')
    assert with_texts(pl.DataFrame({"item": ["a"]}), corpus=corpus)[0]["text"].to_list() == ["some"]
    corpus.write_text('["_id", "text"]\n')
    with pytest.raises(InputError, match=r"line 1: found .*; expected one JSON object a line"):
        with_texts(pl.DataFrame({"item": ["a"]}), corpus=corpus)


def test_a_query_that_begins_like_a_comment_counts_and_is_remarked(tmp_path: Path) -> None:
    qrels = "# made by hand\n#tag 0 a 1\n#tag 0 is no row\n## 0 a 1\nq2 0 b 1\n"
    run = "#tag Q0 a 1 3.0 t\n#\nq2 Q0 b 1 2.0 t\n"
    collection = aligned(tmp_path, qrels, run)
    assert collection.query_ids.to_list() == ["#tag", "q2"]
    assert labels(collection) == [[1], [1]]
    assert kinds(collection)["marked-row"] >= 1
    alone = aligned(tmp_path, "# all of them\n#tag 0 a 1\n", "#tag Q0 a 1 3.0 t\n")
    assert alone.query_ids.to_list() == ["#tag"]


def test_whole_numbers_written_with_a_point_are_whole_numbers(tmp_path: Path) -> None:
    qrels = "query-id\tcorpus-id\tscore\nq1\ta\t1.0\nq1\tb\t0.0\nq2\tc\t2.\n"
    assert labels(aligned(tmp_path, qrels, RUN.replace(" 1 ", " 1.0 "))) == LABELS
    with pytest.raises(InputError, match=r"line 2, grade: found '1\.5'"):
        aligned(tmp_path, qrels.replace("1.0", "1.5"), RUN)


def test_lines_that_end_in_a_carriage_return_alone_are_no_single_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: found a carriage return alone"):
        aligned(tmp_path, QRELS, RUN.replace("\n", "\r"))
