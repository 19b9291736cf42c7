import gzip
import json
import sys

import pytest
import yaml

from ragvet.dataset import Dataset, load_corpus, load_dataset
from ragvet.errors import InputError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CASE = {
    "id": "q1",
    "question": "Wie lange läuft die Frist – in Tagen?",
    "category": "returns",
    "labels": {"risk": "low", "language": "de"},
    "expected_behaviour": "answer",
    "reference_passages": [{"doc_id": "terms", "quote": "within 30 days"}],
    "added": "2026-01-15",
}
OTHER = CASE | {"id": "q2", "question": "And abroad?\u2028Twice?"}


def written(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def problems(path, text):
    with pytest.raises(InputError) as caught:
        load_dataset(written(path, text))
    return caught.value.problems


def json_lines(*records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


EVERY_FORM = {
    "array.json": json.dumps([CASE, OTHER]),
    "pretty.json": json.dumps([CASE, OTHER], indent=4, ensure_ascii=False),
    "object.json": json.dumps({"cases": [CASE, OTHER]}),
    "lines.jsonl": json_lines(CASE, OTHER),
    "lines.ndjson": json_lines(CASE, {}).replace("{}\n", "\n\n" + json_lines(OTHER)),
    "list.yaml": yaml.safe_dump([CASE, OTHER], allow_unicode=True),
    "mapping.yml": yaml.safe_dump({"cases": [CASE, OTHER]}),
    "packed.jsonl.gz": gzip.compress(json_lines(CASE, OTHER).encode()),
    "packed.json.zst": zstd.compress(json.dumps([CASE, OTHER]).encode()),
    "bom.json": b"\xef\xbb\xbf" + json.dumps([CASE, OTHER]).encode(),
    "crlf.jsonl": json_lines(CASE, OTHER).replace("\n", "\r\n"),
    "crlf.yaml": yaml.safe_dump([CASE, OTHER]).replace("\n", "\r\n"),
    "keys-in-another-order.json": json.dumps([dict(reversed(CASE.items())), OTHER]),
    "cases-in-another-order.json": json.dumps([OTHER, CASE]),
    "nulls-for-absent-fields.json": json.dumps(
        [CASE | {"history": None, "identity": None, "required_claims": None, "split": None}, OTHER]
    ),
}


@pytest.mark.parametrize("name", EVERY_FORM)
def test_every_file_format_says_the_same(name, tmp_path):
    dataset = load_dataset(written(tmp_path / name, EVERY_FORM[name]))
    assert {case.id: case for case in dataset} == {case.id: case for case in Dataset.of([CASE, OTHER])}
    assert dataset.fingerprint == Dataset.of([CASE, OTHER]).fingerprint


def test_the_fingerprint_changes_with_a_word_and_with_the_scope():
    changed = CASE | {"question": "Wie lange läuft die Frist?"}
    prints = {
        Dataset.of([CASE]).fingerprint,
        Dataset.of([changed]).fingerprint,
        Dataset.of([CASE], judgments="listed").fingerprint,
        Dataset.of([CASE], judgments="exhaustive").fingerprint,
    }
    assert len(prints) == 4


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", json.dumps({"judgments": "listed", "cases": [CASE]})),
        ("a.yaml", yaml.safe_dump({"judgments": "listed", "cases": [CASE]})),
        ("a.jsonl", '{"judgments": "listed"}\n' + json_lines(CASE)),
    ],
)
def test_a_file_declares_its_judgment_scope(name, text, tmp_path):
    assert load_dataset(written(tmp_path / name, text)).judgments == "listed"


def test_the_scope_is_never_assumed(tmp_path):
    path = written(tmp_path / "a.json", json.dumps([CASE]))
    assert load_dataset(path).judgments is None
    assert load_dataset(path, judgments="exhaustive").judgments == "exhaustive"


def test_a_scope_that_contradicts_the_file_is_an_error(tmp_path):
    path = written(tmp_path / "a.json", json.dumps({"judgments": "listed", "cases": [CASE]}))
    with pytest.raises(InputError, match="judgments 'listed' in the file and 'exhaustive' as argument"):
        load_dataset(path, judgments="exhaustive")


def test_an_unknown_scope_is_an_error_that_explains_both(tmp_path):
    (problem,) = problems(tmp_path / "a.json", json.dumps({"judgments": "all", "cases": [CASE]}))
    assert (problem.field, problem.found) == ("judgments", "'all'")
    assert "exhaustive if" in problem.action


