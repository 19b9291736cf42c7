"""Which cases are named first: an order anyone can check, made of what is certain."""

from __future__ import annotations

import io
from urllib.parse import unquote

import polars as pl
import pytest
from rich.console import Console
from tests.gate.make import MadeRun, policy, rule
from tests.report.fake_run import FakeRun

from ragvet.gate import decide
from ragvet.metrics import answers, rankings
from ragvet.report import Report, print_summary, to_markdown
from ragvet.report._look_first import look_first

FINE, OPEN = 0.0, (0.0, 1.0)
DECLARED = {name: metric.declaration for name, metric in answers.REGISTRY.items()} | {
    "coverage@5": rankings.REGISTRY["coverage"].declaration
}


def cases_of(scores: pl.DataFrame) -> list[str]:
    return scores["case_id"].unique(maintain_order=True).to_list()


def found(values: dict[str, dict[str, object]], claims: dict[str, int] | None = None):
    """Of made scores (metric → case → value); `claims` are those with a fault, where they were counted."""
    run = MadeRun(values)
    counted = pl.col("case_id").replace_strict(claims or {}, default=None, return_dtype=pl.Float64)
    scores = run.scores().with_columns(numerator=counted)
    return look_first(scores.lazy(), cases_of(scores), DECLARED, supplied_k=5)


FAULTS = {  # metric → a value that is a fault, and what is said of it; the gravest first
    "forbidden_text": (1.0, "repeats forbidden text"),
    "contradicted_share": (1.0, "some claims contradicted by a passage"),
    "reference_contradiction": (1.0, "some claims against the reference answer"),
    "missed_refusal": (1.0, "answered where it should have refused"),
    "wrong_refusal": (1.0, "refused where it should have answered"),
    "cost": ("failed", "the target failed: TargetTimeout: no answer"),
    "unsupported_share": (1.0, "some claims not supported by any passage"),
    "coverage@5": (0.0, "no evidence within the supplied depth"),
}


@pytest.mark.parametrize("metric", FAULTS)
def test_a_fault_outweighs_all_that_come_after_it_together(metric: str):
    lighter = list(FAULTS)[list(FAULTS).index(metric) + 1 :]
    values = {name: {"lighter": FAULTS[name][0]} for name in lighter} | {metric: {"graver": FAULTS[metric][0]}}
    cases, amiss = found(values)
    assert [(case.case_id, case.wrong) for case in cases][:1] == [("graver", (FAULTS[metric][1],))]
    assert [case.wrong for case in cases[1:]] == [tuple(FAULTS[name][1] for name in lighter)][: len(lighter)]
    assert amiss == len(cases)


def test_more_claims_come_first_and_what_is_known_only_in_part_is_not_counted():
    values = {"contradicted_share": {"one": 0.5, "two": 0.5, "some": (0.5, 1.0), "maybe": OPEN, "none": FINE}}
    cases, amiss = found(values, {"one": 1, "two": 2})
    assert [(case.case_id, *case.wrong) for case in cases] == [
        ("two", "2 claims contradicted by a passage"),
        ("one", "1 claim contradicted by a passage"),
        ("some", "some claims contradicted by a passage"),
    ]
    assert amiss == 3


def test_broken_rules_outweigh_the_rest_and_only_the_sure_side_counts():
    run = MadeRun(
        {
            "faithfulness": {"poor": 0.1, "open": OPEN, "good": 1.0, "steered": 1.0},
            "forbidden_text": {"poor": FINE, "open": FINE, "good": 1.0, "steered": FINE},
            "missed_refusal": {"steered": 1.0},
        }
    )
    gate = decide(policy(rule(), critical=[rule("missed_refusal", max=0.0)]), run)
    cases, _ = look_first(run.scores().lazy(), cases_of(run.scores()), DECLARED, supplied_k=5, gate=gate)
    assert [(case.case_id, case.critical, *case.wrong) for case in cases] == [
        ("steered", True, "answered where it should have refused"),
        ("poor", False, "breaks faithfulness ≥ 0.8"),
        ("good", False, "repeats forbidden text"),
    ]


def test_the_worst_repeat_counts_ambiguous_cases_do_not_and_no_more_than_eight_are_named():
    values = {"wrong_refusal": {f"q{number}": [0.0, 1.0] for number in range(11)}}
    agreed = [f"q{number}" for number in range(1, 11)]
    cases, amiss = look_first(MadeRun(values).scores().lazy(), agreed, DECLARED, supplied_k=5)
    assert [case.case_id for case in cases] == [f"q{number}" for number in range(1, 9)]
    assert amiss == 10


def test_a_judge_that_failed_makes_no_case_wrong():
    scores = MadeRun({"faithfulness": {"q": "failed"}}).scores().with_columns(reason=pl.lit("judge"))
    assert look_first(scores.lazy(), ["q"], DECLARED, supplied_k=5) == ((), 0)


def test_the_summary_ends_with_the_cases_and_the_address_of_the_first(report: Report, run: FakeRun, tmp_path):
    out = io.StringIO()
    print_summary(report, Console(file=out, width=100), page=tmp_path / "report.html")
    last = out.getvalue().partition("Cases to look at first\n")[2]
    assert next(line.split()[0] for line in last.splitlines() if line.startswith(" ")) == report.look_first[0].case_id
    address = "".join(last.rpartition(":\n")[2].split("\n"))
    assert address.startswith(str(tmp_path / "report.html#case-"))
    assert unquote(address.partition("#case-")[2]) == report.look_first[0].case_id
    assert {case.case_id for case in report.look_first} <= {case.id for case in run.cases() if not case.ambiguous}
    assert "### Cases to look at first" in to_markdown(report)


def test_of_several_repeats_it_says_in_how_many():
    scores = MadeRun({"wrong_refusal": {"q": 1.0}, "cost": {"q": 1.0}}).scores()
    repeated = pl.concat([scores.with_columns(repeat=pl.lit(n, pl.UInt32)) for n in range(3)])
    once = repeated.with_columns(
        pl.when((pl.col("metric") == "wrong_refusal") & (pl.col("repeat") < 2)).then(0.0).otherwise(end).alias(end)
        for end in ("value", "low", "high")
    )
    ((case,), _) = look_first(once.lazy(), ["q"], DECLARED, supplied_k=5)
    assert case.wrong == ("refused where it should have answered, 1 of 3 times",)
