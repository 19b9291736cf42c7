"""Whoever reads a file holds it to the same rules: all readers, times all forms, packings and faults."""

import gzip
import io
import json
import sys
from dataclasses import dataclass
from typing import Any

import polars as pl
import pytest
import yaml

from ragvet.dataset import load_corpus, load_dataset
from ragvet.errors import InputError
from ragvet.judging import HumanJudge
from ragvet.retrieval import align, read_qrels, with_texts
from ragvet.runs import load_labels
from ragvet.targets import RecordedTraces

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CASE = {"id": "a", "question": "Größe?\u2028", "category": "x", "expected_behaviour": "refuse"}
QUESTION = {"_id": "a", "text": "Größe?\u2028"}


@dataclass(frozen=True)
class Reader:
    """Someone who reads records, two of them, and whether both were read."""

    records: tuple[dict[str, Any], dict[str, Any]]
    reads_both: Any


def both_answers_have_labels(path):
    HumanJudge(path)
    return True


READERS = {
    "golden set": Reader((CASE, CASE | {"id": "b"}), lambda path: len(load_dataset(path)) == 2),
    "corpus": Reader(
        ({"doc_id": "a", "text": "Größe\u2028"}, {"doc_id": "b", "text": "t"}), lambda path: len(load_corpus(path)) == 2
    ),
    "traces": Reader(
        ({"case": "a", "answer": "ü\u2028"}, {"case": "a", "repeat": 1, "answer": "x"}),
        lambda path: RecordedTraces.open(path).check({"a"}) == {"a": 2},
    ),
    "labels of people": Reader(
        (
            {"case_id": "a", "behaviour": {"observed": "refused", "source": "ü\u2028"}},
            {"case_id": "b", "behaviour": {"observed": "refused", "source": "ü"}},
        ),
        both_answers_have_labels,
    ),
    "declared labels": Reader(
        (
            {"case": "ä\u2028", "gold": [], "retrieved": ["x"], "supported_claims": 0, "total_claims": 0},
            {"case": "b", "gold": ["y"], "retrieved": ["x"], "supported_claims": 0, "total_claims": 0},
        ),
        lambda path: len(load_labels(path)) == 2,
    ),
    "queries": Reader(
        (QUESTION, QUESTION | {"_id": "b"}),
        lambda path: with_texts(pl.DataFrame({"query_id": ["a", "b"]}), queries=path)[0]["question"].null_count() == 0,
    ),
    "corpus of a retrieval": Reader(
        ({"_id": "a", "text": "ü\u2028"}, {"_id": "b", "text": "t"}),
        lambda path: with_texts(pl.DataFrame({"item": ["a", "b"]}), corpus=path)[0]["text"].null_count() == 0,
    ),
    "qrels": Reader(
        ({"query_id": "ä\u2028", "doc_id": "a", "grade": 1}, {"query_id": "q", "doc_id": "b", "grade": 0}),
        lambda path: len(read_qrels(path)) == 2,
    ),
    "run": Reader(
        ({"query_id": "ä\u2028", "doc_id": "a", "rank": 1}, {"query_id": "q", "doc_id": "b", "rank": 1}),
        lambda path: len(align({"ä\u2028": {"a": 1}, "q": {"b": 1}}, path)) == 2,
    ),
}


def lines(*records, end="\n"):
    return "".join(json.dumps(record, ensure_ascii=False) + end for record in records).encode()


def parquet(*records):
    written = io.BytesIO()
    pl.DataFrame(records, infer_schema_length=None).write_parquet(written)
    return written.getvalue()


FORMS = {
    "lines.jsonl": lines,
    "lines.ndjson": lines,
    "crlf.jsonl": lambda *records: lines(*records, end="\r\n"),
    "blank lines.jsonl": lambda *records: lines(*records).replace(b"\n", b"\n\n \t\n"),
    "no end.jsonl": lambda *records: lines(*records).removesuffix(b"\n"),
    "escaped.JSONL": lambda *records: "".join(json.dumps(record) + "\n" for record in records).encode(),
    "array.json": lambda *records: json.dumps(records).encode(),
    "pretty.json": lambda *records: json.dumps(records, indent=2, ensure_ascii=False).encode(),
    "list.yaml": lambda *records: yaml.safe_dump(list(records), allow_unicode=True).encode(),
    "list.yml": lambda *records: yaml.safe_dump(list(records)).encode(),
    "rows.parquet": parquet,
    "rows.pq": parquet,
}
PACKINGS = {
    "plain": ("", lambda content: content),
    "gzip": (".gz", gzip.compress),
    "zstd": (".zst", zstd.compress),
    "gzip without its suffix": ("", gzip.compress),
    "zstd without its suffix": ("", zstd.compress),
    "two gzip members": (".gz", lambda content: gzip.compress(content[:9]) + gzip.compress(content[9:])),
    "zstd under the suffix of gzip": (".gz", zstd.compress),
}


def written(folder, name, content, packing="plain"):
    suffix, pack = PACKINGS[packing]
    path = folder / (name + suffix)
    path.write_bytes(pack(content))
    return path


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_reads_every_form_packed_or_not(reader, form, packing, tmp_path):
    content = FORMS[form](*READERS[reader].records)
    assert READERS[reader].reads_both(written(tmp_path, form, content, packing))
    if not form.startswith("rows"):
        assert READERS[reader].reads_both(written(tmp_path, form, b"\xef\xbb\xbf" + content, packing))


def problems(reader, path):
    with pytest.raises(InputError) as refused:
        READERS[reader].reads_both(path)
    return refused.value.problems