def test_a_misspelt_key_beside_the_cases_gets_the_nearest_one(tmp_path):
    (problem,) = problems(tmp_path / "a.json", json.dumps({"judgement": "listed", "cases": [CASE]}))
    assert problem.action == "Did you mean 'judgments'?"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("empty.json", "", "an empty file"),
        ("blank.yaml", " \n\n", "an empty file"),
        ("bom.json", b"\xef\xbb\xbf", "an empty file"),
        ("comment.yaml", "# nothing yet\n", "an empty document"),
        ("none.json", "[]", "no cases"),
        ("none.jsonl", '{"judgments": "listed"}\n', "no cases"),
        ("number.json", "3", "3 at the top"),
        ("text.yaml", "hello", "'hello' at the top"),
        ("utf16.json", json.dumps([CASE]).encode("utf-16"), "UTF-16 text"),
        ("latin1.json", '[\n"Größe"]'.encode("latin-1"), "byte 0xf6, which is not UTF-8"),
        ("cut.json", '[{"id": "a"', "Expecting"),
        ("tail.json", json.dumps([CASE]) + "]", "More text after the end"),
        ("comma.json", "[{},]", "Expecting value"),
        ("deep.json", "[" * 200_000, "nested more than 200 levels deep"),
        ("deep.jsonl", "[" * 200_000, "nested more than 200 levels deep"),
        ("deep.yaml", "[" * 200_000, "nesting depth"),
        ("tab.yaml", "a:\n\t- b", "cannot start any token"),
        ("two.yaml", "- a\n---\n- b", "another document"),
        ("tag.yaml", "- !!python/object/apply:os.system ['true']", "a list"),
        ("scalar-tag.yaml", "- !!python/name:os.system x", "which is no python/name:os.system"),
        ("bad.jsonl.gz", b"no archive", "damaged"),
        ("bad.jsonl.zst", b"no archive", "damaged"),
        ("cases.txt", "x", "the suffix '.txt'"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_what_stands_there(name, text, said, tmp_path):
    found = problems(tmp_path / name, text)
    assert any(said in problem.found for problem in found), found
    assert all(problem.source == str(tmp_path / name) for problem in found)


def test_a_missing_file_and_a_folder_are_errors(tmp_path):
    with pytest.raises(InputError, match="found no such file or folder; expected a file"):
        load_dataset(tmp_path / "none.json")
    with pytest.raises(InputError, match="found a folder; expected a file"):
        load_dataset(tmp_path)


def test_json_lines_under_the_name_of_json_are_recognised(tmp_path):
    found = problems(tmp_path / "a.json", json_lines(CASE, OTHER))
    assert any("name the file .jsonl" in problem.action for problem in found)


def test_every_broken_line_is_named_and_the_good_ones_are_still_checked(tmp_path):
    text = json_lines(CASE) + '{"id": \n' + json_lines(CASE) + "{]\n"
    found = [(problem.record, problem.found) for problem in problems(tmp_path / "a.jsonl", text)]
    assert [record for record, _ in found] == ["line 2", "line 4", "q1 (line 3)"]
    assert "already used by q1 (line 1)" in found[-1][1]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.json", '[\n {"id": "a"},\n {"id": "b",\n  "id": "c"}]', "line 3"),
        ("a.jsonl", '{"id": "a"}\n\n{"id": "b", "id": "c"}', "line 3"),
        ("a.yaml", "- id: a\n- id: b\n  id: c\n", "line 3"),
    ],
)
def test_a_key_twice_is_an_error_with_its_line(name, text, line, tmp_path):
    twice = [problem for problem in problems(tmp_path / name, text) if "'id' twice" in problem.found]
    assert [problem.record for problem in twice] == [line]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_numbers_that_are_none_are_errors_wherever_they_stand(number, name, tmp_path):
    case = json.dumps(CASE | {"output_contract": {"fields": {"total": 0}}}).replace('"total": 0', f'"total": {number}')
    (problem,) = problems(tmp_path / name, f"[{case}]" if name == "a.json" else case)
    assert number in problem.found


def test_yaml_numbers_that_are_none_are_errors(tmp_path):
    text = yaml.safe_dump([CASE | {"output_contract": {"fields": {"total": float("nan")}}}])
    (problem,) = problems(tmp_path / "a.yaml", text)
    assert problem.field == "output_contract"


