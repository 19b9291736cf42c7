"""The page in a real browser: what it draws, what the keyboard does, and that nothing hostile runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import polars as pl
import pytest
from tests.gate.make import score_rows
from tests.report.browser import Browser
from tests.report.fake_run import FakeRun, fake_run
from tests.report.fake_special import item_with
from tests.report.test_html import PAYLOADS

from ragvet.metrics.answers import REGISTRY
from ragvet.report import Report

DRAWN = "document.querySelector('.case h1') !== null"


def case_id(browser: Browser) -> str:
    return browser.run("document.querySelector('.case-nav .mono').textContent")


def listed(browser: Browser) -> list[str]:
    return browser.run("[...document.querySelectorAll('.list .q')].map((row) => row.parentElement.parentElement.hash)")


def test_the_summary_draws_without_an_error_and_without_asking_the_network(browser: Browser, page: Path):
    browser.open(page)
    assert browser.run("document.querySelectorAll('.metrics .metric').length") > 10
    assert browser.requests == [page.as_uri()]
    assert browser.console == []


def test_strata_unfold_below_their_metric(browser: Browser, page: Path):
    browser.open(page)
    shown = "[...document.querySelectorAll('.metrics tbody .stratum')].filter((row) => row.offsetHeight > 0).length"
    assert browser.run(shown) == 0
    browser.run("document.querySelector('.disclose').click()")
    assert browser.run(shown) > 4
    assert browser.run("document.querySelector('.disclose').getAttribute('aria-expanded')") == "true"


def test_strata_sort_by_any_metric_and_the_whole_stays_on_top(browser: Browser, page: Path):
    browser.open(page)
    browser.run("document.querySelectorAll('.matrix .sort')[2].click()")
    worst = browser.run(
        "[...document.querySelector('.matrix').tBodies[0].rows].map((row) => row.cells[3].dataset.worst)"
    )
    assert worst[1:] == sorted(worst[1:], key=float)
    assert browser.run("document.querySelector('.matrix').tBodies[0].rows[0].cells[0].textContent") == "all"


def test_a_number_leads_to_the_cases_behind_it(browser: Browser, page: Path, run: FakeRun, report: Report):
    browser.open(page)
    browser.run("[...document.querySelectorAll('.metrics a.count')].at(-1).click()")
    browser.wait("document.querySelector('.list') !== null")
    overall = report.retrieval[0].overall
    browser.go(
        "#cases?metric=coverage%405&status=failed",
        f"document.querySelector('.found').textContent.startsWith('{overall.failed} of')",
    )
    assert len(listed(browser)) == overall.failed
    browser.go(
        "#cases?metric=coverage%405",
        f"document.querySelector('.found').textContent.startsWith('{overall.eligible} of')",
    )
    browser.go("#cases?stratum=language%3Dar", "document.querySelector('.found').textContent.startsWith('3 of')")
    assert all("-ar-" in link for link in listed(browser))


def test_a_metric_sorts_its_cases_worst_first(browser: Browser, page: Path):
    browser.open(page, "#cases?metric=coverage%4020")
    values = browser.run("[...document.querySelectorAll('.list .value')].map((cell) => cell.textContent)")
    numbers = [float(value) for value in values if value[0].isdigit()]
    assert numbers == sorted(numbers)


def test_a_deep_link_opens_its_case(browser: Browser, page: Path):
    browser.open(page, "#case-" + quote("html <b>in</b> id", safe=""))
    assert case_id(browser) == "html <b>in</b> id"
    browser.go("#case-%E0%A4%A", "document.querySelector('.case .empty') !== null")
    browser.go("#case-no-such-case", "document.querySelector('.case .empty') !== null")


def test_the_case_page_shows_the_whole_path_of_the_evidence(browser: Browser, page: Path):
    browser.open(page, "#case-access-multi-call")
    titles = browser.run("[...document.querySelectorAll('.case h2')].map((title) => title.firstChild.textContent)")
    assert titles == [
        *("Answer", "Required claims", "Reference answer", "Gold passages", "Ranked list", "Supplied context"),
        *("Citations", "Scores", "Circumstances"),
    ]
    text = browser.run("document.querySelector('.case').innerText")
    for piece in ("We are being audited next week.", "supported", "the supplied depth ends here: 5", "auditors"):
        assert piece in text
    assert browser.run("document.querySelectorAll('.ranked > li').length") > 20


def test_a_passage_opens_from_its_citation_with_the_quote_marked(browser: Browser, page: Path):
    browser.open(page, "#case-access-en-04a")
    browser.run("document.querySelector('.answer .cite').click()")
    browser.wait("document.querySelector('.ranked details[open] mark') !== null")
    marked = browser.run(
        "[...document.querySelectorAll('.ranked details[open] mark')].map((mark) => mark.textContent).join('')"
    )
    assert "Contractors on other domains must be invited as guests" in marked


def test_claims_and_markers_are_cut_where_python_counts_characters(
    browser: Browser, tmp_path: Path, html_of: Callable[..., str]
):
    text = "🙂🙂 naïve 👩‍👩‍👧 café 𝒳 [1] end"
    start, end = text.index("naïve"), text.index(" [1]")
    item = item_with(text, everywhere=False)
    verdicts, trace = item.judged[0], item.traces[0]
    claim = verdicts.claims[0].model_copy(update={"start": start, "end": end})
    citation = trace.answer.citations[0].model_copy(update={"start": start, "end": end, "marker": "[1]"})
    answer = trace.answer.model_copy(update={"citations": (citation,)})
    shown = type(item)(
        item.case,
        (trace.model_copy(update={"answer": answer}),),
        (verdicts.model_copy(update={"claims": (claim,)}),),
    )
    path = tmp_path / "emoji.html"
    path.write_text(html_of(FakeRun([shown])), encoding="utf-8")
    browser.open(path, "#case-hostile")
    assert browser.run("document.querySelector('.claim-mark').firstChild.textContent") == text[start:end]
    assert browser.run("document.querySelector('.answer .cite').textContent") == "[1]"
    assert browser.run("document.querySelector('.answer').textContent").replace("✓1", "") == text


def test_verdicts_differ_in_word_sign_and_line_and_not_only_in_colour(browser: Browser, page: Path):
    seen = {}
    for case in ("access-en-03a", "access-en-04a", "billing-en-00a"):
        browser.open(page, f"#case-{case}")
        told = "[mark.title.split(': ')[1], mark.lastChild.textContent[0], getComputedStyle(mark).textDecorationStyle]"
        for mark in browser.run(f"[...document.querySelectorAll('.claim-mark')].map((mark) => {told})"):
            seen[mark[0]] = tuple(mark[1:])
    assert set(seen) >= {"supported", "contradicted", "unsupported", "undecided"}
    assert len({sign for sign, _ in seen.values()}) == len(seen)
    assert len({line for _, line in seen.values()}) == len(seen)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_is_shown_and_never_run(
    browser: Browser, tmp_path: Path, html_of: Callable[..., str], payload: str
):
    path = tmp_path / "hostile.html"
    path.write_text(html_of(FakeRun([item_with(payload)])), encoding="utf-8")
    browser.open(path, "#case-hostile")
    browser.run(
        "document.querySelectorAll('.ranked details, .case details').forEach((details) => { details.open = true; })"
    )
    browser.wait("document.querySelector('.ranked .passage .text') !== null")
    assert browser.run("document.title") == "hostile · ragvet"
    assert browser.run("document.querySelector('.case h1').textContent") == payload
    assert browser.run("document.querySelectorAll('.case img, .case svg, .case script, .case b img').length") == 0
    assert browser.console == []
    assert {address.partition("#")[0] for address in browser.requests} == {path.as_uri()}


def test_the_policy_would_stop_a_script_that_did_get_in(browser: Browser, page: Path):
    browser.open(page)
    browser.run("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=`owned`\">')")
    browser.run("globalThis.made = document.createElement('script'); made.textContent = 'document.title = `owned`'")
    browser.run("document.body.append(made)")
    browser.run("new Promise((done) => setTimeout(done, 50))")
    assert browser.run("document.title") != "owned"


def test_the_keyboard_walks_through_cases_and_finds_them(browser: Browser, page: Path, run: FakeRun):
    browser.open(page, f"#case-{run.items[0].case.id}")
    browser.press("j")
    browser.wait(f"document.title.startsWith({json.dumps(run.items[1].case.id)})")
    browser.press("k")
    browser.wait(f"document.title.startsWith({json.dumps(run.items[0].case.id)})")
    browser.press("/")
    browser.wait("document.activeElement.id === 'filter'")
    for key in "quota":
        browser.press(key)
    browser.wait("document.querySelector('.found').textContent.startsWith('3 of')")


@pytest.mark.parametrize("width", [1280, 360])
def test_a_word_without_end_makes_nothing_wider_than_the_window(
    browser: Browser, html_of: Callable[..., str], tmp_path: Path, width: int
):
    path = tmp_path / "long.html"
    path.write_text(html_of(FakeRun([item_with("W" * 400)])), encoding="utf-8")
    for place in ("", "#case-hostile"):
        browser.open(path, place, width=width)
        assert browser.run("document.documentElement.scrollWidth") <= width


def test_right_to_left_text_runs_from_the_right(browser: Browser, page: Path):
    browser.open(page, "#case-retention-ar-12a")
    assert browser.run("getComputedStyle(document.querySelector('.case h1')).direction") == "rtl"
    assert browser.run("getComputedStyle(document.querySelector('.answer')).direction") == "rtl"
    assert browser.run("getComputedStyle(document.querySelector('.case h2')).direction") == "ltr"


@pytest.mark.parametrize("place", ["", "#cases", "#case-access-multi-call", "#case-huge-answer"])
def test_nothing_sticks_out_at_phone_width(browser: Browser, page: Path, place: str):
    browser.open(page, place, width=360)
    assert browser.run("document.documentElement.scrollWidth") <= 360


def test_dark_and_light_follow_the_system_and_the_button(browser: Browser, page: Path):
    colour = "getComputedStyle(document.body).backgroundColor"
    browser.open(page, dark=True)
    dark = browser.run(colour)
    browser.open(page)
    light = browser.run(colour)
    assert dark != light
    browser.run("document.getElementById('theme').click()")
    assert browser.run(colour) == dark
    browser.run("document.getElementById('theme').click()")
    assert browser.run(colour) == light


def test_repeats_are_shown_one_at_a_time(browser: Browser, tmp_path: Path, html_of: Callable[..., str]):
    item = fake_run(copies=1).items[0]
    traces = tuple(item.traces[0].model_copy(update={"repeat": repeat, "latency": repeat + 1.0}) for repeat in range(3))
    judged = tuple(
        item.judged[0].model_copy(update={"repeat": repeat}) if item.judged[0] else None for repeat in range(3)
    )
    path = tmp_path / "repeats.html"
    path.write_text(html_of(FakeRun([type(item)(item.case, traces, judged)], repeat=3)), encoding="utf-8")
    browser.open(path, f"#case-{item.case.id}")
    browser.run("document.querySelectorAll('.tabs .button')[2].click()")
    assert "3.00 s" in browser.run("document.querySelector('.case').innerText")


def test_it_prints(browser: Browser, page: Path, tmp_path: Path):
    browser.open(page)
    browser.paper(tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_thousands_of_cases_open_and_turn_pages(browser: Browser, tmp_path: Path, html_of: Callable[..., str]):
    base = fake_run(copies=1).items[:10]
    items = [
        type(item)(
            item.case.model_copy(update={"id": f"{item.case.id}-{copy}"}),
            tuple(trace.model_copy(update={"case_id": f"{item.case.id}-{copy}"}) for trace in item.traces),
            tuple(judged and judged.model_copy(update={"case_id": f"{item.case.id}-{copy}"}) for judged in item.judged),
        )
        for copy in range(200)
        for item in base
    ]
    path = tmp_path / "many.html"
    path.write_text(html_of(FakeRun(items)), encoding="utf-8")
    browser.open(path, "#cases")
    assert browser.run("document.querySelectorAll('.list a').length") == 50
    browser.run("document.querySelector('.pager .button:last-child').click()")
    assert "page 2 of 40" in browser.run("document.querySelector('.pager').textContent")
    last = items[-1].case.id
    browser.go(f"#case-{last}", f"document.title.startsWith({json.dumps(last)})")
    assert case_id(browser) == last


def test_chunks_that_were_supplied_without_being_ranked_can_be_read(
    browser: Browser, tmp_path: Path, html_of: Callable[..., str]
):
    item = item_with("never ranked", everywhere=True)
    trace = item.traces[0]
    answer = trace.answer.model_copy(update={"retrievals": ()})
    shown = type(item)(item.case, (trace.model_copy(update={"answer": answer}),), item.judged)
    path = tmp_path / "unranked.html"
    path.write_text(html_of(FakeRun([shown])), encoding="utf-8")
    browser.open(path, "#case-hostile")
    assert "The target reported no retrieval." in browser.run("document.querySelector('.case').innerText")
    browser.run("document.querySelector('.case .more a[data-passage]').click()")
    browser.wait("document.querySelector('.ranked details[open] .text') !== null")
    assert "never ranked" in browser.run("document.querySelector('.ranked details[open] .text').textContent")


def test_an_answer_that_repeats_forbidden_text_says_so_above_it(
    browser: Browser, tmp_path: Path, html_of: Callable[..., str]
):
    item = fake_run(copies=1).items[0]
    shown = type(item)(item.case.model_copy(update={"must_not_contain": ("PASSWORD",)}), item.traces, item.judged)
    for value, note in ((1.0, "✗ The answer repeats forbidden text: PASSWORD"), (0.0, None)):
        run = FakeRun([shown])
        run.declarations = {**run.declarations, "forbidden_text": REGISTRY["forbidden_text"].declaration}
        run._scores = pl.concat([run._scores, score_rows("forbidden_text", {item.case.id: value})])
        path = tmp_path / "forbidden.html"
        path.write_text(html_of(run), encoding="utf-8")
        browser.open(path, f"#case-{item.case.id}")
        found = browser.run("document.querySelector('.case .note')?.textContent ?? null")
        assert found == note


def test_the_focus_stays_where_the_reader_put_it(browser: Browser, page: Path, run: FakeRun):
    browser.open(page, "#cases")
    browser.run("document.querySelectorAll('.list a')[2].focus()")
    browser.press("Enter")
    browser.wait(f"document.title.startsWith({json.dumps(run.items[2].case.id)})")
    assert browser.run("document.activeElement.getAttribute('aria-current')") == "true"
    browser.run("document.querySelector('select[name=stratum]').focus()")
    browser.run("document.activeElement.value = 'category=access'")
    browser.run("document.activeElement.dispatchEvent(new Event('change'))")
    browser.wait("document.querySelector('.found').textContent.includes('clear filters')")
    assert browser.run("document.activeElement.name") == "stratum"
    assert browser.run("document.activeElement.className") == "active"
