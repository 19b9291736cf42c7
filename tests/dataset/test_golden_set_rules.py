import json

import pytest

from ragvet.dataset import Dataset, check, load_dataset
from ragvet.errors import InputError
from ragvet.records import Case

GOOD = {
    "id": "q1",
    "question": "How long is the return period?",
    "category": "returns",
    "expected_behaviour": "answer",
    "reference_passages": [{"doc_id": "terms"}],
}
# The field names of requirement D1, all of them and no others.
D1 = {
    "id": "returns-001",
    "question": "how long can i send stuff back??",
    "category": "returns",
    "expected_behaviour": "answer",
    "reference_answer": "30 days.",
    "reference_passages": [
        {"doc_id": "terms", "doc_version": "2026-01", "locator": "section 4", "chunk_ids": ["terms-12", "terms-13"]}
    ],
    "corpus_snapshot": "2026-01-31",
    "source": "support ticket 4711",
    "adjudication": {"reviewers": ["am", "jk"], "agreed": True, "note": "checked against the contract"},
    "added": "2026-02-01",
}


def problems(*cases):
    with pytest.raises(InputError) as caught:
        Dataset.of(cases)
    return caught.value.problems


def test_a_file_with_the_field_names_of_the_guides_loads_unchanged(tmp_path):
    path = tmp_path / "golden.json"
    path.write_text(json.dumps([D1]))
    (case,) = load_dataset(path)
    back = case.model_dump(mode="json", exclude_defaults=True)
    assert back == D1


def test_nulls_stand_for_fields_that_are_not_given():
    nulls = {"reference_answer": None, "history": None, "labels": None, "required_claims": None, "added": None}
    passage = {"doc_id": "terms", "chunk_ids": None, "grade": None, "quote": None}
    assert Dataset.of([GOOD | nulls | {"reference_passages": [passage]}]).cases == Dataset.of([GOOD]).cases


def test_a_null_that_is_an_expected_value_stays():
    contract = {"fields": {"/total": None}}
    (case,) = Dataset.of([GOOD | {"output_contract": contract, "history": None}])
    assert case.output_contract.fields == {"/total": None}


@pytest.mark.parametrize("field", ["id", "question", "category"])
def test_white_space_is_no_text(field):
    (problem,) = problems(GOOD | {field: " \n"})
    assert (problem.field, problem.found) == (field, "a blank text")


@pytest.mark.parametrize(
    ("labels", "expected"),
    [({"category": "other"}, "beside the category"), ({"a=b": "c"}, "label=value"), ({" ": "c"}, "not blank")],
)
def test_no_label_can_be_mistaken_for_another_stratum(labels, expected):
    (problem,) = problems(GOOD | {"labels": labels})
    assert problem.field == "labels"
    assert expected in problem.expected


def test_a_null_in_an_obligatory_field_is_missing():
    (problem,) = problems(GOOD | {"question": None})
    assert (problem.field, problem.found) == ("question", "nothing")


@pytest.mark.parametrize(
    ("change", "field", "found", "action"),
    [
        ({"catgory": "x"}, "catgory", "a field with this name", "Rename it."),
        ({"frobnicate": 1}, "frobnicate", "a field with this name", "a stratum of your own goes under labels"),
        ({"expected_behaviour": "refuze"}, "expected_behaviour", "'refuze'", "Did you mean 'refuse'?"),
        ({"split": "Dev"}, "split", "'Dev'", "Did you mean 'dev'?"),
        ({"id": 17}, "id", "17, a number", "Put it in quotes."),
        ({"category": False}, "category", "false, a truth value", "Put it in quotes."),
        ({"labels": {"risk": 3}}, "labels.risk", "3, a number", "Put it in quotes."),
        ({"question": ""}, "question", "an empty text", "Fill in the field."),
        ({"question": ["a"]}, "question", "['a'], a list", "Correct the value."),
        ({"history": "earlier"}, "history", "'earlier', text", "Correct the value."),
        ({"added": "2026-02-30"}, "added", "'2026-02-30'", "Correct the date."),
        ({"added": "15.01.2026"}, "added", "'15.01.2026'", "Correct the date."),
        ({"added": 20260115}, "added", "20260115", "Correct the date."),
        ({"added": "20260115"}, "added", "'20260115'", "Correct the date."),
        ({"effective_date": 0}, "effective_date", "0", "Correct the date."),
        (
            {"reference_passages": {"doc_id": "d"}},
            "reference_passages",
            "{'doc_id': 'd'}, fields",
            "Correct the value.",
        ),
        ({"reference_passages": [{"doc": "d"}]}, "reference_passages[0].doc_id", "nothing", "Add the field."),
        ({"reference_passages": [{"doc_id": ""}]}, "reference_passages[0].doc_id", "an empty text", "Fill in"),
        (
            {"reference_passages": [{"doc_id": "d", "qoute": "x"}]},
            "reference_passages[0].qoute",
            "a field",
            "Rename it.",
        ),
        ({"reference_passages": [{"doc_id": "d", "grade": -1}]}, "reference_passages[0].grade", "-1", "Correct"),
        ({"reference_passages": [{"doc_id": "d", "start": 3}]}, "reference_passages[0]", "{'doc_id'", "Correct"),
        (
            {"required_claims": [{"text": "x", "materiality": "high"}]},
            "required_claims[0].materiality",
            "'high'",
            "Write",
        ),
        ({"adjudication": {"agreed": "maybe"}}, "adjudication.agreed", "'maybe', text", "Correct"),
        ({"identity": {"groups": []}}, "identity.id", "nothing", "Add the field."),
    ],
)
def test_each_wrong_field_is_placed_and_explained(change, field, found, action):
    placed = {problem.field: problem for problem in problems(GOOD | change)}
    assert found in placed[field].found
    assert action in placed[field].action
    assert placed[field].record.startswith("17" if change == {"id": "17"} else "record" if "id" in change else "q1")