@pytest.mark.parametrize("field", ["id", "question", "category", "source", "reference_answer"])
def test_half_a_character_is_an_error_that_can_be_printed(field, tmp_path):
    found = problems(tmp_path / "a.json", json.dumps([CASE | {field: "cut \ud83d"}]))
    assert [problem.field for problem in found] == [field]
    str(InputError(found)).encode()


def test_half_a_character_in_free_json_is_an_error_too(tmp_path):
    text = json.dumps([CASE | {"output_contract": {"fields": {"a": "\ud83d"}}}])
    (problem,) = problems(tmp_path / "a.json", text)
    assert problem.field.startswith("output_contract")
    str(problem).encode()


def test_half_a_character_deep_inside_a_case_is_placed(tmp_path):
    turns = [{"role": "user", "content": "whole"}, {"role": "user", "content": "\udc00"}]
    case = CASE | {"history": turns, "labels": {"risk": "\udfff"}}
    assert [problem.field for problem in problems(tmp_path / "a.json", json.dumps([case]))] == [
        "history[1].content",
        "labels.risk",
    ]


def test_yaml_aliases_are_values_and_bombs_are_refused(tmp_path):
    shared = "- &a {id: a, question: q, category: c, expected_behaviour: refuse}\n- *a\n"
    (twice,) = problems(tmp_path / "a.yaml", shared)
    assert "already used" in twice.found
    nine = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    nine += [f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]" for old, new in zip("abcdefghi", "bcdefghij", strict=True)]
    assert any("too many values" in problem.found for problem in problems(tmp_path / "b.yaml", "\n".join(nine)))
    assert any("alias inside" in problem.found for problem in problems(tmp_path / "c.yaml", "- &a [*a]"))


def test_yaml_days_and_versions_that_look_like_days_load(tmp_path):
    text = (
        "- id: a\n  question: q\n  category: c\n  expected_behaviour: answer\n  added: 2026-01-15\n"
        "  reference_passages: [{doc_id: d, doc_version: 2026-01-15}]\n"
    )
    (case,) = load_dataset(written(tmp_path / "a.yaml", text))
    assert (str(case.added), case.reference_passages[0].doc_version) == ("2026-01-15", "2026-01-15")


def test_ten_megabytes_on_one_line_load_and_errors_name_the_record(tmp_path):
    long = "x" * 5_000
    cases = [CASE | {"id": f"q{number}", "reference_answer": long} for number in range(2_100)]
    text = json.dumps(cases)
    assert len(text) > 10_000_000
    assert len(load_dataset(written(tmp_path / "a.json", text))) == 2_100
    (problem,) = problems(tmp_path / "b.json", json.dumps([*cases, CASE | {"id": "q7"}]))
    assert problem.record == "q7 (record 2101)"


@pytest.mark.parametrize("load", [load_dataset, load_corpus])
def test_names_with_spaces_and_letters_of_any_script_are_read(load, tmp_path):
    folder = tmp_path / "Ordner mit – Leerzeichen"
    folder.mkdir()
    record = CASE if load is load_dataset else {"doc_id": "a"}
    assert len(load(written(folder / "资料.jsonl", json_lines(record)))) == 1


def test_whole_numbers_longer_than_python_reads_are_errors(tmp_path):
    case = json.dumps(CASE | {"output_contract": {"fields": {"total": 0}}}).replace(
        '"total": 0', '"total": ' + "9" * 5_000
    )
    (problem,) = problems(tmp_path / "a.jsonl", case)
    assert problem.found == "a number of 5,000 digits"


def test_all_faults_of_a_yaml_file_come_at_once(tmp_path):
    text = (
        "- id: a\n  id: b\n  question: q\n  category: c\n  expected_behaviour: refuse\n  added: !!int x\n"
        "- &a [*a]\n- ? [1]\n  : 2\n"
    )
    found = [problem.found for problem in problems(tmp_path / "a.yaml", text)]
    for said in ("'id' twice", "'x', which is no int", "an alias inside", "a list or mapping as a key"):
        assert any(said in one for one in found), said


def test_field_names_that_would_garble_a_terminal_are_escaped(tmp_path):
    for name in ("a\x1b[2J\nb", "c\ud83d"):
        (problem,) = problems(tmp_path / "a.json", json.dumps([CASE | {name: 1}]))
        assert str(problem).isprintable()


def test_a_fault_of_yaml_reads_as_a_sentence(tmp_path):
    (problem,) = problems(tmp_path / "a.yaml", "- a: 1\nb: 2\n")
    assert problem.found.startswith("no valid YAML: ")
