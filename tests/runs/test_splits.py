"""Cases that are kept apart are asked only when somebody asks for them."""

import json

import pytest
from tests.runs.make import case, dataset

from ragvet.errors import InputError
from ragvet.runs import changed_since, load_config, plan, start

CASES = [
    case("open", "d"),
    case("dev", "d", split="dev"),
    case("kept", "d", split="holdout"),
    case("cal", "d", split="calibration"),
]


@pytest.mark.parametrize(
    ("split", "asked", "left"),
    [
        (None, ["open", "dev"], {"calibration": 1, "holdout": 1}),
        ("holdout", ["kept"], {"": 1, "calibration": 1, "dev": 1}),
        ("all", ["open", "dev", "kept", "cal"], {}),
    ],
)
def test_the_cases_of_a_split(split, asked, left):
    chosen = dataset(*CASES).asked(split)
    assert [one.id for one in chosen] == asked
    assert chosen.left_out == left


def test_a_set_without_such_cases_is_named():
    with pytest.raises(InputError, match="no case of split dev"):
        dataset(case("a", "d")).asked("dev")
    with pytest.raises(InputError, match="only holdout and calibration"):
        dataset(CASES[2]).asked()


def test_a_run_says_how_many_it_left_out_and_is_no_older_for_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "golden.json").write_text(json.dumps({"judgments": "listed", "cases": CASES}))
    records = [{"case": one["id"], "answer": "so", "retrieved": ["d"]} for one in CASES]
    (tmp_path / "traces.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    settings = '[dataset]\npath = "golden.json"\n[target]\nrecorded = "traces.jsonl"\n[judge]\nkind = "none"\n'
    (tmp_path / "ragvet.toml").write_text(f"{settings}[retrieval]\nsupplied_k = 1\ndeep_k = 1\n")
    run = start(plan(load_config("ragvet.toml")))
    assert (run.manifest.counts.cases, run.manifest.counts.left_out) == (2, {"calibration": 1, "holdout": 1})
    assert list(changed_since(run.manifest, tmp_path / "ragvet.toml")) == []
