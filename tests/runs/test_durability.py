"""A run can be killed, stopped, starved of disk and started again; nothing finished is asked for twice."""

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from tests.runs.make import PlainJudge, case, dataset, finished, plan, score_of

from ragvet.errors import BudgetReached, BundleError, InputError
from ragvet.records import Answer, Trace
from ragvet.runs import Run, locate_run, resume, start
from ragvet.runs._folder import create_folder, locked
from ragvet.runs._journal import Journal

CONFIG = """
[dataset]
path = "golden.json"
[target]
python = "shop:search"
concurrency = 3
retries = 0
[retrieval]
supplied_k = 1
deep_k = 2
[judge]
kind = "none"
"""
CASES = 30
SYSTEM = """
import os, time

def search(question, k):
    with open("calls.log", "a") as log:
        log.write(question + "\\n")
    if os.path.exists("slow") and int(question[1:-1]) >= 15:
        time.sleep(1000)
    return ["d"]
"""


@pytest.fixture
def project(tmp_path):
    cases = [case(f"q{number}", "d") for number in range(CASES)]
    (tmp_path / "golden.json").write_text(json.dumps({"judgments": "listed", "cases": cases}))
    (tmp_path / "ragvet.toml").write_text(CONFIG)
    (tmp_path / "shop.py").write_text(SYSTEM)
    (tmp_path / "slow").touch()
    return tmp_path


def command(project, *arguments, **options):
    return python(project, "from ragvet.cli import main; main()", *arguments, **options)


def python(project, program, *arguments, **options):
    words = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(
        words, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", **options
    )


def finish(project, *arguments, **options):
    process = command(project, *arguments, **options)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def journal_lines(project):
    return sum(path.read_bytes().count(b"\n") for path in project.glob(".ragvet/runs/*/journal.jsonl"))


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "the run did not get there"
        time.sleep(0.01)


def calls(project):
    return (project / "calls.log").read_text().split()


def stopped_half_way(project, how, program=None):
    """A run that has finished cases 0 to 14 and hangs in three more, stopped by a signal."""
    process = command(project, "run") if program is None else python(project, program)
    wait_for(lambda: journal_lines(project) == 15 and len(calls(project)) == 18)
    process.send_signal(how)
    out, err = process.communicate(timeout=60)
    (project / "slow").unlink()
    return process.returncode, out, err


def test_a_killed_run_goes_on_without_calling_the_target_again_for_what_was_finished(project):
    code, _, _ = stopped_half_way(project, signal.SIGKILL)
    assert code == -signal.SIGKILL
    before = calls(project)
    with pytest.raises(BundleError, match="--resume"):
        Run.open("latest", project / ".ragvet/runs")

    code, _, err = finish(project, "run", "--resume", "latest")
    assert code == 0, err
    after = calls(project)[len(before) :]
    assert sorted(after) == sorted(
        f"q{number}?" for number in range(15, CASES)
    )  # 15 to 17 were under way, not finished
    run = Run.open("latest", project / ".ragvet/runs")
    assert [trace.case_id for trace in run.traces()] == [f"q{number}" for number in range(CASES)]
    assert run.manifest.counts.answered == CASES
    assert not list(run.folder.glob("journal*"))


def test_ctrl_c_stops_cleanly_says_how_to_go_on_and_can_be_resumed(project):
    code, _, err = stopped_half_way(project, signal.SIGINT)
    assert code == 130
    assert "Traceback" not in err
    folder = locate_run("latest", project / ".ragvet/runs")
    assert f"ragvet run --resume .ragvet/runs/{folder.name}" in err
    assert json.loads((folder / "manifest.json").read_text())["status"] == "interrupted"
    code, _, err = finish(project, "run", "--resume", folder.name)
    assert code == 0, err
    assert len(calls(project)) == CASES + 3


