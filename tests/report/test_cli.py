"""`ragvet report` on a run that really was made."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest
from tests.report.test_html import everything_in

from ragvet.cli import main
from ragvet.errors import BundleError
from ragvet.report import Report, write_report
from ragvet.runs import Run

TOLD = "wombats sleep in square rooms"
GOLDEN = [
    {
        "id": f"q{number}",
        "question": f"Where do {TOLD}, part {number}?",
        "category": ("burrows", "fur")[number % 2],
        "expected_behaviour": "answer",
        "required_claims": [{"text": f"The {TOLD}."}],
        "reference_passages": [{"doc_id": f"d{number}"}],
    }
    for number in range(4)
]
APP = f"""
def answer(question, k):
    if "part 3" in question:
        raise RuntimeError("no luck with: " + question)
    hits = [
        {{"id": f"d{{n}}", "doc_id": f"d{{n}}", "title": "All about {TOLD}", "text": "We know that {TOLD}."}}
        for n in range(k)
    ]
    return {{"text": "We know that {TOLD}. [1]", "retrieved": hits, "supplied": hits[:1],
            "citations": [{{"chunk_id": "d0", "marker": "[1]"}}]}}
"""
CONFIG = """
[dataset]
path = "golden.json"
judgments = "listed"
[target]
python = "wombat_app:answer"
retries = 0
[retrieval]
supplied_k = 1
deep_k = 3
"""
POLICY = """
[[rule]]
metric = "coverage@1"
stratum = "all"
min = 0.9
minimum_n = 1
allowed_undefined_share = 0.0
allowed_failed_share = 0.5
agreed_by = "A"
agreed_on = 2020-01-01
why = "because"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "golden.json").write_text(json.dumps(GOLDEN), encoding="utf-8")
    (folder / "wombat_app.py").write_text(APP, encoding="utf-8")
    (folder / "ragvet.toml").write_text(CONFIG, encoding="utf-8")
    done = ragvet(folder, "run")
    assert done.returncode == 0, done.stderr
    return folder


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def ragvet(folder: Path, *words: str) -> Done:
    """The command as a user types it in `folder`, in this process: starting one anew costs a second each."""
    code = 0
    with (
        chdir(folder),
        redirect_stdout(StringIO()) as out,
        redirect_stderr(StringIO()) as errors,
        patch.object(sys, "argv", ["ragvet", *words]),
        patch.dict(os.environ, {"COLUMNS": "80"}),
    ):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return Done(code, out.getvalue(), errors.getvalue())


def test_every_form_is_written_and_names_the_same_run(project: Path):
    done = ragvet(project, "report", "--html", "a.html", "--markdown", "a.md", "--junit", "a.xml", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = Report.model_validate_json(done.stdout)
    assert (report.run.cases, report.run.answered, report.run.target_failures) == (4, 3, 1)
    for name in ("a.html", "a.md", "a.xml"):
        assert report.run.run_id in (project / name).read_text(encoding="utf-8")
    assert TOLD in ragvet(project, "report", "--json").stdout


def test_without_content_no_form_holds_a_word_of_question_document_or_answer(project: Path):
    forms = ("--html", "b.html", "--markdown", "b.md", "--junit", "b.xml", "--json")
    done = ragvet(project, "report", "--no-content", *forms)
    assert done.returncode == 0, done.stderr
    written = [done.stdout, everything_in((project / "b.html").read_text(encoding="utf-8"))]
    written += [(project / name).read_text(encoding="utf-8") for name in ("b.md", "b.xml")]
    assert all(TOLD not in text for text in written)
    assert all("wombats" not in text.lower() for text in written)


def test_the_terminal_form_is_quiet_in_a_pipe_and_fits(project: Path):
    done = ragvet(project, "report")
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "coverage@1" in done.stdout


def test_a_policy_shows_what_the_gate_says_and_leaves_the_exit_code_to_the_gate(project: Path):
    (project / "policy.toml").write_text(POLICY, encoding="utf-8")
    done = ragvet(project, "report", "--policy", "policy.toml")
    assert done.returncode == 0
    assert "Gate FAIL" in done.stdout


def test_every_form_passes_on_what_the_gate_warns_of_a_latest_run_older_than_its_inputs(project: Path, tmp_path: Path):
    copy = tmp_path / "project"
    shutil.copytree(project, copy)
    (copy / "ragvet.toml").write_text(CONFIG.replace("deep_k = 3", "deep_k = 4"), encoding="utf-8")
    policy = ("--policy", "policy.toml")
    (copy / "policy.toml").write_text(POLICY, encoding="utf-8")
    stale = "the latest run: ragvet.toml has changed since this run"
    assert stale in " ".join(ragvet(copy, "report", *policy).stdout.split())
    forms = {"--html": "a.html", "--markdown": "a.md", "--junit": "a.xml"}
    done = ragvet(copy, "report", *policy, "--json", *(word for form in forms.items() for word in form))
    assert stale in json.loads(done.stdout)["gate"]["warnings"][0]
    for name in forms.values():
        assert stale in (copy / name).read_text(encoding="utf-8")
    run = next((copy / ".ragvet" / "runs").iterdir()).name
    assert stale not in ragvet(copy, "report", run, *policy, "--json").stdout  # it was named


@pytest.mark.parametrize(
    ("words", "said"), [(("nowhere",), "no run 'nowhere'"), (("--markdown", "no/such/a.md"), "--markdown no/such/a.md")]
)
def test_what_cannot_be_read_or_written_is_named_with_what_to_do(project: Path, words: tuple[str, ...], said: str):
    done = ragvet(project, "report", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_page_is_written_into_the_private_folder_of_the_run_by_default(project: Path, tmp_path: Path):
    folder = next((project / ".ragvet" / "runs").iterdir())
    _, page = write_report(Run.open(folder))
    assert page == folder / "report.html"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert write_report(Run.open(link))[1].exists()


def test_a_page_that_cannot_be_written_leaves_the_old_one(project: Path, tmp_path: Path):
    copy = tmp_path / "run"
    shutil.copytree(next((project / ".ragvet" / "runs").iterdir()), copy)
    run = Run.open(copy)
    (copy / "verdicts" / "judged.parquet").unlink()
    old = (copy / "report.html").read_bytes()
    with pytest.raises(BundleError, match="verdicts"):
        write_report(run)
    assert (copy / "report.html").read_bytes() == old
