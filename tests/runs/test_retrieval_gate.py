import json
import re

import pytest
from tests.runs.make import case
from typer.testing import CliRunner

from ragvet.cli import app
from ragvet.errors import InputError

RETRIEVER = """
calls = []

def search(question, k):
    calls.append((question, k))
    if question == "breaks?":
        raise OSError("index gone")
    return {"first?": ["d", "x"], "second?": ["x", "d"], "deep?": ["x", "y", "d"][:k]}.get(question, [])

def prose(question, k):
    return "I found it."


def chunks(question, k):
    return [{"chunk_id": "d#1", "doc_id": "d"}, {"chunk_id": "d#2", "doc_id": "d", "text": "within 30 days"}][:k]


def bare(question, k):
    return ["d#1", "d#2"]


def chatty(question, k):
    print("Searching ...")
    return ["d"]
"""


@pytest.fixture
def gate(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = f"shop_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{module}.py").write_text(RETRIEVER)

    def gate(*cases, k=2, coverage=0.5, mrr=0.5, function="search", declared=None, arguments=()):
        text = json.dumps(list(cases) if declared is None else {"judgments": declared, "cases": list(cases)})
        (tmp_path / "golden.json").write_text(text)
        words = ["retrieval-gate", "golden.json", "--retriever", f"{module}:{function}", "--k", str(k)]
        words += ["--min-coverage", str(coverage), "--min-mrr", str(mrr), *arguments]
        return CliRunner().invoke(app, words, catch_exceptions=False)

    gate.module = module
    return gate


def numbers(result):
    return numbers_of(json.loads(result.stdout))


def numbers_of(found):
    return {(row["stratum"], row["metric"]): (row["low"], row["high"]) for row in found["results"]}


def test_it_passes_where_every_category_and_all_reach_both_thresholds(gate):
    result = gate(case("first", "d"), case("second", "d", category="b"))
    assert result.exit_code == 0, result.output
    lines = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines() if line[:1] in {"a", "b"}}
    assert lines["a"][:6] == ["1", "0", "0", "1.000", "1.000", "1.000"]
    assert lines["b"][:6] == ["1", "0", "0", "1.000", "0.500", "1.000"]  # x may be relevant: nobody judged it
    assert lines["all"][:6] == ["2", "0", "0", "1.000", "0.750", "1.000"]
    assert "first annotated passage" in result.stdout


@pytest.mark.parametrize("least", ["nan", "-0.1", "90"])
def test_a_threshold_no_score_can_have_is_refused(gate, least):
    with pytest.raises(InputError) as caught:
        gate(case("first", "d"), coverage=least, mrr=least)
    assert [problem.source for problem in caught.value.problems] == ["--min-coverage", "--min-mrr"]


@pytest.mark.parametrize(
    ("least", "action"), [("90", "Write 0.9 for 90 %."), ("-1", "Correct it."), ("900", "Correct it.")]
)
def test_only_what_looks_like_a_percentage_is_taken_for_one(gate, least, action):
    with pytest.raises(InputError) as caught:
        gate(case("first", "d"), coverage=least)
    assert [problem.action for problem in caught.value.problems] == [action]


def test_a_case_that_failed_says_why(gate):
    shown = gate(case("first", "d"), case("breaks", "d"), coverage=0.6)
    assert re.search(r"breaks: TargetError: .*OSError: index gone", " ".join(shown.stdout.split()))
    failures = json.loads(gate(case("breaks", "d"), arguments=["--json"]).stdout)["failures"]
    assert "index gone" in failures["breaks"]


def test_the_ranking_metric_has_one_name(gate):
    shown = gate(case("second", "d"), coverage=1.0, mrr=1.0).stdout
    assert set(re.findall(r"M?RR[@\w]*", shown)) == {"MRR@2"}


def test_what_the_retriever_prints_is_kept_out_of_the_result(gate):
    result = gate(case("first", "d"), function="chatty", arguments=["--json"])
    assert json.loads(result.stdout)["passed"]
    assert "Searching" in result.stderr


def test_what_a_system_prints_is_kept_out_of_the_result_of_a_run(gate, tmp_path):
    gate(case("first", "d"))
    (tmp_path / "ragvet.toml").write_text(
        f'dataset = {{path = "golden.json", judgments = "listed"}}\ntarget = {{python = "{gate.module}:chatty"}}\n'
        'retrieval = {supplied_k = 1, deep_k = 2}\njudge = {kind = "none"}\n'
    )
    result = CliRunner().invoke(app, ["run", "--json"], catch_exceptions=False)
    assert json.loads(result.stdout)["manifest"]["status"] == "finished"
    assert "Searching" in result.stderr