IN_A_LOOP = """
import asyncio, ragvet, shop

async def main():
    calls = ragvet.CallPolicy(concurrency=3, deadline=1000)
    ragvet.evaluate("golden.json", shop.search, depths=(1, 2), judge="none", calls=calls, resume=RESUME)

asyncio.run(main())
"""


def test_one_ctrl_c_stops_a_run_inside_somebody_elses_event_loop(project):
    _, _, err = stopped_half_way(project, signal.SIGINT, IN_A_LOOP.replace("RESUME", "None"))
    folder = locate_run("latest", project / ".ragvet/runs")
    assert f"KeyboardInterrupt: Stopped; go on with: ragvet.evaluate(…, resume='{folder}')" in err
    assert json.loads((folder / "manifest.json").read_text())["status"] == "interrupted"
    code, _, err = finish(project, "run", "--resume", "latest")
    assert code == 2
    assert "started from Python" in err
    process = python(project, IN_A_LOOP.replace("RESUME", "'latest'"))
    assert process.communicate(timeout=120)[1] == ""
    assert len(calls(project)) == CASES + 3
    assert Run.open(folder).manifest.counts.answered == CASES


def test_a_run_is_quiet_on_stderr_where_nobody_watches(project):
    (project / "slow").unlink()
    code, out, err = finish(project, "run")
    assert (code, err) == (0, "")
    assert "report.html" in out


def test_two_runs_in_one_project_at_once_do_not_meet(project):
    (project / "slow").unlink()
    processes = [command(project, "run", "--json") for _ in range(2)]
    replies = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
    assert replies[0]["folder"] != replies[1]["folder"]
    for reply in replies:
        assert reply["manifest"]["counts"]["answered"] == CASES


def test_a_run_that_is_being_worked_on_cannot_be_resumed_by_another_process(project):
    process = command(project, "run")
    wait_for(lambda: journal_lines(project) == 15)
    code, _, err = finish(project, "run", "--resume", "latest")
    assert code == 2
    assert "another process" in err
    process.kill()
    process.communicate()


def test_resuming_with_a_changed_golden_set_or_target_is_refused_by_name(project):
    stopped_half_way(project, signal.SIGKILL)
    (project / "shop.py").write_text(SYSTEM + "\n# changed\n")
    golden = json.loads((project / "golden.json").read_text())
    golden["cases"][0]["question"] = "changed"
    (project / "golden.json").write_text(json.dumps(golden))
    code, _, err = finish(project, "run", "--resume", "latest")
    assert code == 2
    assert "dataset" in err
    assert "target" in err


def test_a_full_disk_stops_the_run_with_a_message_and_what_was_finished_is_kept(project):
    """The limit on the size of a file gives the same refusal as a full disk: the write fails half way."""
    resource = pytest.importorskip("resource")
    (project / "slow").unlink()
    limit = 2000  # bytes: some lines of the journal, not all

    def starve():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    # The manifest of a starting run is smaller than the limit.
    code, _, err = finish(project, "run", preexec_fn=starve)
    assert code == 2, err
    assert "no space left" in err
    assert "--resume" in err
    assert "Traceback" not in err
    kept = journal_lines(project)
    assert 0 < kept < CASES
    before = len(calls(project))
    code, _, err = finish(project, "run", "--resume", "latest")
    assert code == 0, err
    assert len(calls(project)) - before == CASES - kept


def test_a_line_that_was_cut_short_is_asked_for_again_and_a_damaged_one_is_named(tmp_path):
    path = tmp_path / "journal.jsonl"
    traces = [Trace(case_id=name, question="?", answer=Answer(text="x")) for name in ("a", "b")]
    with Journal(path) as journal:
        for trace in traces:
            journal.add_trace(trace)
    whole = path.read_bytes()
    for cut in range(whole.index(b"\n") + 1, len(whole)):
        path.write_bytes(whole[:cut])
        with Journal(path) as journal:
            assert journal.has_trace(("a", 0))
            assert not journal.has_trace(("b", 0))
            journal.add_trace(traces[1])
            assert Trace.model_validate_json(journal.trace_json(("b", 0))) == traces[1]
        assert path.read_bytes() == whole
    path.write_bytes(b"{nonsense}\n" + whole)
    with pytest.raises(BundleError, match="line 1"):
        Journal(path)


