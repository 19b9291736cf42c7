"""Every form of input is read, and everything odd about it is an error or a counted remark: never silence."""

from __future__ import annotations

import gzip
import io
import json
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from ragvet.errors import InputError
from ragvet.metrics.retrieval import parse
from ragvet.retrieval import (
    Collection,
    InputWarning,
    Reading,
    ReadingOptions,
    align,
    evaluate,
    read_qrels,
    write_qrels,
    write_run,
)

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n"
RUN = "q1 Q0 a 1 3.0 t\nq1 Q0 x 2 2.0 t\nq2 Q0 c 1 1.0 t\n"
LABELS = [[1, -1], [2, -2]]


def aligned(folder: Path, qrels: object = QRELS, run: object = RUN, **options: object) -> Collection:
    """Text and bytes are written to files first."""
    return align(_file(folder / "qrels.txt", qrels), _file(folder / "run.txt", run), **options)


def _file(path: Path, content: object) -> object:
    if isinstance(content, str):
        path.write_bytes(content.encode())
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        return content
    return path


def labels(collection: Collection) -> list[list[int]]:
    return collection.batches[0].rankings.labels.tolist()


def kinds(collection: Collection) -> dict[str, int]:
    return {notice.kind: notice.count for notice in collection.notices}


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


@pytest.mark.parametrize("packing", ["gz", "zst"])
@pytest.mark.parametrize("form", ["txt", "jsonl"])
def test_packed_files_are_unpacked(packing: str, form: str, tmp_path: Path) -> None:
    rows = [line.split() for line in RUN.splitlines()]
    lines = [json.dumps({"query_id": q, "doc_id": d, "rank": int(r), "score": float(s)}) for q, _, d, r, s, _ in rows]
    content = (RUN if form == "txt" else "\n".join(lines)).encode()
    path = tmp_path / f"run.{form}.{packing}"
    if packing == "gz":
        path.write_bytes(gzip.compress(content))
    else:
        zstd = pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
        path.write_bytes(zstd.compress(content))
    assert labels(aligned(tmp_path, run=path)) == LABELS
    broken = tmp_path / f"broken.{form}.{packing}"
    broken.write_bytes(path.read_bytes()[:-6])
    with pytest.raises(InputError, match="broken"):
        aligned(tmp_path, run=broken)


def test_parquet_and_json_are_read(tmp_path: Path) -> None:
    pl.DataFrame({"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "grade": [1, 0, 2]}).write_parquet(
        tmp_path / "q.parquet"
    )
    (tmp_path / "r.json").write_text('{"q1": ["a", "x"], "q2": ["c"]}')
    assert labels(align(tmp_path / "q.parquet", tmp_path / "r.json")) == LABELS


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


def test_standard_input_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    assert labels(align(_file(tmp_path / "qrels", QRELS), "-")) == LABELS
    with pytest.raises(InputError, match="more than one of the files"):
        align("-", "-")


@pytest.mark.parametrize("packing", ["gz", "zst"])
@pytest.mark.parametrize("buffered", [True, False])
def test_packed_standard_input_is_unpacked(
    packing: str, buffered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if packing == "gz":
        content = gzip.compress(RUN.encode())
    else:
        zstd = pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
        content = zstd.compress(RUN.encode())
    for packed in (content, content[:-6]):
        stream = io.BufferedReader(io.BytesIO(packed)) if buffered else io.BytesIO(packed)
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
        if packed == content:
            assert labels(align(_file(tmp_path / "qrels", QRELS), "-")) == LABELS
            assert not stream.closed
        else:
            with pytest.raises(InputError, match="-: found"):
                align(_file(tmp_path / "qrels", QRELS), "-")


def test_a_beir_folder_gives_qrels_and_the_size_of_its_corpus(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\n")
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps({"_id": i, "text": "t"}) + "\n" for i in "abcde"))
    collection = align(tmp_path, {"q1": ["b", "a"]}, split="dev", corpus=tmp_path)
    # 5 documents, 1 judged, 1 ranked and unjudged
    assert collection.batches[0].rankings.unjudged_elsewhere.tolist() == [3]
    with pytest.raises(InputError, match=r"no qrels/test.tsv \(splits: dev\)"):
        align(tmp_path, {"q1": ["b"]})


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
    "a field too few": (QRELS + "q1 0\n", RUN, {}, "line 4: found 2 fields"),
    "a field too many": (QRELS + "q1 0 e 1 9\n", RUN, {}, "line 4: found 5 fields"),
    "lone surrogate": (b"q1 0 \xed\xa0\x80 1\n", RUN, {}, "line 1: found bytes that are not UTF-8"),
    "latin-1": (b"q1 0 a 1\nq1 0 \xe9 1\n", RUN, {}, "line 2: found bytes that are not UTF-8"),
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
    with pytest.raises(InputError, match="No such file"):
        align(tmp_path / "none", {"q": ["a"]})
    (tmp_path / "broken.jsonl").write_text('{"query_id": "q"}\n{"query_id"\n')
    with pytest.raises(InputError, match=r"broken.jsonl, line 2"):
        align(tmp_path / "broken.jsonl", {"q": ["a"]})


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
    "query-look-alike": ("q01 0 a 1\nq2 0 c 1\n", RUN, 1),
}


