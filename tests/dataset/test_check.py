import json

import pytest

from ragvet.dataset import Corpus, Dataset, check, check_files, reference_problems

CASE = {
    "id": "q1",
    "question": "How long is the return period?",
    "category": "returns",
    "expected_behaviour": "answer",
    "reference_passages": [{"doc_id": "terms", "quote": "within 30 days"}],
}
TERMS = {"doc_id": "terms", "text": "Return it within 30 days."}
CORPUS = Corpus.of([TERMS])


def kinds(dataset, corpus=CORPUS):
    return [(finding.severity, finding.kind) for finding in check(dataset, corpus).findings]


def listed(*cases):
    return Dataset.of([CASE | case for case in cases], judgments="listed")


def passage(**fields):
    return {"reference_passages": [fields]}


def test_a_sound_set_has_no_findings():
    assert kinds(listed({})) == []


def test_an_undeclared_scope_is_an_error_that_asks_for_it():
    (finding,) = check(Dataset.of([CASE]), CORPUS).errors
    assert finding.kind == "judgment scope not declared"
    assert "exhaustive" in finding.problem.expected
    assert 'judgments = "listed" under [dataset] in ragvet.toml' in finding.problem.action  # where `run` shows it
    assert "`ragvet check` takes --judgments" in finding.problem.action


def test_an_unknown_document_is_an_error_with_the_id_that_was_meant():
    (finding,) = check(listed(passage(doc_id="Terms")), CORPUS).findings
    assert (finding.severity, finding.kind) == ("error", "unknown document")
    assert finding.problem.action == "Did you mean 'terms'?"
    assert finding.problem.field == "reference_passages[0].doc_id"


def test_without_a_corpus_nothing_is_said_about_documents():
    found = check(listed(passage(doc_id="anything", quote="x")))
    assert found.findings == ()
    assert found.corpus is None
    assert found.dataset.stale_passages is None


@pytest.mark.parametrize(
    ("case", "document", "kind"),
    [
        (passage(doc_id="terms", quote="within 14 days"), {}, "stale annotation"),
        (passage(doc_id="terms", doc_version="1"), {"version": "2"}, "stale annotation"),
        (passage(doc_id="terms"), {"status": "superseded"}, "superseded evidence"),
        (passage(doc_id="terms"), {"status": "archived"}, "superseded evidence"),
        ({"effective_date": "2026-03-01"}, {"valid_until": "2026-02-28"}, "superseded evidence"),
        ({"effective_date": "2026-03-01"}, {"valid_from": "2026-03-02"}, "superseded evidence"),
        ({"effective_date": "2026-03-01"}, {"valid_until": "2026-03-01", "status": "superseded"}, None),
        (passage(doc_id="terms", grade=0) | {"expected_behaviour": "refuse"}, {"status": "archived"}, None),
    ],
)
def test_evidence_the_corpus_no_longer_bears_out_is_a_warning(case, document, kind):
    expected = [] if kind is None else [("warning", kind)]
    assert kinds(listed(case), Corpus.of([TERMS | document])) == expected


def test_questions_and_ids_that_repeat_are_warnings():
    assert kinds(listed({}, {"id": "q2"})) == [("warning", "near-duplicate questions")]
    other = "Who pays for sending it back?"
    assert kinds(listed({}, {"id": "Q01", "question": other})) == [("warning", "similar case ids")]
    apart = [{"group": "g", "split": "dev"}, {"id": "q2", "question": other, "group": "g", "split": "holdout"}]
    assert kinds(listed(*apart)) == [("warning", "group in several splits")]


def test_documents_of_one_text_are_a_warning_naming_the_others():
    copies = [TERMS | {"doc_id": name, "text": TERMS["text"].upper() + "\n"} for name in "abcde"]
    corpus = Corpus.of([TERMS, *copies, TERMS | {"version": "2"}, {"doc_id": "e1", "text": ""}, {"doc_id": "e2"}])
    (finding,) = check(listed({}), corpus).findings
    assert finding.kind == "duplicate documents"
    assert finding.problem.record == "terms"
    assert finding.problem.found == "the same text in 'a', 'b', 'c' and 2 more"


def test_documents_of_almost_one_text_are_a_warning():
    words = [f"word{number}" for number in range(100)]
    # a word changed in the middle changes five of 96 runs: 91 of 101 are common
    slip = [*words[:50], "other", *words[51:]]
    # every eighth word changed leaves 96 − 60 runs, far fewer than four fifths
    rewritten = [f"{word}x" if place % 8 == 0 else word for place, word in enumerate(words)]
    texts = {"a": words, "b": slip, "c": rewritten, "d": words[:3], "e": [word.upper() for word in words]}
    documents = [{"doc_id": name, "text": " ".join(text)} for name, text in texts.items()]
    versions = [{"doc_id": "v", "version": number, "text": f"{number} {' '.join(words[::-1])}"} for number in "12"]
    found = check(listed(CASE), Corpus.of([TERMS, *documents, *versions])).findings
    assert [(finding.kind, finding.problem.record, finding.problem.found) for finding in found] == [
        ("duplicate documents", "a", "the same text in 'e'"),
        ("near-duplicate documents", "b", "almost the text of 'a'"),
    ]