def test_only_what_failed_is_asked_again_on_retry(tmp_path):
    down = True
    asked = []

    def system(question, k):
        asked.append(question)
        if down and question in {"q1?", "q3?"}:
            raise ConnectionError("down")
        return {"text": "x", "retrieved": ["d"]}

    judge = PlainJudge()
    made = plan(dataset(*(case(f"q{n}", "d") for n in range(5))), system, judge=judge, retries=0)
    run = start(made, runs=tmp_path)
    assert run.manifest.counts.failed == {"TargetError": 2}
    assert resume(run.folder, made).manifest == run.manifest  # finished: nothing to do
    down = False
    asked.clear()
    judge.asked.clear()
    again = resume(run.folder, made, retry_failed=True)
    assert sorted(asked) == ["q1?", "q3?"]
    assert sorted(judge.asked) == ["q1", "q3"]
    assert again.manifest.counts.failed == {}
    assert (again.manifest.counts.answered, again.manifest.counts.judged) == (5, 5)
    assert score_of(again, "hit@2", "q3")["value"] == 1.0


def test_a_reached_budget_ends_the_sitting_and_the_next_goes_on_from_there(tmp_path):
    money = 2

    def spending(_):
        nonlocal money
        if money == 0:
            raise BudgetReached("budget of 2 reached")
        money -= 1

    judge = PlainJudge(spending)
    made = plan(dataset(*(case(f"q{n}", "d") for n in range(5))), lambda q, k: {"text": "x"}, judge=judge)
    with pytest.raises(BudgetReached, match=r"budget of 2 reached.*--resume"):
        start(made, runs=tmp_path)
    money = 100
    judge.asked.clear()
    run = resume(locate_run("latest", tmp_path), made)
    assert len(judge.asked) == 3
    assert run.manifest.counts.judged == 5


def test_evidence_lies_in_a_folder_of_its_owner_alone_and_outside_of_version_control(tmp_path):
    folder = create_folder(tmp_path / ".ragvet" / "runs", datetime.now(UTC))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (tmp_path / ".ragvet" / ".gitignore").read_text() == "*\n"


def test_folders_of_one_moment_are_different_and_names_sort_by_time(tmp_path):
    now = datetime(2026, 1, 1, tzinfo=UTC)
    same = {create_folder(tmp_path, now).name for _ in range(50)}
    assert len(same) == 50
    later = create_folder(tmp_path, now + timedelta(microseconds=1)).name
    assert all(name < later for name in same)


def test_a_link_is_never_written_through(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    runs = tmp_path / "runs"
    runs.symlink_to(elsewhere)
    made = plan(dataset(case("q", "d")), lambda question, k: ["d"])
    with pytest.raises(BundleError, match="symbolic link"):
        start(made, runs=runs)
    run = start(made, runs=elsewhere)
    link = tmp_path / "link"
    link.symlink_to(run.folder)
    with pytest.raises(BundleError, match="symbolic link"):
        resume(link, made, retry_failed=True)
    assert Run.open(link).manifest == run.manifest  # reading is harmless


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_no_permission_to_write_is_said_before_anything_is_asked(tmp_path):
    asked = []
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(BundleError, match="permission"):
            start(plan(dataset(case("q", "d")), lambda question, k: asked.append(question)), runs=tmp_path / "runs")
    finally:
        tmp_path.chmod(0o700)
    assert asked == []


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path):
    (tmp_path / "runs").write_text("")
    with pytest.raises(BundleError, match="runs"):
        start(plan(dataset(case("q", "d")), lambda question, k: ["d"]), runs=tmp_path / "runs")


