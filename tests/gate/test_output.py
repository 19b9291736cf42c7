import io
import json
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console
from tests.gate.make import MadeRun, policy, rule

from ragvet.gate import CaseResult, decide, print_decision, to_junit

MANY = {f"case-{number:02d}": 0.1 for number in range(12)} | {"fine": 1}


def printed(decision, *, width=80, every_step=False):
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False)
    print_decision(decision, console, every_step=every_step)
    return out.getvalue()


@pytest.fixture
def failing():
    return decide(policy(rule(), rule(stratum="every category", min=0.0)), MadeRun({"faithfulness": MANY}))


def test_the_outcome_the_numbers_and_the_worst_cases_are_readable_without_colour(failing):
    text = printed(failing)
    assert text.startswith("Gate FAIL")
    assert "faithfulness ≥ 0.8  all" in text
    assert "case-00 (0.1)" in text
    assert "and 7 more" in text
    assert "agreed by Dana on 2026-03-01" in text
    assert "PASS       faithfulness ≥ 0  category=one" in text
    assert text.rstrip().endswith("2 checks: 1 failed, 1 passed. Exit code 1.")
    assert "\x1b" not in text


def test_a_case_with_a_failed_repeat_is_named_with_the_failure_and_not_with_a_good_value():
    decision = decide(policy(critical=[rule(min=1.0)]), MadeRun({"faithfulness": {"k0": [1, "failed"]}}))
    assert "k0 (failed: TargetTimeout: no answer, in some of its repeats)" in " ".join(printed(decision).split())


@pytest.mark.parametrize("every_step", [False, True])
def test_no_line_is_wider_than_the_terminal(failing, every_step):
    assert max(map(len, printed(failing, every_step=every_step).splitlines())) <= 80


def test_every_step_defines_a_metric_once_however_many_rules_are_on_it():
    decision = decide(
        policy(rule(min=0.9), rule(min=0.1, stratum="every category")),
        MadeRun({"faithfulness": {"a": 1, "b": 0}}, strata={"a": ["category=one"], "b": ["category=two"]}),
    )
    assert len(decision.rules) == 3
    text = " ".join(printed(decision, every_step=True).split())
    assert [text.count(start) for start in ("Counted:", "It does not catch:")] == [1, 1]
    assert text.count(" eligible: ") == 3
    assert to_junit(decision).count("Counted:") == 3  # there each stands alone


def test_every_step_explains_rules_that_passed_too(failing):
    text = " ".join(printed(failing, every_step=True).split())
    assert text.count("13 cases eligible") == 2
    assert text.count("So: ") == 2


def test_strata_that_passed_are_one_line_with_the_closest():
    values = {"a": 0.9, "b": 0.81}
    strata = {"a": ["category=x"], "b": ["category=y"]}
    text = printed(decide(policy(rule(stratum="every category")), MadeRun({"faithfulness": values}, strata)))
    assert "2 strata" in text
    assert "closest: category=y" in text


def test_markup_control_characters_and_html_in_names_are_shown_and_not_obeyed():
    names = {"[red]x[/red]": 0, "a\x1b[2Jb\nc": 0, "<script>": 0}
    strata = {name: ["category=[bold]"] for name in names}
    decision = decide(policy(rule(stratum="every category")), MadeRun({"faithfulness": names}, strata))
    text = printed(decision)
    assert "[red]x[/red]" in text
    assert "category=[bold]" in text
    assert "a\\x1b[2Jb\\nc" in text
    assert "\x1b" not in text
    tree = ET.fromstring(to_junit(decision))  # noqa: S314 - our own output
    assert "<script>" in tree.find(".//failure").text


def test_junit_counts_failures_and_undecided_rules_and_neither_is_green():
    run = MadeRun({"faithfulness": {"a": 0, "b": 1}, "latency": {"a": 1}})
    rules = (rule(), rule("latency", max=2.0), rule("latency", max=2.0, minimum_n=9))
    suite = ET.fromstring(to_junit(decide(policy(*rules), run))).find("testsuite")  # noqa: S314 - our own output
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
    }
    assert all("It does not catch:" in "".join(test.itertext()) for test in suite.iter("testcase"))
    (failure,) = suite.iter("failure")
    assert "mean 0.5 over 2 cases" in failure.get("message")
    assert "case a: 0" in failure.text.splitlines()


def test_the_json_lists_every_case(failing):
    written = json.loads(failing.model_dump_json())
    assert len(written["rules"][0]["cases"]) == 12
    assert written["outcome"] == "fail"


@pytest.mark.parametrize(
    ("low", "high", "least", "shown"),
    [
        (0.79995, 0.79995, 0.8, "0.79995"),
        (0.7999, 0.8001, 0.8, "0.7999 to 0.8001"),
        (12345.0, 12345.0, None, "12345"),
        (1 / 3, 1 / 3, None, "0.333"),
    ],
)
def test_a_case_reads_so_that_it_stays_on_its_side_of_the_rule(low, high, least, shown):
    case = CaseResult(case_id="a", status="scored", low=low, high=high)
    assert case.shown(SimpleNamespace(min=least, max=None)) == shown
