import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from ragvet.cli import app

CASE = {
    "id": "q1",
    "question": "How long is the return period?",
    "category": "returns",
    "expected_behaviour": "answer",
    "reference_passages": [{"doc_id": "terms", "quote": "within 30 days"}],
}


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments, **files):
        for name, text in files.items():
            (tmp_path / name.replace("_", ".")).write_text(text if isinstance(text, str) else json.dumps(text))
        return CliRunner().invoke(app, ["check", *arguments])

    return run


def test_a_sound_golden_set_exits_with_0_and_its_counts(run):
    done = run("golden.json", golden_json={"judgments": "listed", "cases": [CASE]})
    assert done.exit_code == 0
    assert "returns 1" in done.output
    assert "0 errors, 0 warnings." in done.output


def test_errors_exit_with_2_and_warnings_alone_with_0(run):
    assert run("golden.json", golden_json=[CASE]).exit_code == 2
    twice = run("golden.json", "--judgments", "listed", golden_json=[CASE, CASE | {"id": "q2"}])
    assert twice.exit_code == 0
    assert "0 errors, 1 warning." in twice.output


def test_the_scope_is_asked_for_in_words(run):
    done = run("golden.json", golden_json=[CASE])
    assert "judgment scope not declared" in done.output
    assert "exhaustive (whatever is not listed is non-relevant)" in done.output


def test_json_holds_every_finding_and_the_facts(run):
    done = run(
        "golden.json", "--corpus", "corpus.jsonl", "--json", golden_json=[CASE], corpus_jsonl='{"doc_id": "Terms"}'
    )
    found = json.loads(done.output)
    assert (done.exit_code, found["errors"], found["warnings"]) == (2, 2, 0)
    assert found["findings"][1]["problem"]["action"] == "Did you mean 'Terms'?"
    assert found["dataset"]["by_category"] == {"returns": 1}
    assert found["corpus"]["documents"] == 1


def test_many_warnings_of_one_kind_are_cut_and_counted(run):
    cases = [
        {**CASE, "id": f"q{i}", "question": f"{i}?", "reference_passages": [{"doc_id": "terms", "quote": f"word {i}"}]}
        for i in range(14)
    ]
    files = {"golden_json": cases, "corpus_jsonl": '{"doc_id": "terms", "text": "within 30 days"}'}
    done = run("golden.json", "--judgments", "listed", "--corpus", "corpus.jsonl", **files)
    assert "stale annotation (14)" in done.output
    assert "… and 4 more; --json prints them all." in done.output


def test_names_out_of_the_file_cannot_move_the_cursor(run):
    evil = CASE | {"category": "\x1b[2Jx", "labels": {"a\x1b": "b\x1b"}}
    done = run("golden.json", "--judgments", "listed", golden_json=[evil])
    assert "\x1b" not in done.output


def test_markup_in_names_is_printed_as_it_is(run):
    done = run("golden.json", "--judgments", "listed", golden_json=[CASE | {"category": "[bold]<b>x</b>"}])
    assert "[bold]<b>x</b> 1" in done.output


def test_a_missing_file_exits_with_2(run):
    done = run("none.json")
    assert done.exit_code == 2
    assert "found no such file or folder; expected a file" in done.output


PROJECT = {
    "ragvet_toml": '[dataset]\npath = "golden.json"\ncorpus = "corpus.jsonl"\n[target]\npython = "app:answer"\n'
    "[retrieval]\nsupplied_k = 3\ndeep_k = 10\n",
    "golden_json": {"judgments": "listed", "cases": [CASE]},
    "corpus_jsonl": '{"doc_id": "terms", "text": "within 30 days"}',
}
RULE = (
    '[[rule]]\nmetric = "recall@3"\nstratum = "all"\nmin = 0.9\nminimum_n = 1\nallowed_undefined_share = 0.1\n'
    'allowed_failed_share = 0.0\nagreed_by = "am"\nagreed_on = 2026-03-01\nwhy = "because"\n'
)


def test_without_arguments_the_configuration_and_all_it_names_is_checked(run):
    done = run(**PROJECT, policy_toml=RULE)
    assert (done.exit_code, "0 errors, 0 warnings." in done.output) == (0, True)
    assert "documents" in done.output


def test_faults_of_configuration_policy_and_golden_set_are_errors(run):
    broken = run(**PROJECT | {"ragvet_toml": PROJECT["ragvet_toml"] + "deep = 3\n"}, policy_toml=RULE + "mni = 1\n")
    assert broken.exit_code == 2
    assert "2 errors" in broken.output
    evidence = run(**PROJECT | {"corpus_jsonl": '{"doc_id": "other"}'}, policy_toml=RULE)
    assert "unknown document (1)" in evidence.output


