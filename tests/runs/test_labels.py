import json

import pytest
from tests.runs.make import score_of
from typer.testing import CliRunner

from ragvet.cli import app
from ragvet.errors import InputError
from ragvet.runs import labels_run, load_labels

LABELS = [
    {"case": "a", "gold": ["x", "y"], "retrieved": ["x", "z", "w"], "supported_claims": 2, "total_claims": 3},
    {"case": "b", "gold": [], "retrieved": ["x"], "supported_claims": 0, "total_claims": 0},
    {"case": "c", "gold": ["q"], "retrieved": [], "supported_claims": 0, "total_claims": 2},
]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(LABELS))
    return path


def test_each_share_by_hand_and_undefined_where_it_is_a_share_of_nothing(tmp_path, path):
    run = labels_run(load_labels(path), source=str(path), runs=tmp_path / "runs")
    values = {
        name: [score_of(run, metric, case)["value"] for case in "abc"]
        for name, metric in (("recall", "recall@3"), ("precision", "precision_returned@3"), ("support", "faithfulness"))
    }
    assert values == {
        "recall": [1 / 2, None, 0.0],  # b: no gold ids
        "precision": [1 / 3, 0.0, None],  # c: nothing retrieved
        "support": [2 / 3, None, 0.0],  # b: no claims
    }
    reasons = [score_of(run, metric, case)["reason"] for metric, case in (("recall@3", "b"), ("faithfulness", "b"))]
    assert all(reasons)


def test_the_command_prints_a_line_per_case_and_the_same_as_json(path):
    printed = CliRunner().invoke(app, ["labels", str(path)], catch_exceptions=False)
    assert printed.exit_code == 0
    for shown in ("0.500", "0.333", "0.667", "undefined", "mean of 3"):
        assert shown in printed.stdout
    found = json.loads(CliRunner().invoke(app, ["labels", str(path), "--json"], catch_exceptions=False).stdout)
    assert found["cases"][0]["support"] == {"value": pytest.approx(2 / 3), "reason": None}
    mean = found["means"]["id recall"]
    assert (mean["value"], mean["scored"], list(mean["undefined"].values())) == (0.25, 2, [1])
    for heading, mean in found["means"].items():
        assert f"\n{heading} does not catch: {mean['does_not_catch']}\n" in printed.stdout


def test_impossible_labels_are_named_all_at_once(tmp_path):
    path = tmp_path / "labels.json"
    wrong = [
        {**LABELS[0], "supported_claims": 4},
        {**LABELS[1], "case": "twice", "retrieved": ["x", "x"]},
        {**LABELS[1], "case": "negative", "total_claims": -1},
        {**LABELS[1], "case": "misspelt", "suported_claims": 1},
        {"case": "short", "gold": ["x"], "retrieved": ["x"]},
        {**LABELS[2]},
        {**LABELS[2]},
    ]
    path.write_text(json.dumps(wrong))
    with pytest.raises(InputError) as caught:
        load_labels(path)
    text = "\n".join(map(str, caught.value.problems))
    for named in (
        "supported_claims (4)",
        "'x' stands there twice",
        "negative",
        "supported_claims'",
        "short",
        "'c' already used by c (record 6)",
    ):
        assert named in text


def test_one_fault_of_a_label_hides_no_other(tmp_path):
    path = tmp_path / "labels.json"
    wrong = {"case": "a", "gold": ["x", "x"], "retrieved": ["y", "y"], "supported_claims": 4, "total_claims": 3, "n": 1}
    path.write_text(json.dumps([wrong, {**LABELS[0], "total_claims": "3"}]))
    with pytest.raises(InputError) as caught:
        load_labels(path)
    assert [(problem.record, problem.field) for problem in caught.value.problems] == [
        ("a (record 1)", "gold"),
        ("a (record 1)", "retrieved"),
        ("a (record 1)", "total_claims"),
        ("a (record 1)", "n"),
        ("a (record 2)", "total_claims"),
        ("a (record 2)", "case"),
    ]


def test_an_empty_list_is_an_error(tmp_path):
    path = tmp_path / "labels.json"
    path.write_text("[]")
    with pytest.raises(InputError):
        load_labels(path)
