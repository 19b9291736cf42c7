"""What a corpus says about the gold passages of a case: borne out, readable, in force."""

from datetime import date

from ragvet.dataset import Corpus, Standing, standing
from ragvet.records import Case, DocumentVersion

DOCUMENTS = [
    DocumentVersion(doc_id="open", text="All may read this.", status="current"),
    DocumentVersion(doc_id="board", text="The shop will close.", audience=("board",), status="current"),
    DocumentVersion(doc_id="old", text="Open on Sundays.", valid_until=date(2025, 12, 31), status="superseded"),
]


def stands(*passages, **changes):
    said = {"id": "q", "question": "?", "category": "x", "expected_behaviour": "answer", "reference_passages": passages}
    return standing(Case.model_validate(said | changes), Corpus.of(DOCUMENTS))


def test_nothing_is_amiss_where_nothing_is_stated():
    assert stands({"doc_id": "open"}, {"doc_id": "board"}) == Standing()
    assert standing(Case(id="q", question="?", category="x", expected_behaviour="answer"), None) == Standing()


def test_what_the_corpus_does_not_bear_out_is_stale():
    assert stands({"doc_id": "open", "quote": "words that are gone"}, {"doc_id": "open"}).stale == {0}


def test_what_the_caller_may_not_read_is_denied():
    eve = {"id": "eve", "groups": ["staff"]}
    assert stands({"doc_id": "open"}, {"doc_id": "board"}, identity=eve).denied == {1}
    assert stands({"doc_id": "board"}, identity={**eve, "groups": ["board"]}).denied == set()


def test_what_was_not_in_force_on_the_day_has_lapsed():
    assert stands({"doc_id": "old"}, effective_date="2026-03-01").lapsed == {0}
    assert stands({"doc_id": "old"}, effective_date="2025-03-01").lapsed == set()
    assert stands({"doc_id": "old"}).lapsed == {0}  # without a date its status tells