def test_the_facts_count_what_is_there_and_say_what_is_not_stated():
    synthetic = [
        {"labels": {"origin": "Synthetic"}},
        {"labels": {"synthetic": "no"}},
        {"labels": {"synthetic": "yes", "risk": "high"}},
        {"labels": {"risk": "low"}, "split": "dev"},
        {"expected_behaviour": "refuse", "reference_passages": [], "category": "unanswerable"},
        {"adjudication": {"agreed": False}} | passage(doc_id="terms"),
    ]
    # Different numbers keep the questions apart.
    cases = [{"id": f"q{i}", "question": f"{CASE['question']} {i}"} | case for i, case in enumerate(synthetic)]
    found = check(listed(*cases), Corpus.of([TERMS, {"doc_id": "bare"}]))
    facts = found.dataset
    assert found.findings == ()
    assert facts.cases == 6
    assert facts.by_category == {"returns": 5, "unanswerable": 1}
    assert facts.by_behaviour == {"answer": 5, "refuse": 1}
    assert facts.by_split == {"not stated": 5, "dev": 1}
    assert facts.by_origin == {"synthetic": 2, "real": 1, "not stated": 3}
    assert facts.by_label["risk"] == {"high": 1, "low": 1}
    assert facts.ambiguous == 1
    assert (facts.passages, facts.passages_by_mark) == (5, {"quote": 4, "document": 1})
    assert (facts.stale_passages, facts.uncheckable_passages) == (0, 0)
    assert (facts.copying_questions, facts.copying_eligible) == (0, 5)
    assert (found.corpus.documents, found.corpus.without_text, found.corpus.without_owner) == (2, 1, 2)


def test_passages_nobody_can_check_are_counted_apart_from_stale_ones():
    facts = check(listed({}), Corpus.of([{"doc_id": "terms"}])).dataset
    assert (facts.stale_passages, facts.uncheckable_passages) == (0, 1)


def test_files_are_checked_as_far_as_they_can_be_read(tmp_path):
    golden, corpus = tmp_path / "golden.json", tmp_path / "corpus.jsonl"
    golden.write_text(json.dumps([CASE | passage(doc_id="term"), CASE | {"id": "q2", "splitt": "dev"}]))
    corpus.write_text(json.dumps(TERMS))
    found = check_files(golden, corpus)
    assert [finding.kind for finding in found.errors] == [
        "invalid file",
        "judgment scope not declared",
        "unknown document",
    ]
    assert found.dataset.cases == 1


def test_evidence_of_cases_that_are_wrong_elsewhere_is_checked_too(tmp_path):
    golden, corpus = tmp_path / "golden.json", tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({"doc_id": "terms", "text": "within 30 days"}))
    passages = [
        {"doc": "terms"},  # unreadable, and still the first of the list
        {"doc_id": "term"},
        {"doc_id": "terms", "quote": "within 90 days"},
    ]
    case = {"id": "a", "question": "?", "expected_behaviour": "answer", "reference_passages": passages}
    golden.write_text(json.dumps({"judgments": "listed", "cases": [case]}))
    found = check_files(golden, corpus)
    assert {(finding.kind, finding.problem.field) for finding in found.findings} == {
        ("invalid file", "category"),
        ("invalid file", "reference_passages[0].doc_id"),
        ("invalid file", "reference_passages[0].doc"),
        ("unknown document", "reference_passages[1].doc_id"),
        ("stale annotation", "reference_passages[2]"),
    }
    assert {finding.problem.record for finding in found.findings} == {"a (record 1)", "a"}
    assert found.dataset is None  # no case can be counted
    good = {**case, "id": "b", "category": "x", "reference_passages": [{"doc_id": "terms"}]}
    golden.write_text(json.dumps({"judgments": "listed", "cases": [case, good]}))
    counted = check_files(golden, corpus).dataset
    assert (counted.cases, counted.stale_passages) == (1, 0)


def test_both_files_are_reported_when_both_are_broken(tmp_path):
    golden, corpus = tmp_path / "golden.json", tmp_path / "corpus.jsonl"
    golden.write_text("[")
    found = check_files(golden, corpus)
    assert {finding.problem.source for finding in found.errors} == {str(golden), str(corpus)}
    assert found.dataset is found.corpus is None


def test_reference_problems_are_the_errors_of_a_check():
    dataset = Dataset.of([CASE | passage(doc_id="other"), CASE | {"id": "q2"}])
    assert reference_problems(dataset, CORPUS) == [finding.problem for finding in check(dataset, CORPUS).errors]
    assert len(reference_problems(dataset)) == 1
