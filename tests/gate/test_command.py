import json
import sys
from xml.etree import ElementTree as ET

import pytest
from tests.runs.make import PlainJudge, case, dataset, finished

from ragvet.cli import main
from ragvet.records import Answer
from ragvet.runs import load_config, plan, start

POLICY = """
[[rule]]
metric = "coverage@2"
stratum = "all"
min = {least}
minimum_n = {n}
allowed_undefined_share = 0.0
allowed_failed_share = 0.0
agreed_by = "Dana"
agreed_on = 2020-01-01
why = "half is better than nothing"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A project with one finished run: of two cases one is found."""
    finished(
        tmp_path / ".ragvet",
        dataset(case("found", "d1"), case("lost", "d2")),
        lambda question, k: Answer(retrieved=["d1"]),
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gate(monkeypatch, folder, *arguments, least=0.5, n=2):
    (folder / "policy.toml").write_text(POLICY.format(least=least, n=n), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["ragvet", "gate", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


@pytest.mark.parametrize(("least", "n", "code"), [(0.5, 2, 0), (0.6, 2, 1), (0.5, 3, 3), (1.5, 2, 2)])
def test_the_exit_code_is_the_decision(monkeypatch, folder, capsys, least, n, code):
    assert gate(monkeypatch, folder, least=least, n=n) == code
    out, err = capsys.readouterr()
    assert ("Gate" in out) == (code != 2)
    assert ("error:" in err) == (code == 2)


def test_without_a_run_the_latest_is_gated_and_a_run_can_be_named(monkeypatch, folder, capsys):
    (run,) = (folder / ".ragvet" / "runs").iterdir()
    for arguments in ((), (run.name,), (str(run),)):
        assert gate(monkeypatch, folder, *arguments) == 0
        assert f"run {run.name}" in " ".join(capsys.readouterr().out.split())


def test_the_latest_run_is_doubted_where_golden_set_or_configuration_changed_since(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    golden = {"judgments": "listed", "cases": [case("found", "d1")]}
    settings = '[dataset]\npath = "golden.json"\n[target]\nrecorded = "traces.jsonl"\n[judge]\nkind = "none"\n'
    settings += "[retrieval]\nsupplied_k = 2\ndeep_k = 2\n"
    (tmp_path / "golden.json").write_text(json.dumps(golden))
    (tmp_path / "traces.jsonl").write_text('{"case": "found", "answer": "so", "retrieved": ["d1"]}\n')
    (tmp_path / "ragvet.toml").write_text(settings)
    start(plan(load_config("ragvet.toml")))
    capsys.readouterr()

    def doubts(*arguments):
        assert gate(monkeypatch, tmp_path, "--json", "--stale-ok", *arguments, n=1) == 0
        return [told for told in json.loads(capsys.readouterr().out)["warnings"] if told.startswith("the latest run")]

    assert doubts() == []
    (tmp_path / "ragvet.toml").write_text(settings.replace("deep_k = 2", "deep_k = 5"))
    told = "the latest run: ragvet.toml has changed since this run, or another one was used: retrieval.deep_k"
    assert doubts() == [told]
    assert gate(monkeypatch, tmp_path, n=1) == 2
    refused = " ".join(capsys.readouterr().err.split())
    assert "ragvet.toml has changed since this run" in refused
    assert "--stale-ok" in refused
    (tmp_path / "ragvet.toml").write_text(settings.replace("deep_k", "depth"))
    assert "ragvet.toml cannot be read any more" in doubts()[0]
    (tmp_path / "ragvet.toml").write_text(settings)
    golden["cases"].append(case("new", "d2"))
    (tmp_path / "golden.json").write_text(json.dumps(golden))
    assert doubts() == ["the latest run: golden.json has changed since this run"]
    (tmp_path / "golden.json").write_text("{")
    assert "golden.json cannot be read any more" in doubts()[0]
    (run,) = (path.name for path in (tmp_path / ".ragvet" / "runs").iterdir())
    assert doubts(run) == []  # it was named


def test_where_every_call_failed_it_is_undecided_and_the_failures_are_named(monkeypatch, tmp_path, capsys):
    def down(question, k):
        raise ConnectionError("the service is down")

    run = finished(tmp_path / ".ragvet", dataset(case("q", "d"), case("r", "d")), down, judge=PlainJudge())
    assert {"faithfulness", "wrong_refusal"} <= run.declarations.keys()
    monkeypatch.chdir(tmp_path)
    policy = POLICY.replace("coverage@2", "wrong_refusal").replace("min = {least}", "max = 0.1")
    monkeypatch.setattr(sys.modules[__name__], "POLICY", policy)
    assert gate(monkeypatch, tmp_path, n=1) == 3
    out = " ".join(capsys.readouterr().out.split())
    assert "2 of 2 calls failed (TargetError 2)" in out
    assert "2 of 2 (100.0 %) failed, 0 % allowed" in out


def test_an_unknown_run_is_broken_input(monkeypatch, folder, capsys):
    assert gate(monkeypatch, folder, "nowhere") == 2
    assert "no run 'nowhere'" in capsys.readouterr().err


def test_json_and_junit_hold_the_same_decision(monkeypatch, folder, capsys):
    report = folder / "gate.xml"
    assert gate(monkeypatch, folder, "--json", "--junit", str(report), least=0.6) == 1
    written = json.loads(capsys.readouterr().out)
    assert written["outcome"] == "fail"
    assert [one["case_id"] for one in written["rules"][0]["cases"]] == ["lost"]
    suite = ET.parse(report).find("testsuite")  # noqa: S314 - our own output
    assert suite.get("failures") == "1"


def test_a_report_that_cannot_be_written_is_broken_input(monkeypatch, folder, capsys):
    assert gate(monkeypatch, folder, "--junit", str(folder / "no" / "gate.xml")) == 2
    assert "--junit" in capsys.readouterr().err


def test_explain_shows_the_arithmetic(monkeypatch, folder, capsys):
    gate(monkeypatch, folder, "--explain")
    text = " ".join(capsys.readouterr().out.split())
    assert "The mean over the 2 cases with a value is 0.5." in text
    assert "So: pass; met." in text
