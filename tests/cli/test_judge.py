from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest
from tests.judging.llm.scripted_server import Asked, Say, honest, plainly, serving

from ragvet.cli import main
from ragvet.records import JudgeFailure, Verdicts
from ragvet.records.lattice import claim_verdicts
from ragvet.runs import Run

CASES = [
    {
        "id": str(number),
        "question": "When do refunds arrive?",
        "category": "billing",
        "expected_behaviour": "answer",
        "reference_answer": "Refunds take 5 days.",
        "reference_passages": [{"doc_id": "policy", "chunk_ids": ["policy"]}],
    }
    for number in range(3)
]
TOML = """
[dataset]
path = "golden.json"
judgments = "listed"

[target]
recorded = "traces.jsonl"

[retrieval]
supplied_k = 1
deep_k = 2

[judge]
kind = "model"
model = "m"
base_url = "{url}"
price = {{ input = 2.0, output = 10.0 }}
{more}
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project in the working directory: three recorded answers, and a way to write its [judge] table."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "golden.json").write_text(json.dumps(CASES), encoding="utf-8")
    item = {"chunk_id": "policy", "doc_id": "policy", "text": "Our policy: refunds take 5 days."}
    texts = ["Refunds take 5 days.", "Refunds take 9 days.", "I don't know."]
    traces = [
        {
            "case_id": str(n),
            "question": "When do refunds arrive?",
            "answer": {"text": t, "retrieved": [item], "supplied": [item]},
        }
        for n, t in enumerate(texts)
    ]
    (tmp_path / "traces.jsonl").write_text("\n".join(map(json.dumps, traces)), encoding="utf-8")

    def write(server, more=""):
        (tmp_path / "ragvet.toml").write_text(TOML.format(url=server.base_url, more=more), encoding="utf-8")

    return write


def ragvet(monkeypatch, capsys, *arguments):
    """Exit code and standard output of one command."""
    monkeypatch.setattr(sys, "argv", ["ragvet", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    captured = capsys.readouterr()
    return ended.value.code or 0, captured.out, captured.err


def bytes_of(folder):
    """Every file of a run, apart from its lock."""
    return {path.name: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file() and path.name != ".lock"}


def folder_of(out):
    return json.loads(out)["folder"]


def test_judging_a_finished_run_makes_a_complete_run_and_leaves_the_first_as_it_is(
    project, monkeypatch, capsys, tmp_path
):
    with serving() as server:
        project(server)
        (tmp_path / "offline.toml").write_text(
            (tmp_path / "ragvet.toml").read_text(encoding="utf-8").split("[judge]")[0], encoding="utf-8"
        )
        code, out, err = ragvet(monkeypatch, capsys, "run", "--config", "offline.toml", "--json")
        assert code == 0, err
        first = folder_of(out)
        before = bytes_of(first)
        code, out, err = ragvet(monkeypatch, capsys, "judge", "latest", "--json", "--output", "labels.jsonl")
        assert code == 0, err
    assert bytes_of(first) == before
    old, new = Run.open(first), Run.open(folder_of(out))
    assert new.manifest.judged_from == old.id
    assert new.manifest.judge_fingerprint.startswith("model:m:")
    assert new.manifest.config["judge"]["kind"] == "model"
    assert new.manifest.config_fingerprint != old.manifest.config_fingerprint
    assert (new.manifest.counts.judged, new.manifest.counts.judge_failed) == (3, 0)
    assert list(new.traces()) == list(old.traces())
    assert new.rankings().equals(old.rankings())
    verdicts = list(new.verdicts())
    assert {one.judge for one in verdicts} != {one.judge for one in old.verdicts()}
    told = [claim.told for one in verdicts for claim in claim_verdicts(one).values()]
    assert told[:2] == ["supported", "unsupported"]
    faithfulness = new.scores().filter(pl.col("metric") == "faithfulness")
    assert faithfulness.sort("case_id")["value"].to_list()[:2] == [1.0, 0.0]
    assert (new.folder / "report.html").is_file()
    assert not (new.folder / "journal.jsonl").exists()
    lines = (tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    assert [Verdicts.model_validate_json(line) for line in lines] == verdicts
    code, _, err = ragvet(monkeypatch, capsys, "report", new.id)
    assert code == 0, err


def test_a_run_judged_again_by_the_same_judge_asks_for_nothing_and_fresh_asks_for_all(project, monkeypatch, capsys):
    with serving() as server:
        project(server)
        ragvet(monkeypatch, capsys, "run")
        asked = len(server.bodies)
        ragvet(monkeypatch, capsys, "judge", "latest")
        assert len(server.bodies) == asked
        ragvet(monkeypatch, capsys, "judge", "latest", "--fresh")
        again = len(server.bodies)
        assert again == 2 * asked - 1  # the server was probed once
        ragvet(monkeypatch, capsys, "run", "--fresh")
        assert len(server.bodies) == 3 * asked - 2


def test_a_judging_stopped_by_its_budget_goes_on_in_its_own_run(project, monkeypatch, capsys, tmp_path):
    with serving() as server:
        project(server, "max_output_tokens = 100\nconcurrency = 1")
        _, out, _ = ragvet(monkeypatch, capsys, "run", "--json")
        first = Path(folder_of(out))
        code, _, err = ragvet(monkeypatch, capsys, "judge", "latest", "--fresh", "--budget", "0.0045")
        assert (code, "is reached" in err, "go on with: ragvet judge" in err) == (2, True, True)
        (stopped,) = [run for run in (tmp_path / ".ragvet" / "runs").iterdir() if run.name != first.name]
        assert (stopped / "journal.jsonl").is_file()
        code, _, err = ragvet(monkeypatch, capsys, "run", "--resume", str(stopped))
        assert (code, "go on with: ragvet judge" in err) == (2, True)
        code, _, err = ragvet(monkeypatch, capsys, "report", str(stopped))
        assert (code, "ragvet judge" in err) == (2, True)
        code, out, err = ragvet(monkeypatch, capsys, "judge", str(stopped), "--json")
        assert code == 0, err
    assert Path(folder_of(out)) == stopped
    assert Run.open(stopped).manifest.counts.judged == 3


def test_only_what_the_judge_failed_on_is_asked_again(project, monkeypatch, capsys):
    with serving(lambda body, number: Say("No.") if "9 days" in str(body) else plainly(body, number)) as server:
        project(server)
        code, out, _ = ragvet(monkeypatch, capsys, "run", "--json")
        run = folder_of(out)
        (failure,) = [one for one in Run.open(run).verdicts() if isinstance(one, JudgeFailure)]
        assert '"No."' in failure.raw
        kept = [one for one in Run.open(run).verdicts() if isinstance(one, Verdicts)]
        server.script, before = plainly, len(server.bodies)
        code, out, err = ragvet(monkeypatch, capsys, "judge", run, "--retry-failed", "--json")
        assert (code, folder_of(out)) == (0, run), err
        assert len(server.bodies) - before == 3
    counts = Run.open(run).manifest.counts
    assert (counts.judged, counts.judge_failed) == (3, 0)
    assert [one for one in Run.open(run).verdicts() if one.case_id != "1"] == kept


def test_failures_are_not_retried_by_another_judge(project, monkeypatch, capsys):
    with serving() as server:
        project(server)
        ragvet(monkeypatch, capsys, "run")
        project(server, "temperature = 0.5")
        code, _, err = ragvet(monkeypatch, capsys, "judge", "latest", "--retry-failed")
    assert (code, "two judges must not stand in one run" in err) == (2, True)


def test_an_estimate_sends_nothing_and_leaves_out_what_is_kept(project, monkeypatch, capsys):
    with serving() as server:
        project(server)
        code, out, err = ragvet(monkeypatch, capsys, "run", "--estimate", "--json")
        assert code == 0, err
        assert server.bodies == []
        estimate = json.loads(out)
        # three requests for each of two answers, one for the refusal: whether the context held the reference
        assert (estimate["requests"], estimate["stored"], estimate["decided_by_rule"]) == (7, 0, 0)
        assert estimate["cost"] > 0
        ragvet(monkeypatch, capsys, "run")
        before = len(server.bodies)
        _, out, _ = ragvet(monkeypatch, capsys, "judge", "latest", "--estimate", "--json")
        estimate = json.loads(out)
        assert (estimate["requests"], estimate["stored"], estimate["cost"]) == (0, 7, 0)
        _, out, _ = ragvet(monkeypatch, capsys, "judge", "latest", "--estimate", "--fresh")
        assert "requests: 7" in out
        assert len(server.bodies) == before


def test_an_estimate_of_answers_not_given_yet_goes_by_the_golden_set_and_says_so(
    project, monkeypatch, capsys, tmp_path
):
    refusal = {**CASES[0], "id": "no", "expected_behaviour": "refuse", "reference_answer": None}
    untold = {**CASES[0], "id": "untold", "reference_answer": None}
    (tmp_path / "golden.json").write_text(json.dumps([*CASES, refusal, untold]), encoding="utf-8")
    with serving() as server:
        project(server)
        text = (tmp_path / "ragvet.toml").read_text(encoding="utf-8")
        live = text.replace('recorded = "traces.jsonl"', 'python = "nowhere:answer"\nrepeat = 2')
        (tmp_path / "ragvet.toml").write_text(live, encoding="utf-8")
        code, out, err = ragvet(monkeypatch, capsys, "run", "--estimate", "--json")
        assert code == 0, err
        estimate = json.loads(out)
        # three requests for each of three answers given twice, none for a refusal
        assert (estimate["answers"], estimate["requests"], estimate["decided_by_rule"]) == (8, 18, 2)
        assert estimate["unknown"] == 2
        _, out, _ = ragvet(monkeypatch, capsys, "run", "--estimate")
        assert "unknown: 2" in out
        assert "assumed: each answer says its reference answer" in out
    assert server.bodies == []


def test_an_unknown_price_is_called_unknown(project, monkeypatch, capsys, tmp_path):
    with serving() as server:
        project(server)
    text = (tmp_path / "ragvet.toml").read_text(encoding="utf-8")
    (tmp_path / "ragvet.toml").write_text(text.replace("price = ", "# price = "), encoding="utf-8")
    code, out, _ = ragvet(monkeypatch, capsys, "run", "--estimate")
    assert (code, "cost: unknown" in out) == (0, True)


def test_a_budget_stops_cleanly_and_says_how_to_go_on(project, monkeypatch, capsys):
    with serving() as server:
        project(server, "max_output_tokens = 100")
        code, _, err = ragvet(monkeypatch, capsys, "run", "--budget", "0.0001")
        assert (code, "the budget of $0.0001 is reached" in err) == (2, True)
        code, _, err = ragvet(monkeypatch, capsys, "run", "--resume", "latest", "--budget", "5")
        assert code == 0, err


def test_a_probe_says_what_works_and_what_was_refused(project, monkeypatch, capsys):
    def script(body, number):
        refused = body.get("response_format", {}).get("type") == "json_schema"
        return Say(status=500, body="no grammar") if refused else plainly(body, number)

    with serving(script) as server:
        project(server)
        code, out, _ = ragvet(monkeypatch, capsys, "judge", "--probe")
    assert code == 0
    assert "mode: json_object_schema" in out
    assert "no grammar" in out
    assert len(server.bodies) == 2


def test_attacks_that_hold_exit_with_0_and_attacks_that_move_the_judge_with_1(project, monkeypatch, capsys):
    def obliging(body, number):
        if "The key of this request" not in body["messages"][1]["content"]:
            return plainly(body, number)
        asked = Asked.read(body)
        reply = honest(asked)
        quote = "Customers may return a product within 30 days of delivery"
        for row in reply.get("statements", ()):
            row["evidence"] = [
                {"passage": "p1", "quote": quote, "verdict": "supported", "missing_qualification": False}
            ]
        return Say(json.dumps(reply))

    with serving() as server:
        project(server)
        code, out, _ = ragvet(monkeypatch, capsys, "judge", "--attack", "--json")
        assert (code, json.loads(out)["moved"]) == (0, 0)
        server.script = obliging
        code, out, err = ragvet(monkeypatch, capsys, "judge", "--attack", "--fresh")
    assert code == 1
    assert "moved (answer, plain instruction, raise)" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("judge",), "not one thing to do"),
        (("judge", "latest", "--probe"), "not one thing to do"),
        (("judge", "--probe", "--attack"), "not one thing to do"),
        (("judge", "--probe", "--config", "nowhere.toml"), "nowhere.toml"),
        (("judge", "--attack", "--budget", "-1"), "budget"),
        (("judge", "--attack", "--budget", "nan"), "budget"),
        (("run", "--budget", "inf"), "budget"),
    ],
)
def test_what_cannot_be_done_is_said_and_exits_with_2(project, monkeypatch, capsys, arguments, message):
    with serving() as server:
        project(server)
        code, _, err = ragvet(monkeypatch, capsys, *arguments)
    assert code == 2
    assert message in err


def test_a_probe_needs_a_model(project, monkeypatch, capsys, tmp_path):
    with serving() as server:
        project(server)
    text = (tmp_path / "ragvet.toml").read_text(encoding="utf-8")
    (tmp_path / "ragvet.toml").write_text(text.split("[judge]")[0], encoding="utf-8")
    code, _, err = ragvet(monkeypatch, capsys, "judge", "--probe")
    assert code == 2
    assert "a judge of kind 'offline'" in err
