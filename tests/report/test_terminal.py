from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from rich.markup import escape
from tests.report.fake_run import FakeRun, fake_run
from tests.report.fake_special import failed_item, item_with

from ragvet.report import Report, build, print_summary


def printed(report: Report, width: int, *, every_metric: bool = False, **options: object) -> str:
    out = io.StringIO()
    print_summary(report, Console(file=out, width=width, **options), every_metric=every_metric)
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_it_fits_the_terminal(report: Report, width: int):
    assert max(len(line) for line in printed(report, width).splitlines()) <= min(width, 120)


def test_every_metric_stands_with_all_its_denominators(report: Report):
    text = printed(report, 120)
    for metric in (*report.retrieval, *report.answers):
        overall = metric.overall
        numbers = (overall.eligible, overall.scored, overall.bounded, sum(overall.undefined.values()), overall.failed)
        columns = r"\s+".join(map(str, numbers))
        name = re.escape(metric.declaration.name)
        assert re.search(rf"^ {name} .*\s{columns}\s*$", text, re.MULTILINE)


def test_where_every_metric_is_shown_each_says_what_it_does_not_catch(report: Report):
    assert "What these do not catch" in printed(report, 80)
    words = " ".join(printed(report, 120, every_metric=True).split())
    for metric in (*report.retrieval, *report.answers):
        assert metric.declaration.does_not_catch in words


@pytest.mark.parametrize("width", [80, 120])
def test_failures_say_what_the_target_said(report: Report, width: int):
    assert "no answer within 30 s" in " ".join(printed(report, width).split())


def test_of_a_long_message_the_beginning_is_printed_in_one_line():
    long = failed_item("long", "TargetError", "sources:\n  Extra inputs are not permitted " + "x" * 500)
    text = "".join(printed(build(FakeRun([long])), 120).split())
    assert "sources:Extrainputsarenotpermitted" in text
    assert "x…" in text
    assert "x" * 200 not in text


def test_the_worst_stratum_is_the_first_below_its_metric(report: Report):
    lines = [line.split()[0] for line in printed(report, 80).splitlines() if line.startswith("  ") or "@5" in line]
    worst = report.retrieval[0].strata["category"][0].stratum.removeprefix("category=")
    assert lines[lines.index("coverage@5") + 1] == worst


def test_no_colour_codes_reach_a_pipe_or_a_reader_who_asked_for_none(report: Report, monkeypatch: pytest.MonkeyPatch):
    assert "\x1b" not in printed(report, 80)
    monkeypatch.setenv("NO_COLOR", "1")
    coloured = re.compile(r"\x1b\[[\d;]*3[1-7]")
    assert not coloured.search(printed(report, 80, force_terminal=True))


def test_text_of_users_is_printed_as_it_stands_and_never_read_as_markup():
    hostile = "[bold red]loud[/]"
    report = build(fake_run(copies=1, extra=(item_with(hostile),)))
    text = printed(report, 120)
    assert hostile in text
    assert escape(hostile) not in text


def test_unknown_costs_are_said_to_be_unknown(report: Report):
    assert re.search(r"^ judge\s+judge\s+unknown\s+unknown\s+unknown", printed(report, 80), re.MULTILINE)


def test_rules_that_judge_offline_cost_nothing_and_are_not_called_unknown(report: Report):
    facts = report.run.model_copy(update={"judges": ("offline-0a4f068fc8954f84",)})
    offline = report.model_copy(
        update={"run": facts, "usage": tuple(row for row in report.usage if row.spender == "judge")}
    )
    assert "judged offline, no cost" in printed(offline, 80)
    assert re.search(r"^ judge\s+offline\s+none\s+none\s+none", printed(offline, 80, every_metric=True), re.MULTILINE)


def test_no_name_of_a_metric_is_broken_and_no_stratum_repeats_the_total(report: Report):
    long = report.answers[0].declaration.model_copy(update={"name": "irrelevant_context_sensitivity"})
    total = report.answers[0].overall
    same = total.model_copy(update={"stratum": "category=only"})
    metric = report.answers[0].model_copy(update={"declaration": long, "strata": {"category": (same,)}})
    text = printed(report.model_copy(update={"answers": (metric,)}), 80)
    assert "\n irrelevant_context_sensitivity " in text
    assert "  only " not in text


def test_metrics_that_failed_everywhere_are_one_line(report: Report):
    nothing = {"scored": 0, "bounded": 0, "undefined": {}, "mean": None, "low": None, "high": None}
    lost = tuple(
        metric.model_copy(update={"overall": metric.overall.model_copy(update=nothing | {"failed": 9})})
        for metric in report.answers
    )
    text = printed(report.model_copy(update={"answers": lost}), 80)
    assert f"{len(lost)} metrics without any value" in text
    assert "Answers" not in text


def test_ambiguous_cases_have_their_own_line(report: Report):
    assert "2: access-ambiguous-1, access-ambiguous-2" in printed(report, 80)


def test_a_run_without_cases_prints():
    assert "0 cases" in printed(build(FakeRun([])), 80)


def test_control_characters_of_users_are_spelt_out_and_reach_no_terminal():
    hostile = "\x1b[2J\x07\u202eevil"
    text = printed(build(fake_run(copies=1, extra=(item_with(hostile),))), 120)
    assert not set("\x1b\x07\u202e") & set(text)
    assert r"\x1b[2J\x07\u202eevil" in text


def test_chunks_nobody_can_place_are_counted_in_the_head(report: Report):
    assert "could not be placed" not in printed(report, 120)
    facts = report.run.model_copy(update={"unplaced_chunks": 3})
    words = " ".join(printed(report.model_copy(update={"run": facts}), 120).split())
    assert "3 chunks of gold documents could not be placed: no text or range" in words
