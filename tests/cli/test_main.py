import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import typer.main

from ragvet import cli
from ragvet.errors import InputError, Problem, RagvetError


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (InputError(Problem("golden.json", "nothing", "cases", "Add some.")), 2, "golden.json: found nothing"),
        (RagvetError("the run is locked"), 2, "error: the run is locked"),
        (ZeroDivisionError("division by zero"), 2, "this is a fault in ragvet"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_no_error_leaves_with_the_exit_code_of_a_failed_gate(monkeypatch, capsys, fault, code, said):
    def broken() -> None:
        raise fault

    monkeypatch.setattr(cli, "app", broken)
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == code
    assert said in capsys.readouterr().err


def test_ctrl_c_inside_a_command_is_said_once(monkeypatch, capsys):
    def stopped() -> None:
        raise KeyboardInterrupt

    def stopped_on_purpose() -> None:
        sys.stderr.write("Go on with: …\n")
        raise typer.Exit(130) from None

    for command, said in ((stopped, "interrupted\n"), (stopped_on_purpose, "Go on with: …\n")):
        app = typer.Typer()
        app.command()(command)
        monkeypatch.setattr(cli, "app", app)
        monkeypatch.setattr("sys.argv", ["ragvet"])
        with pytest.raises(SystemExit) as left:
            cli.main()
        assert (left.value.code, capsys.readouterr().err) == (130, said)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    "words",
    [["metrics"], ["labels", "labels.json"], ["labels", "labels.json", "--json"], ["labels", "missing.json"], ["-h"]],
)
def test_a_reader_that_leaves_early_is_no_failed_gate(tmp_path, words, buffered):
    files_with_a_hostile_id(tmp_path)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [Path(sys.executable).parent / "ragvet", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONUNBUFFERED": buffered},
            stdout=writer,
            stderr=writer,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.returncode == 141


HOSTILE = "a\x1b[31m\x1b]0;title\x07\u202e[/]"


def files_with_a_hostile_id(folder):
    case = {"id": HOSTILE, "question": "q", "category": "c", "expected_behaviour": "answer"}
    labels = {"case": HOSTILE, "gold": ["a"], "retrieved": ["a"], "supported_claims": 1, "total_claims": 1}
    (folder / "golden.json").write_text(json.dumps({"judgments": "listed", "cases": [case]}))
    (folder / "labels.json").write_text(json.dumps([labels]))
    (folder / "qrels").write_text(f"{HOSTILE} 0 d 1\n")
    (folder / "run").write_text(f"{HOSTILE} Q0 d 1 2.0 t\nother Q0 d 1 2.0 t\n")
    (folder / "twice").write_text(f"1 0 {HOSTILE} 1\n1 0 {HOSTILE} 2\n")
    (folder / "policy.toml").write_text(f"[[rule]]\nmetric = {json.dumps(HOSTILE)}\n")


@pytest.mark.parametrize(
    "words",
    [
        ["check", "golden.json"],
        ["check", "policy.toml"],
        ["labels", "labels.json"],
        ["rank", "--judgments", f"{HOSTILE}=1", "--ranking", HOSTILE, "-k", "1"],
        ["retrieval", "qrels", "run", "-m", "nDCG@10", "--per-query"],
        ["retrieval", "twice", "run", "-m", "nDCG@10"],
    ],
)
def test_what_stands_in_a_file_cannot_steer_the_terminal(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    files_with_a_hostile_id(tmp_path)
    monkeypatch.setattr("sys.argv", ["ragvet", *words])
    with pytest.raises(SystemExit):
        cli.main()
    printed = "".join(capsys.readouterr())
    assert "a\\x1b[31m\\x1b]0;title\\x07\\u202e[/]" in printed
    assert not set(printed) & {"\x1b", "\x07", "\u202e"}


def test_the_version_is_that_of_the_package(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["ragvet", "--version"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 0
    assert capsys.readouterr().out == f"ragvet {importlib.metadata.version('ragvet')}\n"


def test_the_list_of_commands_says_what_each_says_of_itself(monkeypatch, capsys):
    app = typer.main.get_command(cli.app)
    told = {name: app.get_command(None, name).help.split("\n\n")[0].replace("\n", " ") for name in cli.COMMANDS}
    assert told == cli.COMMANDS
    monkeypatch.setattr(sys, "argv", ["ragvet", "--help"])
    with pytest.raises(SystemExit):
        cli.main()
    printed = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert all(f"{name} {line}" in printed for name, line in cli.COMMANDS.items())


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_a_help_of_its_own(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ragvet", name, "-h"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 0
    printed = capsys.readouterr().out
    assert f"ragvet {name} [OPTIONS]" in printed
    assert "Options" in printed


@pytest.mark.parametrize(
    ("typed", "meant"), [("evaluate", "'run'"), ("chek", "'check'"), ("reprot", "'report'"), ("compare", None)]
)
def test_an_unknown_command_is_told_one_that_does_it_or_none(monkeypatch, capsys, typed, meant):
    monkeypatch.setattr(sys, "argv", ["ragvet", typed])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert ("Did you mean" in said) == (meant is not None)
    assert meant is None or f"Did you mean {meant}?" in said


@pytest.mark.parametrize(
    "words",
    [
        ("retrieval", "missing.qrels", "missing.run", "-m", "RR"),
        ("init", "/proc/x"),
        ("gate", "--policy", "."),
        ("check", "missing.yaml"),
        ("run", "--config", "."),
    ],
)
def test_no_message_shows_the_number_of_an_error(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["ragvet", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert "Errno" not in "".join(capsys.readouterr())