def test_one_category_below_fails_all_of_it_and_is_marked(gate):
    result = gate(case("first", "d"), case("second", "d"), case("deep", "d", category="b"), coverage=0.6)
    assert result.exit_code == 1
    marked = [line for line in result.stdout.splitlines() if "below" in line]
    assert [line.split()[0] for line in marked] == ["b"]
    assert "deep" in result.stdout.split("Cases to look at:")[1]


def test_the_lower_bound_is_held_against_the_threshold(gate):
    result = gate(case("second", "d"), mrr=0.7, arguments=["--json"])
    assert result.exit_code == 1
    assert numbers(result)["all", "RR@2"] == (0.5, 1.0)
    assert gate(case("second", "d"), mrr=0.5).exit_code == 0


def test_complete_judgments_leave_no_interval(gate):
    result = gate(case("second", "d"), declared="exhaustive", arguments=["--json"])
    assert numbers(result)["all", "RR@2"] == (0.5, 0.5)


def test_a_case_that_failed_counts_at_its_worst(gate):
    result = gate(case("first", "d"), case("breaks", "d"), coverage=0.6, arguments=["--json"])
    assert result.exit_code == 1
    assert numbers(result)["all", "coverage@2"] == (0.5, 1.0)
    assert gate(case("breaks", "d"), coverage=0.01, mrr=0.01).exit_code == 1  # none has a value: not a pass


def test_only_cases_to_be_answered_are_asked_once_each(gate):
    import importlib

    gate(case("first", "d"), case("second", "d"), case("refused", behaviour="refuse"))
    asked = importlib.import_module(gate.module).calls
    assert sorted(asked) == [("first?", 2), ("second?", 2)]


def test_prose_instead_of_ids_fails_the_case(gate):
    result = gate(case("first", "d"), function="prose")
    assert result.exit_code == 1
    assert "TargetReplyInvalid" in result.stdout


