import csv
import json
import runpy
from pathlib import Path

import pytest
from tests.shared_data import shared

from ragvet import evaluate
from ragvet.dataset import anchor, check, load_corpus, load_dataset
from ragvet.records import RetrievedItem

EXAMPLE = Path(__file__).parents[2] / "examples" / "sec10q"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sec10q")
    runpy.run_path(str(EXAMPLE / "convert.py"))["convert"](shared("kg-rag-sec10q"), folder)
    return folder


@pytest.fixture(scope="module")
def dataset(folder):
    return load_dataset(folder / "golden.json")


def test_all_questions_and_filings_load(folder, dataset):
    corpus = load_corpus(folder / "corpus.jsonl")
    found = check(dataset, corpus)
    # As the data's own README counts them.
    assert found.dataset.by_category == {"single-doc single-chunk": 76, "multi-doc": 65, "single-doc multi-chunk": 54}
    assert found.dataset.by_label["source"] == {"table": 114, "text": 81}
    assert (len(dataset), len(corpus), found.dataset.judgments) == (195, 20, "exhaustive")
    assert found.errors == ()
    # The same question is asked of several companies; only the name differs.
    assert {finding.kind for finding in found.warnings} == {"near-duplicate questions"}


def test_every_case_names_the_filings_of_its_glob(dataset):
    with (shared("kg-rag-sec10q") / "qna_data.csv").open(encoding="utf-8-sig", newline="") as file:
        globs = [row["Source Docs"] for row in csv.DictReader(file)]
    for case, glob in zip(dataset, globs, strict=True):
        words = glob.strip("*").split()
        assert len(case.reference_passages) == (1 if len(words) == 3 else 4), "one filing, or a company's four"
        assert all(set(words) <= set(passage.doc_id.split()) for passage in case.reference_passages)


def test_a_page_carries_the_evidence_of_its_filing(folder, dataset, monkeypatch):
    monkeypatch.chdir(folder)
    search = runpy.run_path(str(EXAMPLE / "pages.py"))["plain"]
    corpus = load_corpus(folder / "corpus.jsonl")
    reached = 0
    for case in dataset.cases[:40]:
        items = [RetrievedItem(**item) for item in search(case.question, 10)]
        carried = anchor(case.reference_passages, items, corpus)
        gold = [passage.doc_id for passage in case.reference_passages]
        for item, indexes in zip(items, carried, strict=True):
            assert indexes == tuple(i for i, doc_id in enumerate(gold) if item.doc_id == doc_id)
        reached += any(carried)
    assert 0 < reached <= 40


def test_every_page_of_text_is_found_in_its_filing(folder):
    corpus = load_corpus(folder / "corpus.jsonl")
    with (folder / "pages.jsonl").open(encoding="utf-8") as file:
        pages = [json.loads(line) for line in file]
    assert len(pages) == 1_035, "two of the 1,037 pages have no text"
    for page in pages:
        document = corpus.get(page["doc"])
        start, end = corpus.placed_text(document).find(page["text"])
        assert document.text[start:end].split() == page["text"].split()


def test_the_run_covers_what_counting_by_hand_covers(folder, dataset, monkeypatch):
    """The oracle counts the reports among the first five pages, from the definition."""
    monkeypatch.chdir(folder)
    search = runpy.run_path(str(EXAMPLE / "pages.py"))["plain"]
    run = evaluate(dataset, search, depths=(5, 50), corpus=folder / "corpus.jsonl", judge="none")
    scores = {
        row["case_id"]: row["value"] for row in run.scores().iter_rows(named=True) if row["metric"] == "coverage@5"
    }
    assert len(scores) == 195
    for case in dataset:
        gold = {passage.doc_id for passage in case.reference_passages}
        reached = {page["doc_id"] for page in search(case.question, 5)} & gold
        assert scores[case.id] == pytest.approx(len(reached) / len(gold), abs=1e-12)