def test_a_misspelt_field_is_told_its_name():
    (problem,) = problems(GOOD | {"reference_pasages": []})
    assert problem.expected == "'reference_passages'"


def test_a_misspelt_obligatory_field_is_one_problem_not_two():
    case = {key: value for key, value in GOOD.items() if key != "category"}
    assert [problem.field for problem in problems(case | {"catagory": "x"})] == ["catagory"]
    passage = {"docid": "terms"}
    assert [p.field for p in problems(GOOD | {"reference_passages": [passage]})] == ["reference_passages[0].docid"]
    assert {p.field for p in problems(case | {"xyz": "x"})} == {"category", "xyz"}


def test_all_problems_of_all_records_come_at_once(tmp_path):
    path = tmp_path / "golden.jsonl"
    records = [GOOD | {"id": "a", "split": "x"}, 3, {"id": "b"}, GOOD | {"id": "a"}, GOOD, GOOD]
    path.write_text("\n".join(map(json.dumps, records)))
    with pytest.raises(InputError) as caught:
        load_dataset(path)
    places = {(problem.record, problem.field) for problem in caught.value.problems}
    assert places == {
        ("a (line 1)", "split"),
        ("line 2", None),
        ("b (line 3)", "question"),
        ("b (line 3)", "category"),
        ("b (line 3)", "expected_behaviour"),
        ("a (line 4)", "id"),
        ("q1 (line 6)", "id"),
    }


def test_an_id_used_twice_is_told_even_where_neither_case_is_right():
    found = problems({"id": "q1"}, GOOD | {"split": "x"})
    assert [(problem.record, problem.field) for problem in found if problem.field in {"id", "split"}] == [
        ("q1 (record 2)", "split"),
        ("q1 (record 2)", "id"),
    ]


@pytest.mark.parametrize(
    ("change", "shape"),
    [
        ({"required_claims": ["30 days"]}, "e.g. {text: …}"),
        ({"reference_passages": ["warranty.md"]}, "e.g. {doc_id: …}"),
        ({"history": ["hello"]}, "e.g. {role: …, content: …}"),
        ({"identity": "me"}, "e.g. {id: …}"),
    ],
)
def test_where_fields_are_expected_their_shape_is_shown(change, shape):
    (problem,) = problems(GOOD | change)
    assert problem.expected == f"fields and their values, {shape}"


def test_a_passage_that_cannot_be_read_is_one_problem_for_each_of_its_fields():
    assert [problem.field for problem in problems(GOOD | {"reference_passages": [{"doc": "d"}]})] == [
        "reference_passages[0].doc_id",
        "reference_passages[0].doc",
    ]


def test_an_id_three_times_is_two_problems_naming_the_first():
    found = problems(GOOD, GOOD | {"id": "q2"}, GOOD, GOOD)
    assert [problem.record for problem in found] == ["q1 (record 3)", "q1 (record 4)"]
    assert all("q1 (record 1)" in problem.found for problem in found)


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        ({"reference_answer": "30 days."}, "no evidence marked"),
        ({"required_claims": [{"text": "30 days."}]}, "no evidence marked"),
        ({}, "nothing to hold an answer against"),
        ({"reference_passages": [{"doc_id": "d", "grade": 0}]}, "no relevant evidence"),
    ],
)
def test_a_case_to_be_answered_without_relevant_evidence_is_a_warning(stated, kind):
    found = check(Dataset.of([GOOD | {"reference_passages": []} | stated], judgments="listed"))
    assert [(finding.severity, finding.kind) for finding in found.findings] == [("warning", kind)]
    assert found.dataset.unmarked == (kind != "no relevant evidence")


