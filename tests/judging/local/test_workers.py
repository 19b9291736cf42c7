"""Many answers are judged by several processes, with the same outcome whatever becomes of these."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from ragvet.judging import _sharing, judge_all
from ragvet.judging.local import OfflineJudge, _workers
from ragvet.records import Answer, Case, DocumentVersion, JudgeFailure, RetrievedItem, Trace

ALONE = OfflineJudge(processes=1)
TEXT = "The fee is {} euros. It is due within 30 days of the invoice."


def items(count):
    return [(case(number), trace(number)) for number in range(count)]


def case(number, **fields):
    return Case(id=str(number), question="q", category="x", expected_behaviour="answer", **fields)


def trace(number, text=None):
    supplied = (RetrievedItem(chunk_id="p", doc_id="prices", text=TEXT.format(number)),)
    text = f"The fee is {number + number % 2} euros. [1]" if text is None else text
    return Trace(case_id=str(number), question="q", answer=Answer(text=text, supplied=supplied))


def judged(judge, those):
    return asyncio.run(judge_all(judge, those))


@pytest.fixture(autouse=True)
def few_are_enough(monkeypatch):
    monkeypatch.setattr(_sharing, "_FEWEST", 40)
    monkeypatch.setattr(_sharing, "_AT_A_TIME", 8)


@pytest.fixture
def started(monkeypatch):
    """The processes that were started, as they come."""
    found = []
    popen = subprocess.Popen

    def remembered(*arguments, **options):
        found.append(popen(*arguments, **options))
        return found[-1]

    monkeypatch.setattr(_workers.subprocess, "Popen", remembered)
    return found


def test_processes_judge_as_one_does_and_in_the_same_order(started):
    those = items(50)
    assert judged(OfflineJudge(processes=2), those) == judged(ALONE, those)
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)  # gone with the judging


def test_a_few_answers_start_no_process(started):
    judged(OfflineJudge(processes=2), items(39))
    assert not started


def test_a_process_that_is_killed_costs_nothing_but_time(started):
    those = items(200)
    killed = []

    def told(_):
        if not killed:
            killed.append(started[0].pid)
            started[0].kill()

    results = asyncio.run(judge_all(OfflineJudge(processes=2), those, told=told))
    assert killed
    assert results == judged(ALONE, those)


@pytest.mark.parametrize(
    "command",
    [
        ("-c", "raise SystemExit(1)"),
        ("-c", "print('no fingerprint', flush=True); input()"),
        ("-c", "input(); print('offline-other'); input()"),
    ],
    ids=["ends", "says-something-else", "judges-otherwise"],
)
def test_processes_that_cannot_judge_are_not_used(monkeypatch, command):
    monkeypatch.setattr(_workers, "_COMMAND", command)
    those = items(50)
    assert judged(OfflineJudge(processes=2), those) == judged(ALONE, those)


def test_where_no_process_may_be_started_one_judges_alone(monkeypatch):
    def refused(*_, **__):
        raise PermissionError("no processes here")

    monkeypatch.setattr(_workers.subprocess, "Popen", refused)
    those = items(50)
    assert judged(OfflineJudge(processes=2), those) == judged(ALONE, those)


def test_a_process_that_never_answers_is_given_up(monkeypatch):
    monkeypatch.setattr(_workers, "_COMMAND", ("-c", "import time; time.sleep(600)"))
    monkeypatch.setattr(_workers, "_PATIENCE", 0.2)
    those = items(50)
    assert judged(OfflineJudge(processes=2), those) == judged(ALONE, those)


def test_an_answer_that_fails_fails_alone():
    those = items(50)
    those[7] = (those[7][0], Trace(case_id="7", question="q", error={"kind": "Timeout", "message": "late"}))
    results = judged(OfflineJudge(processes=2), those)
    assert [number for number, one in enumerate(results) if isinstance(one, JudgeFailure)] == [7]
    assert results == judged(ALONE, those)


def test_half_a_character_pair_is_judged_where_it_is():
    those = items(50)
    those[3] = (those[3][0], trace(3, "The fee is 3 euros. \ud800"))
    assert judged(OfflineJudge(processes=2), those) == judged(ALONE, those)


class Register:
    """Two versions of one document, as a corpus has them; nobody but this process can look them up."""

    fingerprint = "register"

    def get(self, doc_id, version=None):
        if doc_id != "prices":
            return None
        return DocumentVersion(
            doc_id=doc_id, version=version, text="x" * 1000, status="superseded", audience=("staff",)
        )

    def __contains__(self, doc_id):
        return doc_id == "prices"


def test_citations_are_looked_up_in_the_register_of_the_judge():
    those = [(case(number, identity={"id": "u", "groups": ["guests"]}), trace(number)) for number in range(50)]
    elsewhere = {"chunk_id": "gone", "doc_id": "no such document"}
    answer = Answer(text="The fee is 5 euros.", citations=(elsewhere, {"marker": "[9]"}), supplied=())
    those[5] = (those[5][0], Trace(case_id="5", question="q", answer=answer))
    results = judged(OfflineJudge(register=Register(), processes=2), those)
    assert results == judged(OfflineJudge(register=Register(), processes=1), those)
    assert results[0].citations[0].permitted is False
    assert results[0].citations[0].right_version is False
    assert [one.resolves for one in results[5].citations] == [False, False]


def test_languages_of_ones_own_are_known_to_every_process(tmp_path):
    (tmp_path / "en.toml").write_text('refused = ["computer says no"]\n')
    those = items(50)
    those[9] = (those[9][0], trace(9, "Computer says no."))
    results = judged(OfflineJudge(languages=[tmp_path / "en.toml"], processes=2), those)
    assert results[9].behaviour.observed == "refused"


SCRIPT = """
import asyncio, sys
from ragvet.judging import _sharing, judge_all
from ragvet.judging.local import OfflineJudge
from ragvet.records import Answer, Case, Trace