@pytest.mark.parametrize("name", ["policy.toml", "gate.toml"])
def test_a_policy_is_checked_alone_whatever_its_name(run, name):
    good = run(name, **{name.replace(".", "_"): RULE})
    assert (good.exit_code, "0 errors" in good.output) == (0, True)
    bad = run(name, **{name.replace(".", "_"): RULE.replace("min = 0.9\n", "")})
    assert (bad.exit_code, "1 error," in bad.output) == (2, True)


def test_a_rule_that_no_run_of_the_configuration_can_answer_is_an_error(run):
    def checked(rule):
        return run(**PROJECT, policy_toml=rule)

    assert checked(RULE.replace('"recall@3"', '"recall@10"')).exit_code == 0
    assert checked(RULE.replace('"recall@3"', '"recall@3[last]"')).exit_code == 0
    assert "no score of 'recall@5'" in checked(RULE.replace('"recall@3"', '"recall@5"')).output
    assert "Did you mean 'category=returns'?" in checked(RULE.replace('"all"', '"category=retuns"')).output
    # no case of the golden set expects a refusal
    assert "no score of 'missed_refusal'" in checked(RULE.replace('"recall@3"', '"missed_refusal"')).output
    assert "Did you mean 'recall@3'?" in checked(RULE.replace('"recall@3"', '"recal@3"')).output


def test_where_nothing_could_be_read_nothing_is_said_to_follow(run):
    assert "what follows" not in run("nofile.yaml").output
    partly = run("golden.json", golden_json={"judgments": "listed", "cases": [CASE, {"id": "q2"}]})
    assert "what follows counts the rest" in partly.output


def test_a_missing_configuration_is_an_error(run):
    done = run()
    assert done.exit_code == 2
    assert "ragvet.toml" in done.output


def test_a_terminal_without_the_characters_shows_their_numbers(tmp_path):
    (tmp_path / "golden.json").write_text(json.dumps({"judgments": "listed", "cases": [CASE | {"category": "退货"}]}))
    done = subprocess.run(
        [sys.executable, "-c", "from ragvet.cli import main; main()", "check", "golden.json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u9000\\u8d27 1" in done.stdout


def test_the_same_problem_in_many_cases_is_one_line_that_names_some_of_them(run):
    cases = [
        {**CASE, "id": f"q{n}", "question": f"{n}?", "reference_passages": [{"doc_id": f"kb/{n}.md"}]}
        for n in range(30)
    ]
    corpus = "\n".join(json.dumps({"doc_id": f"{n}.md", "text": f"text {n}"}) for n in range(30))
    files = {"golden_json": {"judgments": "listed", "cases": cases}, "corpus_jsonl": corpus}
    done = run("golden.json", "--corpus", "corpus.jsonl", **files)
    (line,) = [line for line in done.output.splitlines() if "reference_passages" in line]
    assert line.startswith("  golden.json, q0, q1, q2 and 27 more, reference_passages[0].doc_id: found 'kb/' in front")
    assert "'kb/0.md' is '0.md' there" in line
    assert "--json prints all 30." in done.output
    assert len(json.loads(run("golden.json", "--corpus", "corpus.jsonl", "--json").output)["findings"]) == 30


def test_cases_without_evidence_are_counted_and_named_in_one_line(run):
    answered = {name: CASE[name] for name in ("category", "expected_behaviour")} | {"reference_answer": "Yes."}
    cases = [CASE, *(answered | {"id": f"n{n}", "question": f"{n}?"} for n in range(9))]
    done = run("golden.json", golden_json={"judgments": "listed", "cases": cases})
    assert done.exit_code == 0
    assert "not marked      9 of 10 (90.0 %) to be answered: retrieval is not measured for them" in done.output
    assert "golden.json, n0, n1, n2 and 6 more, reference_passages: found no evidence marked" in done.output


def test_a_rule_on_retrieval_is_refused_where_no_case_has_evidence(run):
    bare = {**CASE, "reference_passages": [], "reference_answer": "30 days."}
    done = run(**PROJECT | {"golden_json": {"judgments": "listed", "cases": [bare]}}, policy_toml=RULE)
    assert done.exit_code == 2
    assert "no score of 'recall@3', while no case here has marked evidence" in done.output
