import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ragvet.cli._init import init
from ragvet.errors import InputError

SCRIPTS = Path(sys.executable).parent
FILES = {
    ".github/workflows/ragvet.yml",
    ".gitignore",
    "assistant.py",
    "documents/delivery.md",
    "documents/returns.md",
    "documents/warranty.md",
    "golden.yaml",
    "policy.toml",
    "ragvet.toml",
}


def files_in(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def ragvet(folder, *arguments):
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run(
        [str(SCRIPTS / "ragvet"), *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_it_writes_a_whole_project_and_says_what_to_type_next(tmp_path, capsys):
    init(tmp_path / "shop", as_json=False)
    assert files_in(tmp_path / "shop") == FILES
    printed = capsys.readouterr().out
    assert f"cd {tmp_path / 'shop'}" in printed
    assert all(f"ragvet {command}" in printed for command in ("check", "run", "gate --policy policy.toml"))


def test_the_project_passes_check_run_and_gate_as_printed(tmp_path, capsys):
    init(tmp_path, as_json=True)
    commands = json.loads(capsys.readouterr().out)["next"]
    assert f"cd {tmp_path}" in commands
    done = subprocess.run(["sh", "-ec", "\n".join(commands)], capture_output=True, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def test_what_its_run_prints_fits_one_screen(tmp_path):
    init(tmp_path, as_json=True)
    done = subprocess.run(
        [str(SCRIPTS / "ragvet"), "run"],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert "judged offline, no cost" in done.stdout


def test_a_file_that_is_there_is_left_as_it_is(tmp_path, capsys):
    (tmp_path / "policy.toml").write_text("mine")
    init(tmp_path, as_json=True)
    said = json.loads(capsys.readouterr().out)
    assert said["kept"] == ["policy.toml"]
    assert set(said["written"]) == FILES - {"policy.toml"}
    assert (tmp_path / "policy.toml").read_text() == "mine"


ANSWER = {"id": "a", "question": "?", "category": "c", "expected_behaviour": "answer"}
MARKED = {**ANSWER, "reference_passages": [{"doc_id": "d"}]}


@pytest.mark.parametrize(
    ("name", "cases", "metrics"),
    [
        ("golden.yaml", [MARKED], {"coverage@1", "wrong_refusal"}),
        ("golden.json", [ANSWER], {"wrong_refusal"}),
        ("golden.json", [MARKED, {**ANSWER, "id": "r", "expected_behaviour": "refuse"}],
         {"coverage@1", "wrong_refusal", "missed_refusal"}),
        ("golden.yml", [{**ANSWER, "expected_behaviour": "clarify"}], set()),
    ],
)  # fmt: skip
def test_beside_a_golden_set_it_writes_what_fits_it_and_passes_check(tmp_path, capsys, name, cases, metrics):
    (tmp_path / name).write_text(json.dumps(cases))
    init(tmp_path, as_json=True)
    said = json.loads(capsys.readouterr().out)
    assert not {"golden.yaml", "documents/returns.md"} & set(said["written"])
    assert ("policy.toml" in said["written"]) == bool(metrics)
    policy = (tmp_path / "policy.toml").read_text() if metrics else ""
    assert {rule["metric"] for rules in tomllib.loads(policy).values() for rule in rules} == metrics
    checked = ragvet(tmp_path, "check")
    assert checked.returncode == 0, checked.stdout
    assert ragvet(tmp_path, "run").returncode == 0


def test_it_fits_the_depth_and_the_golden_set_a_configuration_names(tmp_path, capsys):
    (tmp_path / "mine.json").write_text(json.dumps({"judgments": "listed", "cases": [MARKED]}))
    (tmp_path / "ragvet.toml").write_text(
        '[dataset]\npath = "mine.json"\n[target]\npython = "app:f"\n[retrieval]\nsupplied_k = 4\ndeep_k = 9\n'
    )
    init(tmp_path, as_json=True)
    said = json.loads(capsys.readouterr().out)
    assert set(said["written"]) == {".gitignore", "policy.toml", ".github/workflows/ragvet.yml"}
    assert "coverage@4" in (tmp_path / "policy.toml").read_text()
    assert ragvet(tmp_path, "check").returncode == 0


def test_a_golden_set_that_cannot_be_read_is_refused_and_nothing_is_written(tmp_path):
    (tmp_path / "golden.yaml").write_text("mine")
    with pytest.raises(InputError, match=r"golden\.yaml"):
        init(tmp_path, as_json=False)
    assert files_in(tmp_path) == {"golden.yaml"}


def test_a_dangling_link_is_not_written_through(tmp_path, capsys):
    (tmp_path / "golden.yaml").symlink_to(tmp_path / "elsewhere")
    init(tmp_path, as_json=True)
    assert "golden.yaml" in json.loads(capsys.readouterr().out)["kept"]
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_where_the_folder_should_be_is_named(tmp_path):
    (tmp_path / "shop").write_text("")
    with pytest.raises(InputError, match="shop"):
        init(tmp_path / "shop", as_json=False)


def test_the_folder_in_which_it_is_typed_is_the_default(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    init(Path(), as_json=False)
    assert files_in(tmp_path) == FILES
    assert "cd " not in capsys.readouterr().out
