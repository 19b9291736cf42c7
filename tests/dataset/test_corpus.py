import gzip
import json

import polars as pl
import pytest
import yaml

from ragvet.dataset import Corpus, load_corpus, stale_passages
from ragvet.errors import InputError
from ragvet.records import Passage

TERMS = {
    "doc_id": "terms",
    "version": "2026-01",
    "title": "Terms",
    "text": "Return it within 30 days.",
    "owner": "legal",
    "valid_from": "2026-01-01",
    "status": "current",
    "audience": ["customers"],
}
FAQ = {"doc_id": "faq", "text": "Ask us."}


def problems(path):
    with pytest.raises(InputError) as caught:
        load_corpus(path)
    return caught.value.problems


def test_every_file_format_says_the_same(tmp_path):
    lines = "".join(json.dumps(document) + "\n" for document in (TERMS, FAQ))
    (tmp_path / "c.jsonl").write_text(lines)
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "c.json").write_text(json.dumps({"documents": [FAQ, TERMS]}))
    (tmp_path / "c.yaml").write_text(yaml.safe_dump([TERMS, FAQ]))
    pl.DataFrame([TERMS, FAQ]).write_parquet(tmp_path / "c.parquet")
    pl.DataFrame([TERMS, FAQ]).with_columns(pl.col("valid_from").str.to_date()).write_parquet(tmp_path / "d.parquet")
    prints = {path.name: load_corpus(path).fingerprint for path in tmp_path.iterdir()}
    assert len(prints) == 6
    assert set(prints.values()) == {Corpus.of([TERMS, FAQ]).fingerprint}


def test_a_folder_is_a_corpus_of_its_texts(tmp_path):
    (tmp_path / "guide" / "deep").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "guide" / "deep" / "start here.md").write_bytes(b"\xef\xbb\xbf# Start\r\nHere.\r\n")
    (tmp_path / "notes.TXT").write_text("Notes")
    (tmp_path / "blank.txt").write_text("")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / ".git" / "hidden.md").write_text("x")
    corpus = load_corpus(tmp_path)
    texts = {document.doc_id: document.text for document in corpus}
    assert texts == {"guide/deep/start here.md": "# Start\nHere.\n", "notes.TXT": "Notes", "blank.txt": ""}


def test_every_text_of_a_folder_that_cannot_be_read_is_named(tmp_path):
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_bytes(b"\xff\xfe")
    assert [problem.source for problem in problems(tmp_path)] == [str(tmp_path / "a.md"), str(tmp_path / "b.md")]


def test_an_empty_folder_and_a_single_text_are_errors(tmp_path):
    assert problems(tmp_path)[0].found == "no documents"
    (tmp_path / "a.md").write_text("x")
    assert problems(tmp_path / "a.md")[0].found == "a single text file"


def test_broken_and_missing_parquet_are_errors(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 not really")
    assert "no readable Parquet" in problems(tmp_path / "a.parquet")[0].found
    assert problems(tmp_path / "none.parquet")[0].found == "no such file or folder"


def test_a_version_twice_and_a_misspelt_field_are_named(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text("\n".join(map(json.dumps, [TERMS, FAQ, TERMS, FAQ, {"doc_id": "x", "txt": "y"}])))
    found = {problem.record: problem for problem in problems(path)}
    assert set(found) == {"terms (line 3)", "faq (line 4)", "x (line 5)"}
    assert "version '2026-01'" in found["terms (line 3)"].found
    assert found["x (line 5)"].expected == "'text'"


def test_a_document_that_ends_before_it_begins_is_an_error(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps(TERMS | {"valid_until": "2025-12-31"}))
    (problem,) = problems(path)
    assert "valid_until (2025-12-31) no earlier than valid_from (2026-01-01)" in problem.expected
    path.write_text(json.dumps(TERMS | {"valid_until": "2026-01-01"}))
    assert len(load_corpus(path).documents) == 1


def test_documents_are_found_by_id_and_version():
    old = {"doc_id": "terms", "version": "1", "text": "old", "status": "superseded"}
    new = {"doc_id": "terms", "version": "2", "text": "new", "status": "current"}
    draft = {"doc_id": "terms", "version": "3", "text": "draft", "status": "draft"}
    corpus = Corpus.of([old, new, draft, FAQ])
    assert "terms" in corpus
    assert "other" not in corpus
    assert corpus.get("terms", "1").text == "old"
    assert corpus.get("terms", "4") is None
    assert corpus.get("terms").text == "new", "the current version, where none is asked for"
    assert corpus.get("faq").version is None
    assert corpus.get("other") is None
    assert [document.version for document in corpus.versions("terms")] == ["1", "2", "3"]


def test_a_document_kept_without_a_version_answers_for_any():
    corpus = Corpus.of([{"doc_id": "d", "text": "The fee is 5 euros."}])
    assert corpus.get("d", "2026-01") is corpus.get("d")
    passage = Passage(doc_id="d", doc_version="2026-01", quote="The fee is 5 euros.")
    assert stale_passages([passage], corpus) == {}


def test_without_a_status_the_last_version_is_meant():
    corpus = Corpus.of([{"doc_id": "a", "version": "1"}, {"doc_id": "a", "version": "2"}])
    assert corpus.get("a").version == "2"