def faulty(record, fault):
    """The record as JSON with a fault in it."""
    text = json.dumps(record, ensure_ascii=False)
    return {
        "a key twice": text[:-1] + ", " + text[1:],
        "a key twice, spelt differently": text[:-1] + ', "\\u00' + f"{ord(next(iter(record))[0]):02x}" + text[3:],
        "a key twice, white space before its colon": text[:-1] + ", " + text[1:].replace('":', '" :', 1),
        "a key twice inside": text[:-1] + ', "metadata": {"k": 1, "k": 2}}',
        "NaN": text[:-1] + ', "metadata": NaN}',
        "Infinity": text[:-1] + ', "metadata": [-Infinity]}',
        "a number too large": text[:-1] + ', "metadata": 1e999}',
        "a number too long": text[:-1] + ', "metadata": ' + "9" * 5000 + "}",
        "too deep": text[:-1] + ', "metadata": ' + "[" * 201 + "]" * 201 + "}",
        "much too deep": text[:-1] + ', "metadata": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "half a character": text[:-1] + ', "metadata": "\\ud83d"}',
        "a comma too many": text[:-1] + ",}",
        "a comment": text + " // why",
        "single quotes": "{'id': 1}",
        "control characters": text[:-1] + ', "metadata": "\x00"}',
        "no end": text[:-1],
        "no object": '"text"',
    }[fault].encode()  # fmt: skip


FAULTS = (
    "a key twice", "a key twice, spelt differently", "a key twice, white space before its colon", "a key twice inside",
    "NaN", "Infinity", "a number too large", "a number too long", "too deep", "much too deep", "half a character",
    "a comma too many", "a comment", "single quotes", "control characters", "no end", "no object",
)  # fmt: skip


@pytest.mark.parametrize("packing", ["plain", "gzip", "zstd"])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_strict_json_is_refused_with_its_line_by_every_reader(reader, fault, packing, tmp_path):
    good, bad = READERS[reader].records
    path = written(tmp_path, "a.jsonl", lines(good) + b"\n" + faulty(bad, fault) + b"\n", packing)
    found = problems(reader, path)
    assert all(problem.source == str(path) for problem in found)
    assert any("line 3" in (problem.record or "") for problem in found), found
    if fault.startswith("a key twice"):
        assert any("twice in one object" in problem.found for problem in found), found


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "no object"])
@pytest.mark.parametrize("reader", READERS)
def test_and_in_json_that_is_no_lines(reader, fault, tmp_path):
    good, bad = READERS[reader].records
    path = written(tmp_path, "a.json", b"[\n" + lines(good).strip() + b",\n" + faulty(bad, fault) + b"\n]")
    found = problems(reader, path)
    assert all(problem.source == str(path) for problem in found)
    assert any("line " in (problem.record or "") for problem in found) or "deep" in found[0].found, found


@pytest.mark.parametrize("reader", READERS)
def test_lines_that_end_in_a_carriage_return_alone_are_named(reader, tmp_path):
    path = written(tmp_path, "a.jsonl", lines(*READERS[reader].records, end="\r"))
    (problem,) = problems(reader, path)
    assert (problem.record, problem.found) == ("line 1", "a carriage return alone")


@pytest.mark.parametrize("reader", READERS)
def test_text_in_another_encoding_is_named(reader, tmp_path):
    good, bad = READERS[reader].records
    text = lines(good) + json.dumps(bad).replace(": ", ': "\xe9", "x": ', 1).encode("latin-1")
    assert any("0xe9" in problem.found for problem in problems(reader, written(tmp_path, "a.jsonl", text)))
    (problem,) = problems(reader, written(tmp_path, "b.jsonl", lines(good, bad).decode().encode("utf-16")))
    assert problem.found == "UTF-16 text"


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
@pytest.mark.parametrize("form", ["lines.jsonl", "array.json", "list.yaml", "rows.parquet"])
@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_file_is_an_input_error_wherever_it_is_cut_or_changed(reader, form, packing, tmp_path):
    suffix, pack = PACKINGS[packing]
    whole = pack(FORMS[form](*(READERS[reader].records * 20)))
    path = tmp_path / (form + suffix)
    for damaged in (whole[:-9], whole[: len(whole) // 2], whole[:20] + b"\xff\x00\xff" + whole[23:], whole[:3]):
        path.write_bytes(damaged)
        assert problems(reader, path)


@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_parquet_file_is_an_input_error(reader, tmp_path):
    whole = FORMS["rows.parquet"](*READERS[reader].records)
    path = tmp_path / "a.parquet"
    for damaged in (whole[:-9], whole[:40], whole[-40:], b"PAR1", b"{}", whole[:-60] + b"\xff" * 40 + whole[-20:]):
        path.write_bytes(damaged)
        (problem,) = problems(reader, path)
        assert problem.found.startswith("no readable Parquet")


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
@pytest.mark.parametrize("form", ["lines.jsonl", "array.json"])
@pytest.mark.parametrize("reader", READERS)
def test_a_packed_file_may_hold_no_more_than_the_limit(reader, form, packing, tmp_path, monkeypatch):
    path = written(tmp_path, form, FORMS[form](*READERS[reader].records) + b" " * 3_000_000, packing)
    monkeypatch.setenv("RAGVET_MAX_UNPACKED_GIB", "0.001")
    (problem,) = problems(reader, path)
    assert problem.found == "more than 0.001 GiB in packed form"
    assert "RAGVET_MAX_UNPACKED_GIB" in problem.action
    monkeypatch.setenv("RAGVET_MAX_UNPACKED_GIB", "0.01")
    assert READERS[reader].reads_both(path)


@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_is_not_there_is_told_in_the_same_words(reader, tmp_path):
    (problem,) = problems(reader, tmp_path / "none.jsonl")
    assert problem.found == "no such file or folder"
