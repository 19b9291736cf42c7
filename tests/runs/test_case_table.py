"""The case table of a run, and evidence that the caller may not read."""

from datetime import date

import polars as pl
from tests.runs.make import case, dataset, finished, score_of

from ragvet.dataset import Corpus
from ragvet.records import Case, DocumentVersion
from ragvet.runs._frames import CASES


def corpus():
    return Corpus.of(
        [
            DocumentVersion(doc_id="pub", text="The shop opens at nine.", audience=("staff",)),
            DocumentVersion(doc_id="board", text="The shop will close in May.", audience=("board",)),
        ]
    )


EVE = {"id": "eve", "groups": ["staff"]}


def test_it_holds_what_comparisons_need(tmp_path):
    full = case(
        "full", "pub", group="g", split="dev", labels={"risk": "high"}, identity=EVE, effective_date="2026-03-01"
    )
    run = finished(tmp_path, dataset(full, case("bare", "pub")), lambda question, k: ["pub"])
    table = run.case_frame()
    assert table.schema == CASES
    row, bare = table.iter_rows(named=True)
    assert (row["group"], row["split"], row["risk"], row["identity"]) == ("g", "dev", "high", "eve")
    assert (row["effective_date"], row["weight"], row["evidence"]) == (date(2026, 3, 1), 1.0, [0])
    assert [bare[name] for name in ("group", "split", "risk", "identity", "effective_date")] == [None] * 5
    assert row["fingerprint"] == Case.model_validate(full).fingerprint != bare["fingerprint"]


def test_the_fingerprint_of_a_case_is_of_the_exam_alone():
    asked = case("q", "pub")
    whole = Case.model_validate(asked).fingerprint
    beside = {"id": "other", "category": "z", "labels": {"risk": "low"}, "group": "g", "split": "dev", "source": "mail"}
    assert Case.model_validate(asked | beside).fingerprint == whole
    for name, value in {"question": "else?", "expected_behaviour": "refuse", "identity": EVE}.items():
        assert Case.model_validate(asked | {name: value}).fingerprint != whole


def scores(tmp_path, *cases, retrieved):
    run = finished(tmp_path, dataset(*cases), lambda question, k: retrieved, documents=corpus())
    return run, {(row["case_id"], row["metric"]): row for row in run.scores().iter_rows(named=True)}


def test_evidence_the_caller_may_not_read_is_no_reward(tmp_path):
    allowed = case("allowed", "pub", identity=EVE)
    both = case("both", "pub", "board", identity=EVE)
    denied = case("denied", "board", identity=EVE)
    run, found = scores(tmp_path, allowed, both, denied, retrieved=["board", "pub"])
    assert found["allowed", "coverage@2"]["value"] == 1
    for metric in ("coverage@2", "recall@2", "RR@2", "precision@2", "hit@2", "nDCG@2"):
        row = found["denied", metric]
        assert (row["status"], row["reason"]) == ("undefined", "not permitted: the caller may not read the evidence")
    assert found["both", "coverage@2"]["value"] == 1  # of the one passage that is the caller's to read
    assert found["both", "RR@2"]["value"] == 0.5  # what may not be read stands first, and is not relevant
    ranked = run.rankings().filter((pl.col("case_id") == "both") & (pl.col("view") == "union"))
    assert dict(zip(ranked["chunk_id"], ranked["permitted"], strict=True)) == {"board": False, "pub": True}


def test_it_is_counted_all_the_same_where_it_was_found(tmp_path):
    def answer(question, k):
        return {"text": "No.", "retrieved": [{"id": "board", "doc_id": "board"}, {"id": "pub", "doc_id": "pub"}]}

    golden = dataset(case("denied", "board", identity=EVE, behaviour="refuse"))
    run = finished(tmp_path, golden, answer, documents=corpus())
    assert score_of(run, "retrieved_permitted", "denied")["value"] == 0.5