@pytest.mark.parametrize("behaviour", ["refuse", "clarify", "route"])
def test_other_cases_need_no_evidence(behaviour):
    cases = [GOOD | {"expected_behaviour": behaviour, "reference_passages": []}]
    assert check(Dataset.of(cases, judgments="listed")).findings == ()


@pytest.mark.parametrize("adjudication", [{}, {"reviewers": ["a", "b"]}, {"note": "One of us would refuse."}])
def test_whether_reviewers_agreed_is_never_guessed(adjudication):
    (problem,) = problems(GOOD | {"adjudication": adjudication})
    assert (problem.field, problem.found) == ("adjudication.agreed", "nothing")
    assert problem.expected == "whether the reviewers agreed: true or false, there is no default"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"doc_id": "d"}, {"doc_id": "d", "locator": "p. 3"}),
        ({"doc_id": "d", "quote": "Within 30 days."}, {"doc_id": "d", "quote": "within  30 DAYS."}),
        ({"doc_id": "d", "start": 1, "end": 5}, {"doc_id": "d", "start": 1, "end": 5, "quote": "abcd"}),
        ({"doc_id": "d", "chunk_ids": ["a", "b"]}, {"doc_id": "e", "chunk_ids": ["b", "a"]}),
    ],
)
def test_a_passage_has_one_grade_and_stands_once(one, other):
    (problem,) = problems(GOOD | {"reference_passages": [one, {"doc_id": "x"}, other | {"grade": 0}]})
    assert problem.field == "reference_passages[2]"
    assert problem.found == "the same passage as reference_passages[0] with another grade"
    assert problem.expected == "one grade for a passage, 0 or 1"
    copied = Dataset.of([GOOD | {"reference_passages": [one, other]}], judgments="listed")
    assert [finding.kind for finding in check(copied).findings] == ["duplicate passages"]
    apart = Dataset.of([GOOD | {"reference_passages": [one, other | {"doc_id": "y", "chunk_ids": ["c"]}]}])
    assert "duplicate passages" not in [finding.kind for finding in check(apart).findings]
    in_groups = [one | {"any_of": "1"}, other | {"any_of": "2"}]  # one alternative of two pieces of evidence
    grouped = Dataset.of([GOOD | {"reference_passages": in_groups}], judgments="listed")
    assert check(grouped).findings == ()


@pytest.mark.parametrize(
    ("schema", "field", "found"),
    [
        ({"type": "objekt"}, ".type", "'objekt'"),
        ({"properties": {"total": {"minimum": "0"}}}, ".properties.total.minimum", "'0'"),
        ({"tpye": "object"}, "", "no keyword that asks for anything: {'tpye': 'object'}"),
        ({}, "", "no keyword that asks for anything: {}"),
        ({"$schema": ["draft"], "type": "object"}, "", "what cannot be read as a schema (unhashable type: 'list')"),
    ],
)
def test_a_schema_no_answer_can_be_held_against_is_a_fault_of_the_case(schema, field, found):
    (problem,) = problems(GOOD | {"output_contract": {"json_schema": schema}})
    assert (problem.field, problem.found) == (f"output_contract.json_schema{field}", found)


def test_a_schema_of_any_dialect_is_taken():
    old = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True}
    assert len(Dataset.of([GOOD | {"output_contract": {"json_schema": old}}])) == 1


def test_claim_ids_are_unique_also_against_the_numbers_of_the_others():
    assert Dataset.of([GOOD | {"required_claims": [{"text": "a"}, {"text": "b"}]}])
    (problem,) = problems(GOOD | {"required_claims": [{"text": "a", "id": "2"}, {"text": "b"}]})
    assert problem.found == "the claim id '2' 2 times"


def test_a_dataset_is_made_of_mappings_or_cases():
    made = Dataset.of([Case(**GOOD), GOOD | {"id": "q2"}], judgments="listed")
    assert [case.id for case in made] == ["q1", "q2"]
    assert made.judgments == "listed"
    (problem,) = problems(Case(**GOOD), Case(**GOOD))
    assert problem.record == "q1 (record 2)"


def test_ids_that_would_garble_a_terminal_are_escaped():
    (problem,) = problems(GOOD | {"id": "a\x1b[31m\n", "split": "x"})
    assert "\x1b" not in str(problem)
    assert "\n" not in str(problem)