print("once", flush=True)
_sharing._FEWEST = 40
those = [
    (
        Case(id=str(n), question="q", category="x", expected_behaviour="answer"),
        Trace(case_id=str(n), question="q", answer=Answer(text="The fee is 5 euros.", context="The fee is 5 euros.")),
    )
    for n in range(int(sys.argv[1]))
]
results = asyncio.run(judge_all(OfflineJudge(processes=2), those, told=lambda _: print("judged", flush=True)))
print(sum(one.support[0].verdict == "supported" for one in results))
"""


@pytest.mark.parametrize("given", ["a file", "-c"])
def test_a_script_without_a_main_guard_works(tmp_path, given):
    (tmp_path / "evaluate.py").write_text(SCRIPT)
    program = ["evaluate.py"] if given == "a file" else ["-c", SCRIPT]
    done = subprocess.run(
        [sys.executable, *program, "60"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
    )
    lines = done.stdout.split()
    assert (lines[0], lines.count("once"), lines[-1]) == ("once", 1, "60")
    assert not done.stderr


def test_a_file_that_is_called_like_a_module_hides_nothing_from_a_process(tmp_path, monkeypatch, started):
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong one')\n")
    monkeypatch.chdir(tmp_path)
    those = items(50)
    assert judged(OfflineJudge(processes=2), those) == judged(ALONE, those)
    assert {process.returncode for process in started} == {-signal.SIGKILL}  # they were at it until they were ended


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are looked for in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_no_process_outlives_who_started_it(tmp_path, how):
    (tmp_path / "evaluate.py").write_text(SCRIPT)
    running = subprocess.Popen(
        [sys.executable, "evaluate.py", "100000"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "RAGVET_TEST_MARK": str(tmp_path)},
    )
    with running:
        assert running.stdout.readline() == "once\n"
        assert running.stdout.readline() == "judged\n"
        running.send_signal(how)
        running.communicate()
    until = time.monotonic() + 60
    while (left := marked(str(tmp_path))) and time.monotonic() < until:
        time.sleep(0.05)
    assert not left


def marked(value):
    """The processes with this mark in their environment."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it has ended, or is somebody else's
            found += [environment] if value.encode() in environment.read_bytes() else []
    return found
