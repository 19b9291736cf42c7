import json
import shlex
import sys

import pytest

from ragvet.cli import main

CONFIG = """
[dataset]
path = "golden.json"
judgments = "listed"
[target]
recorded = "traces.jsonl"
retries = 0
[retrieval]
supplied_k = 1
deep_k = 2
"""
POLICY = """
[[rule]]
metric = "coverage@1"
stratum = "all"
min = 0.5
minimum_n = 1
allowed_undefined_share = 0.0
allowed_failed_share = 0.0
agreed_by = "Dana"
agreed_on = 2020-01-01
why = "half is better than nothing"
"""


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Runs a command in a project with two cases and one recorded answer; its exit code and what it printed."""
    project = tmp_path / "the project"
    project.mkdir()
    cases = [
        {"id": name, "question": "?", "category": "c", "expected_behaviour": "answer",
         "reference_passages": [{"doc_id": "d"}]}
        for name in ("a", "b")
    ]  # fmt: skip
    (project / "golden.json").write_text(json.dumps(cases))
    (project / "traces.jsonl").write_text('{"case": "a", "answer": "Yes.", "retrieved": ["d"]}')
    (project / "ragvet.toml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)

    def command(*words):
        monkeypatch.setattr(sys, "argv", ["ragvet", *words])
        code = 0
        try:
            main()
        except SystemExit as left:
            code = left.code or 0
        return code, *capsys.readouterr()

    command.project = project
    return command


@pytest.mark.parametrize("runs", [(), ("--runs", "elsewhere")])
def test_the_last_line_is_a_gate_command_that_works(command, runs):
    (command.project / "policy.toml").write_text(POLICY)
    code, out, _ = command("run", "--config", "the project/ragvet.toml", *runs)
    assert code == 0
    ragvet, *words = shlex.split(out.splitlines()[-1])
    assert (ragvet, words[0]) == ("ragvet", "gate")
    code, _, err = command(*words)
    assert code == 3, err  # one of two calls failed, none is allowed to


def test_without_a_policy_no_command_is_named_that_would_fail(command):
    _, out, _ = command("run", "--config", "the project/ragvet.toml")
    assert "ragvet gate" not in out
    assert "ragvet init" in out.splitlines()[-1]


@pytest.mark.parametrize("runs", [(), ("--runs", "else where")])
def test_calls_that_failed_are_named_with_their_message_on_stderr(command, runs):
    code, _, err = command("run", "--config", "the project/ragvet.toml", "--json", *runs)
    assert code == 0
    assert "warning: 1 of 2 calls failed:" in err
    assert "NotRecorded: " in err
    _, *again = shlex.split(err.splitlines()[-1].partition(": ")[2])
    assert command(*again)[0] == 0


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_run_in_which_every_call_failed_is_broken_and_says_how_to_go_on(command, form):
    (command.project / "traces.jsonl").write_text('{"case": "a", "error": "down"}\n{"case": "b", "error": "down"}')
    code, out, err = command("run", "--config", "the project/ragvet.toml", *form)
    assert code == 2
    assert len(out.splitlines()) == 1  # where the report lies: there is nothing else to show
    *_, again, last = err.splitlines()
    assert "  2 × RecordedError: down" in err
    assert again.endswith("--retry-failed")
    assert last == "error: not one of 2 items was answered: nothing is measured"


def test_a_configuration_beside_resume_is_refused(command):
    command("run", "--config", "the project/ragvet.toml")
    code, _, err = command("run", "--resume", "latest", "--config", "the project/ragvet.toml")
    assert code == 2
    assert "--config: found --resume beside it" in err
