from __future__ import annotations

import json
import sys

import pytest
from tests.judging.llm.scripted_server import Asked, Say, honest, plainly, serving

from ragvet.cli import main
from ragvet.records import JudgeFailure, Verdicts

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


def test_a_run_is_judged_by_a_model_and_judged_again_for_nothing(project, monkeypatch, capsys, tmp_path):
    with serving() as server:
        project(server)
        code, _, err = ragvet(monkeypatch, capsys, "run", "--json")
        assert code == 0, err
        asked = len(server.bodies)
        code, out, _ = ragvet(monkeypatch, capsys, "judge", "latest", "--json")
        assert len(server.bodies) == asked  # every reply was kept
    result = json.loads(out)
    assert code == 0
    assert (result["answers"], result["judged"], result["failed"], result["left_by_budget"]) == (3, 3, 0, 0)
    lines = (tmp_path / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = [Verdicts.model_validate_json(line) for line in lines]
    assert [one.claim_verdict(claim.id) for one in verdicts for claim in one.claims][:2] == ["supported", "unsupported"]


def test_an_estimate_sends_nothing(project, monkeypatch, capsys):
    with serving() as server:
        project(server)
        ragvet(monkeypatch, capsys, "run")
        before = len(server.bodies)
        code, out, _ = ragvet(monkeypatch, capsys, "judge", "latest", "--estimate")
        assert len(server.bodies) == before
    assert code == 0
    assert "requests: 6" in out  # three for each of the two answers that no rule decides
    assert "decided by rule: 1" in out


def test_a_budget_stops_cleanly_and_says_what_is_left(project, monkeypatch, capsys):
    with serving() as server:
        project(server, "max_output_tokens = 100")
        code, _, err = ragvet(monkeypatch, capsys, "run", "--budget", "0.0001")
        assert (code, "the budget of $0.0001 is reached" in err) == (2, True)
        code, _, err = ragvet(monkeypatch, capsys, "run", "--resume", "latest", "--budget", "5")
        assert code == 0, err
        code, out, _ = ragvet(monkeypatch, capsys, "judge", "latest", "--fresh", "--budget", "0.0001", "--json")
    assert code == 0
    assert json.loads(out)["left_by_budget"] > 0


def test_failures_are_written_with_their_raw_text_and_counted(project, monkeypatch, capsys, tmp_path):
    with serving() as server:
        project(server)
        ragvet(monkeypatch, capsys, "run")
        server.script = lambda body, number: Say("No.")
        code, out, _ = ragvet(monkeypatch, capsys, "judge", "latest", "--fresh", "--json")
    result = json.loads(out)
    assert (code, result["judged"], result["failed"]) == (0, 1, 2)
    first = JudgeFailure.model_validate_json((tmp_path / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert '"No."' in first.raw


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