def test_a_clock_that_goes_backwards_changes_no_duration(tmp_path, monkeypatch):
    class Backwards(datetime):
        hours = 0

        @classmethod
        def now(cls, tz=None):
            cls.hours += 1
            return datetime(2026, 1, 2, tzinfo=UTC) - timedelta(hours=cls.hours)

    monkeypatch.setattr("ragvet.runs._execute.datetime", Backwards)
    monkeypatch.setattr("ragvet.runs._sitting.datetime", Backwards)
    monkeypatch.setattr("ragvet.calling._caller.datetime", Backwards)
    run = finished(tmp_path, dataset(case("q", "d")), lambda question, k: ["d"])
    assert run.manifest.finished_at < run.manifest.started_at
    assert run.manifest.seconds >= 0
    assert all(trace.latency >= 0 for trace in run.traces())


def test_reading_says_what_is_missing_damaged_or_newer(tmp_path):
    with pytest.raises(BundleError, match="no run"):
        locate_run("latest", tmp_path)
    with pytest.raises(BundleError, match=r"no manifest\.json"):
        Run.open(tmp_path)
    run = finished(tmp_path, dataset(case("q", "d")), lambda question, k: ["d"])
    for nonsense in ("nonsense", "x" * 10_000):
        with pytest.raises(BundleError, match=run.id):
            locate_run(nonsense, tmp_path / "runs")
    assert locate_run(run.id, tmp_path / "runs") == locate_run("latest", tmp_path / "runs") == run.folder
    with pytest.raises(BundleError, match="no case 'other'"):
        run.trace("other")
    (run.folder / "scores.parquet").unlink()
    with pytest.raises(BundleError, match="is missing"):
        run.scores()
    manifest = run.folder / "manifest.json"
    written = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**written, "from_the_future": 1}))
    with pytest.raises(BundleError, match="newer ragvet"):
        Run.open(run.folder)
    manifest.write_text("{")
    with pytest.raises(BundleError, match="damaged"):
        Run.open(run.folder)


def test_a_record_this_version_cannot_read_is_said_to_be_one(tmp_path):
    run = finished(tmp_path, dataset(case("q", "d")), lambda question, k: ["d"])
    path = run.folder / "traces.parquet"
    older = {"case": pl.lit('{"id": "q"}'), "trace": pl.lit('{"case_id": "q"}')}
    pl.read_parquet(path).with_columns(**older).write_parquet(path)
    again = Run.open(run.folder)
    for read in (again.cases, lambda: list(again.traces()), lambda: again.trace("q")):
        with pytest.raises(BundleError, match="another version"):
            read()


def test_a_run_of_somebody_else_is_said_to_be_unreadable(tmp_path, monkeypatch):
    def refused(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    run = finished(tmp_path, dataset(case("q", "d")), lambda question, k: ["d"])
    monkeypatch.setattr(Path, "is_file", refused)  # what the system says of a folder one may not look into
    monkeypatch.setattr(Path, "read_text", refused)
    with pytest.raises(BundleError, match="cannot be read: no permission"):
        Run.open(str(run.folder))


def test_an_item_is_on_disk_when_it_is_finished_not_when_the_run_is(tmp_path):
    seen = []

    def system(question, k):
        seen.append(sum(path.read_bytes().count(b"\n") for path in Path(tmp_path).glob("runs/*/journal.jsonl")))
        return ["d"]

    finished(tmp_path, dataset(*(case(f"q{n}", "d") for n in range(4))), system, concurrency=1)
    assert seen == [0, 1, 2, 3]


def test_a_locked_folder_is_free_again_after_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    with locked(tmp_path):
        held = threading.Event()
        held.set()
    assert held.is_set()


def test_resume_needs_a_run_and_retry_needs_resume(project):
    code, _, err = finish(project, "run", "--retry-failed")
    assert (code, "--resume" in err) == (2, True)
    code, _, err = finish(project, "run", "--resume", "latest")
    assert (code, "no run 'latest'" in err) == (2, True)
    with pytest.raises(InputError):
        plan(dataset(case("q", "d")), "no callable")
