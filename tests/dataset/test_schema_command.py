import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml
from typer.testing import CliRunner

import ragvet.cli
from ragvet.cli import app
from ragvet.dataset import Dataset
from ragvet.records import Case, Trace
from ragvet.targets import RecordedTraces

FILES = ("golden", "corpus", "trace", "labels", "policy", "config")
SAMPLE = Path(ragvet.cli.__file__).parent / "project"
CASE = {"id": "q1", "question": "Why?", "category": "c", "expected_behaviour": "refuse"}


def schema(name):
    return json.loads(CliRunner().invoke(app, ["schema", name]).output)


def accepts(name, value):
    return jsonschema.Draft202012Validator(schema(name)).is_valid(value)


@pytest.mark.parametrize("name", FILES)
def test_every_file_has_a_valid_schema(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))


def test_without_a_name_all_schemas_are_printed_by_name():
    printed = json.loads(CliRunner().invoke(app, ["schema"]).output)
    assert list(printed) == list(FILES)
    assert printed["golden"] == schema("golden")


def test_an_unknown_name_is_a_usage_error():
    assert CliRunner().invoke(app, ["schema", "gold"]).exit_code == 2


def test_the_sample_project_follows_the_schemas():
    assert accepts("golden", yaml.safe_load((SAMPLE / "golden.yaml").read_text("utf-8")))
    assert accepts("config", tomllib.loads((SAMPLE / "ragvet.toml").read_text("utf-8")))


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("golden", [CASE]),
        ("golden", {"judgments": "listed", "cases": [CASE | {"added": "2026-01-15"}]}),
        ("corpus", [{"doc_id": "a", "text": "x", "valid_from": "2026-01-15"}]),
        ("labels", [{"case": "q1", "gold": ["a"], "retrieved": [], "supported_claims": 1, "total_claims": 2}]),
    ],
)
def test_good_files_pass_and_misspelt_fields_do_not(name, good):
    assert accepts(name, good)
    records = good["cases"] if isinstance(good, dict) else good
    assert not accepts(name, [records[0] | {"misspelt": 1}])


@pytest.mark.parametrize(
    "record",
    [
        {"case": "q1", "text": "Because.", "retrieved": ["a", {"id": "b", "score": 1.5}, {"chunk_id": "c"}]},
        {"case": "q1", "answer": "Because.", "supplied": ["a"], "citations": ["a", {"doc_id": "d"}], "repeat": 1},
        {"case_id": "q1", "error": "TimeoutError"},
        {"case_id": "q1", "answer": {"text": "x", "retrievals": [{"query": "why", "items": ["a"]}]}, "latency": 0.5},
        Trace(case_id="q1", question="Why?", answer={"text": "x", "retrieved": ["a"]}).model_dump(mode="json"),
        {"case": "q1", "cache": ["a", {"stage": "b", "hit": False}], "tool_calls": ["t"], "retries": {"b": 1}},
        {"case": "q1", "answer": "x", "cache_hits": ["a"], "retries": 2},
    ],
)
def test_the_trace_schema_accepts_what_recorded_targets_read(record):
    assert accepts("trace", record)
    target = RecordedTraces.of([record])
    target.check({"q1"})
    (trace,) = target.read({"q1": Case(**CASE)})
    assert (trace.error is None) == ("error" not in record or record["error"] is None)


def test_the_trace_schema_rejects_what_they_do_not():
    assert not accepts("trace", {"text": "whose?"})
    assert not accepts("trace", {"case": "q1", "retrieved": [{"score": 1}]})
    assert not accepts("trace", {"case": "q1", "txet": "x"})
    assert not accepts("trace", {"case": "q1", "cache": [{"stage": "b"}]})
    assert not accepts("trace", {"case": "q1", "retries": -1})


def test_what_the_loader_writes_follows_the_golden_schema():
    full = CASE | {
        "expected_behaviour": "answer",
        "history": [{"role": "user", "content": "Hi"}],
        "labels": {"risk": "high"},
        "required_claims": [{"text": "x", "kind": "exception", "accept": ["y"]}],
        "reference_passages": [{"doc_id": "d", "start": 0, "end": 3, "grade": 2, "any_of": "g"}],
        "output_contract": {"fields": {"/a": [1, None]}},
        "identity": {"id": "u", "groups": ["g"], "attributes": {"country": "DE"}},
        "adjudication": {"reviewers": ["a"], "agreed": False, "note": "?"},
        "effective_date": "2026-01-15",
        "group": "g",
        "split": "dev",
    }
    (case,) = Dataset.of([full])
    assert accepts("golden", [full])
    assert accepts("golden", [case.model_dump(mode="json")])