def test_both_thresholds_are_required_and_a_case_to_retrieve_for(gate, tmp_path):
    (tmp_path / "golden.json").write_text(json.dumps([case("first", "d")]))
    words = ["retrieval-gate", "golden.json", "--retriever", f"{gate.module}:search", "--k", "2", "--min-mrr", "0.5"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "--min-coverage" in result.output
    with pytest.raises(InputError, match="at least one"):
        gate(case("refused", behaviour="refuse"))


QUOTED = {"doc_id": "d", "quote": "within 30 days"}


def test_coverage_nobody_can_tell_is_shown_as_a_range_with_what_to_do(gate):
    shown = gate(case("first", QUOTED), k=1, function="chunks")  # d#1 may carry the quote, or not
    assert shown.exit_code == 1
    row = next(line.split() for line in shown.stdout.splitlines() if line.startswith("all"))
    assert row[:5] == ["all", "1", "0", "0", "0.000–1.000"]
    said = "1 chunk states neither text nor place; pass --corpus, or return doc_id and text"
    assert said in shown.stderr
    found = json.loads(gate(case("first", QUOTED), k=1, function="chunks", arguments=["--json"]).stdout)
    assert (found["unplaced"], found["warnings"]) == (1, [said])
    assert (found["results"][0]["low"], found["results"][0]["high"]) == (0.0, 1.0)
    assert "below 0.5" in found["results"][0]["reason"]


def test_a_chunk_that_states_its_text_leaves_coverage_certain(gate):
    found = json.loads(gate(case("first", QUOTED), function="chunks", arguments=["--json"]).stdout)
    assert numbers_of(found)["all", "coverage@2"] == (1.0, 1.0)
    assert [row["reason"] for row in found["results"] if row["metric"] == "coverage@2"] == [None, None]


def chunked(name, *passages, **fields):
    return case(name, *({"doc_id": f"p{n}", "chunk_ids": ids} for n, ids in enumerate(passages)), **fields)


def test_half_of_the_annotated_chunks_are_half_of_the_coverage(gate):
    shown = gate(chunked("first", ["d", "e"]), k=1, coverage=0.9)
    assert shown.exit_code == 1
    row = next(line.split() for line in shown.stdout.splitlines() if line.startswith("all"))
    assert row[:6] == ["all", "1", "0", "0", "0.500", "1.000"]
    assert "chunk coverage@1" in shown.stdout
    assert "of a run is" not in shown.stdout  # one passage: the same number


def test_coverage_by_chunks_says_where_the_one_by_passages_differs(gate):
    # d is found: one of four ids; of the passages d all and e, f, g none
    found = gate(chunked("first", ["d"], ["e", "f", "g"]), k=1, coverage=0.2)
    assert found.exit_code == 0, found.output
    assert "coverage@1 of a run is 0.500 in all: the mean over passages" in " ".join(found.stdout.split())
    assert "chunk coverage@1 counts chunk ids, 0.250" in " ".join(found.stdout.split())
    # an id that two passages list counts twice
    twice = gate(chunked("first", ["d"], ["d", "e"]), k=1, coverage=0.2, arguments=["--json"])
    assert numbers(twice)["all", "chunk_coverage@1"] == pytest.approx((2 / 3, 2 / 3))


def test_a_category_of_ambiguous_cases_only_is_named_and_no_pass(gate):
    doubtful = {"reviewers": ["a", "b"], "agreed": False}
    shown = gate(case("first", "d"), case("second", "d", category="b", adjudication=doubtful))
    assert shown.exit_code == 3
    assert "every case of b is ambiguous: nothing of it is measured" in shown.stderr


def test_a_category_called_all_is_not_taken_for_all_cases(gate):
    shown = gate(case("first", "d", category="all"), case("second", "d", category="b"))
    assert [
        line.split()[0] for line in shown.stdout.splitlines() if "all" in line.split()[:1][0:1] or "=all" in line
    ] == [
        "category=all",
        "all",
    ]


def test_ids_of_which_the_golden_set_knows_none_are_warned_of(gate):
    shown = gate(case("first", QUOTED), function="bare")
    assert "no returned id is a doc_id or chunk_id of the golden set: 'd#1' was returned" in shown.stderr
    assert "no returned id" not in gate(case("first", {"doc_id": "d", "chunk_ids": ["d#2"]}), function="bare").stderr
    assert "no returned id" not in gate(case("first", QUOTED), function="chunks").stderr


def test_stale_annotations_are_nothing_to_measure_and_undecided(gate, tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"doc_id": "d", "text": "within 14 days"}\n{"doc_id": "x", "text": "x"}\n')
    arguments = ["--corpus", "corpus.jsonl"]
    shown = gate(case("first", QUOTED), case("second", "d", category="b"), arguments=arguments)
    assert shown.exit_code == 3, shown.output
    assert "nothing to measure: every annotation" in shown.stdout
    assert "below" not in shown.stdout
    failed = gate(case("first", QUOTED), case("second", "d", category="b"), mrr=0.9, arguments=arguments)
    assert failed.exit_code == 1  # one category is below: that decides
    found = json.loads(gate(case("first", QUOTED), arguments=[*arguments, "--json"]).stdout)
    assert not found["passed"]
    assert {row["reason"] for row in found["results"]} == {"nothing to measure: every annotation of the case is stale"}


def test_a_stratum_that_is_stale_in_part_says_how_many_cases_it_is_not_over(gate, tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"doc_id": "d", "text": "within 14 days"}\n{"doc_id": "x", "text": "x"}\n')
    cases = case("first", QUOTED), case("second", "d")
    shown = gate(*cases, arguments=["--corpus", "corpus.jsonl"])
    row = next(line.split() for line in shown.stdout.splitlines() if line.startswith("all"))
    assert row[:6] == ["all", "2", "0", "1", "1.000", "0.500"]  # over "second" alone
    assert "Undefined cases are left out: every annotation of the case is stale." in shown.stdout
    found = json.loads(gate(*cases, arguments=["--corpus", "corpus.jsonl", "--json"]).stdout)
    assert found["results"][0]["undefined"] == {"every annotation of the case is stale": 1}


def test_what_the_two_metrics_do_not_catch_stands_beneath_them(gate):
    words = {"coverage@2": "Evidence nobody annotated", "RR@2": "Everything after the first"}
    shown = gate(case("first", "d")).stdout
    assert "\ncoverage@2 does not catch: Evidence nobody annotated" in shown
    assert "\nMRR@2 does not catch: Everything after the first" in shown
    found = json.loads(gate(case("first", "d"), arguments=["--json"]).stdout)["does_not_catch"]
    assert all(found[metric].startswith(said) for metric, said in words.items())


def test_cases_without_marked_evidence_are_told_and_decide_nothing(gate):
    bare = case("bare", category="b", reference_answer="d")
    shown = gate(case("first", "d"), bare, declared="listed")
    assert shown.exit_code == 3, shown.output
    assert "1 of 2 cases have no marked evidence" in shown.stderr
    with pytest.raises(InputError, match="no evidence marked in any of 1 case"):
        gate(bare, declared="listed")
