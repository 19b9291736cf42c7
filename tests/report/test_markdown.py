from __future__ import annotations

import pytest
from markdown_it import MarkdownIt
from tests.report.fake_run import FakeRun, fake_run
from tests.report.fake_special import item_with

from ragvet.report import Report, build, to_markdown
from ragvet.report._families import headlines

HOSTILE = "<img src=x onerror=alert(1)> | **bold** [link](http://x.test) @someone `code`\n\n# heading <!-- x -->"


def rendered(text: str) -> str:
    return MarkdownIt("gfm-like", {"linkify": False}).render(text)


def test_it_renders_as_tables_with_the_strata_of_headline_metrics_folded(report: Report):
    html = rendered(to_markdown(report))
    shown = [*headlines(report.retrieval)[:6], *headlines(report.answers)[:6]]
    assert html.count("<details>") == html.count("</details>") == len(shown) + 1
    assert "|" not in html


def test_strata_of_metrics_that_are_no_headline_are_counted_not_listed():
    report = build(fake_run(copies=1))
    known = report.answers[0]
    rare = [
        known.model_copy(update={"declaration": known.declaration.model_copy(update={"name": f"rare_{number}"})})
        for number in range(2)
    ]
    text = to_markdown(report.model_copy(update={"answers": (*report.answers, *rare)}))
    halves = (report.retrieval, (*report.answers, *rare))
    hidden = sum(len(half) - len(headlines(half)[:6]) for half in halves)
    assert hidden >= 2
    assert f"The strata of {hidden} other metrics are in the HTML report." in text
    assert "rare\\_0 by stratum" not in text
    assert "| rare\\_0 |" in text


def test_failures_say_what_the_target_said(report: Report):
    (row,) = [line for line in to_markdown(report).splitlines() if "TargetTimeout" in line and "| target |" in line]
    assert row.endswith("| no answer within 30 s |")


def test_every_metric_stands_with_its_counts_and_what_it_does_not_catch(report: Report):
    lines = to_markdown(report).splitlines()
    for metric in report.retrieval:
        overall = metric.overall
        row = next(line for line in lines if line.startswith(f"| {metric.declaration.name} |"))
        assert f"| {overall.eligible} | {overall.scored} | {overall.bounded} |" in row
        assert metric.declaration.does_not_catch in row


@pytest.mark.parametrize("limit", [2_000, 8_000, 60_000])
def test_it_stays_below_the_limit_and_says_what_was_left_out(report: Report, limit: int):
    text = to_markdown(report, limit=limit)
    assert len(text.encode()) <= limit
    assert ("Left out" in text) == (len(to_markdown(report).encode()) > limit - 600)


def test_text_of_users_cannot_become_markup():
    html = rendered(to_markdown(build(fake_run(copies=1, extra=(item_with(HOSTILE),)))))
    assert "<img" not in html
    assert "<strong>bold" not in html
    assert 'href="http://x.test"' not in html
    assert "<h1>heading" not in html
    assert "<!-- x" not in html
    assert " @someone" not in to_markdown(build(fake_run(copies=1, extra=(item_with(HOSTILE),))))


def test_a_table_row_stays_one_line_whatever_an_id_holds():
    text = to_markdown(build(fake_run(copies=1, extra=(item_with(HOSTILE, case_id="a | b\nc"),))))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in rows)


def test_a_run_without_cases_renders():
    assert "0 cases" in to_markdown(build(FakeRun([])))