@pytest.mark.parametrize("kind", REMARKS)
def test_a_remark_is_counted_and_with_strict_an_error(kind: str, tmp_path: Path) -> None:
    qrels, run, count = REMARKS[kind]
    assert kinds(aligned(tmp_path, qrels, run))[kind] == count
    with pytest.raises(InputError, match="strict was asked for"):
        aligned(tmp_path, qrels, run, strict=True)


@pytest.mark.parametrize(
    ("kind", "last", "judged"),
    [("item-look-alike", "d-07", "D-7"), ("ranked-alike", "X", "D-7"), ("judged-alike", "z", "d-07")],
)
def test_strict_compares_every_id_and_otherwise_a_remark_says_how_many(
    kind: str, last: str, judged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragvet.retrieval._spelling._LOOKED_AT", 3)
    qrels = {"p": {"a": 1}, "q": {"D-7": 1, "b": 0}, "r": {judged: 1}}
    run = {"p": ["x", "y", "z", "w"], "q": ["D-7"], "r": [last]}
    assert kind not in kinds(align(qrels, run))
    monkeypatch.setattr("ragvet.retrieval._run._AT_ONCE", 2)  # also across the parts of a run
    with pytest.raises(InputError, match="but for case, zero padding or Unicode form: 1;"):
        align(qrels, run, strict=True)
    monkeypatch.setattr("ragvet.retrieval._spelling._LOOKED_AT", 2)
    first = {"p": ["A", "y", "z", "w"], "q": ["b"], "r": ["b"]}
    found = next(str(notice) for notice in align(qrels, first).notices if notice.kind == "item-look-alike")
    assert found.startswith("unjudged items of the first 2 or so ranked whose id is a judged one")


def test_evaluate_warns_of_every_remark() -> None:
    with pytest.warns(InputWarning, match="judged queries without a ranking in the run: 1"):
        evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"]}, ["RR"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["RR"])


def test_dangling_judgments_are_named_beside_what_they_nearly_are(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": i}) + "\n" for i in ("D-0046", "D-0047", "D-0048")))
    collection = align({"q": {"D-46": 1, "D-0047": 1}}, {"q": ["D-0048"]}, corpus=corpus)
    assert kinds(collection) == {"judged-not-in-corpus": 1, "judged-look-alike": 1}
    assert "'D-46' for 'D-0046'" in str(collection.notices[-1])


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
    monkeypatch.setattr("ragvet.retrieval._streams.BLOCK", 300)
    lines = [f"q{i} Q0 d{(i * 7 + r) % 40} {r} {50 - r} t\n" for i in range(40) for r in range(1, 11)]
    qrels = "".join(f"q{i} 0 d{i} 1\nq{i} 0 d{i + 1} 0\n" for i in range(40))
    whole = aligned(tmp_path, qrels, "".join(lines))
    monkeypatch.setattr("ragvet.retrieval._run.PART", 1 << 20)
    monkeypatch.setattr("ragvet.retrieval._streams.BLOCK", 1 << 20)
    assert labels(aligned(tmp_path, qrels, "".join(lines))) == labels(whole)
    for rows in (1, 25):  # less than a query, and some
        monkeypatch.setattr("ragvet.retrieval._run._AT_ONCE", rows)
        assert labels(aligned(tmp_path, qrels, "".join(lines))) == labels(whole)
    monkeypatch.setattr("ragvet.retrieval._run.PART", 50)
    monkeypatch.setattr("ragvet.retrieval._streams.BLOCK", 300)
    with pytest.raises(InputError, match="lines of 1 queries far apart"):
        aligned(tmp_path, qrels, "".join([*lines, "q3 Q0 z 11 1 t\n"]))


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


def test_ids_may_hold_spaces_where_the_format_can_carry_them() -> None:
    judged = read_qrels({"q 1": {"a/b \u202e\"c'": 1}})
    assert judged.items.to_list() == ["a/b \u202e\"c'"]
    assert labels(align({"q 1": {"a b": 1}}, {"q 1": ["a b"]})) == [[1]]


def test_keyword_options_are_the_fields_of_reading() -> None:
    assert set(ReadingOptions.__annotations__) == set(Reading.__dataclass_fields__)
