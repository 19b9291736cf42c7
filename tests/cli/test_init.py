import json
import os
import subprocess
import sys
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
    assert all(f"ragvet {command}" in printed for command in ("check golden.yaml", "run", "gate --policy policy.toml"))


def test_the_project_passes_check_run_and_gate_as_printed(tmp_path, capsys):
    init(tmp_path, as_json=True)
    commands = json.loads(capsys.readouterr().out)["next"]
    assert f"cd {tmp_path}" in commands
    done = subprocess.run(["sh", "-ec", "\n".join(commands)], capture_output=True, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def test_a_file_that_is_there_is_left_as_it_is(tmp_path, capsys):
    (tmp_path / "golden.yaml").write_text("mine")
    init(tmp_path, as_json=True)
    said = json.loads(capsys.readouterr().out)
    assert said["kept"] == ["golden.yaml"]
    assert set(said["written"]) == FILES - {"golden.yaml"}
    assert (tmp_path / "golden.yaml").read_text() == "mine"


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
