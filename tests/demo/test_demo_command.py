"""`ragvet demo` as a stranger meets it."""

import io
import json
import re
import subprocess
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path

import pytest
import typer
import yaml

from ragvet.cli._demo import demo
from ragvet.demo import FOLDER, _project, tell, write_project
from ragvet.demo._corpus import documents
from ragvet.errors import InputError
from ragvet.gate import decide, load_policy
from ragvet.report import build
from ragvet.runs import load_config, run

SCRIPTS = Path(sys.executable).parent


def told_in(folder, *, as_json=False):
    """What `ragvet demo` prints in a folder; its exit code must be the gate's."""
    printed = io.StringIO()
    with chdir(folder), redirect_stdout(printed), pytest.raises(typer.Exit) as ended:
        demo(as_json=as_json)
    assert ended.value.exit_code == 1
    return printed.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def told(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        return told_in(folder)


def test_it_shows_the_weak_spots_worst_first_and_the_rules_they_break(told):
    categories = re.findall(r"^  ([a-z-]+) +\d+ +0?1?\.\d{3}", told, flags=re.MULTILINE)
    assert categories[:2] == ["follow-up", "paraphrase"]
    assert categories[-1] in {"lookup", "planted-instruction"}
    for rule in ("forbidden_text ≤ 0  critical", "coverage@5 ≥ 0.6  paraphrase", "missed_refusal ≤ 0.2  unanswerable"):
        assert f"✗ {rule}" in told
    assert "Gate FAIL" in told


def test_its_report_lies_where_it_says(told, folder):
    (page,) = re.findall(r"^  (\S+report\.html)$", told, flags=re.MULTILINE)
    assert (folder / page).stat().st_size > 100_000


def test_the_commands_it_ends_with_work_as_printed(told, folder):
    *first, gate, run, init = told.partition("Next\n")[2].splitlines()  # first, at most: put ragvet on the path
    for command, code in ((gate, 1), (run, 0), (init, 0)):
        shell = "\n".join((*first, command))
        done = subprocess.run(["sh", "-c", shell], cwd=folder, capture_output=True, check=False)
        assert done.returncode == code, f"{command}\n{done.stdout}{done.stderr}"


def test_a_second_run_says_the_same_to_the_letter(told, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    again = told_in(folder)
    assert re.sub(r"runs/\S+", "runs/", again) == re.sub(r"runs/\S+", "runs/", told)


def test_all_of_it_can_be_had_as_json(tmp_path):
    said = json.loads(told_in(tmp_path, as_json=True))
    assert said["decision"]["outcome"] == "fail"
    assert said["report"]["run"]["cases"] >= 100


def test_a_folder_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(".ragvet").write_text("a file")
    with pytest.raises(InputError, match=r"\.ragvet"):
        demo(as_json=False)


def test_a_sentence_a_newer_python_has_reworded_is_a_stale_annotation_and_no_failure(tmp_path, monkeypatch, capsys):
    quote = 'The "sort()" method is guaranteed to be stable.'

    def reworded():
        return [
            document.model_copy(
                update={"text": re.sub(r'The\s+"sort\(\)"\s+method\s+is\s+guaranteed', "It is", document.text)}
            )
            for document in documents()
        ]

    assert quote in " ".join(next(d.text for d in documents() if d.doc_id == "typesseq").split())
    monkeypatch.setattr(_project, "documents", reworded)
    monkeypatch.chdir(tmp_path)
    done = run(load_config(write_project()))
    report = build(done, gate=(decision := decide(load_policy(FOLDER / "policy.toml"), done)))
    assert report.run.stale_annotations >= 1
    assert report.run.target_failures == report.run.judge_failures == 0
    from rich.console import Console

    tell(report, decision, Console(width=80), page=Path("report.html"), commands={})
    assert "not in this Python's documents" in " ".join(capsys.readouterr().out.split())


@pytest.mark.skipif(sys.version_info[:2] > (3, 13), reason="a newer Python may have reworded further quotes by itself")
def test_a_stale_quote_in_every_category_leaves_no_rule_on_coverage_undecided(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = load_config(write_project())
    policy = load_policy(FOLDER / "policy.toml")
    golden = FOLDER / "golden.yaml"
    written = yaml.safe_load(golden.read_text("utf-8"))
    measured = {
        placed.entry.stratum.removeprefix("category=")
        for placed in policy.entries
        if placed.entry.about == "coverage@5"
    }
    stale = {case["category"]: case for case in reversed(written["cases"]) if case["category"] in measured}
    for case in stale.values():
        case["reference_passages"][0]["quote"] = "No Python says this any more."
    golden.write_text(json.dumps(written, default=str), encoding="utf-8")  # JSON is YAML
    done = run(config)
    assert done.manifest.counts.stale_annotations == len(stale) == len(measured) == 5
    outcomes = [rule.outcome for rule in decide(policy, done).rules if rule.metric == "coverage@5"]
    assert len(outcomes) == 5
    assert "undecided" not in outcomes
