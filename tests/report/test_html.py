"""The page as a file: what a reader without JavaScript sees, and what no text in it may do."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.report.fake_run import FakeRun, fake_run
from tests.report.fake_special import item_with

from ragvet.records import Answer
from ragvet.report import CasePages, Report, build
from ragvet.report._html import _assets
from ragvet.report._packing import BLOCK_BYTES, Blocks, TextPool
from ragvet.report._views import behaviour_matrix

PAYLOADS = (
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "'\"><svg onload=document.title='owned'>",
    "javascript:document.title='owned'",
    "{{ 7 * 7 }} {% raw %} ${document.title='owned'}",
    "<!--<script>",
    "]]> \u2028 \u2029 &lt;b&gt; &amp;",
)


class Page(HTMLParser):
    """Tags, attributes and visible text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.blocks: dict[str, str] = {}
        self.raw: dict[str, str] = {}
        self.text = ""
        self._inside: str | None = None
        self._block: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._inside, self._block = tag, dict(attrs).get("id")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            self.text += data
        elif self._block:
            self.blocks[self._block] = data
        else:
            self.raw[self._inside] = data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def unpacked(packed: str) -> Any:
    return json.loads(zlib.decompress(b64decode(packed), wbits=31))


def everything_in(html: str) -> str:
    """All the text a reader of the file can get at: the page itself and every packed block."""
    page = Page(html)
    packed = [json.dumps(unpacked(block), ensure_ascii=False) for block in page.blocks.values()]
    return "\n".join([re.sub(r">[A-Za-z0-9+/=]{40,}<", "><", html), *packed])


def test_nothing_is_loaded_from_anywhere(html: str):
    page = Page(html)
    for tag, attributes in page.tags:
        assert tag not in ("link", "iframe", "img", "object", "embed", "base", "form", "audio", "video")
        assert not {"src", "srcset", "data", "action", "style"} & set(attributes), tag
        href = attributes.get("href") or attributes.get("xlink:href") or "#"
        assert href.startswith("#"), href
    assert "@import" not in page.raw["style"]
    assert "url(" not in page.raw["style"].replace("url(#hatch)", "")


def test_the_policy_allows_this_script_and_this_style_by_their_hashes_and_nothing_else(html: str):
    page = Page(html)
    policy = next(meta["content"] for meta in page.of("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    hashes = {
        name: base64.b64encode(hashlib.sha256(page.raw[name].encode()).digest()).decode()
        for name in ("script", "style")
    }
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes['script']}'; style-src 'sha256-{hashes['style']}'; "
        "base-uri 'none'; form-action 'none'"
    )


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_text_becomes_a_tag_an_attribute_or_a_script(payload: str, html_of: Callable[..., str]):
    plain = Page(html_of(FakeRun([item_with("plain")])))
    hostile = Page(html_of(FakeRun([item_with(payload)])))
    names = [(tag, sorted(attributes)) for tag, attributes in hostile.tags]
    assert names == [(tag, sorted(attributes)) for tag, attributes in plain.tags]
    assert not any(name.startswith("on") for _, attributes in hostile.tags for name in attributes)


def test_the_same_run_gives_the_same_bytes(run: FakeRun, html: str, html_of: Callable[..., str]):
    assert html_of(run) == html


def test_ids_are_unique_and_every_link_inside_the_summary_has_its_place(html: str):
    page = Page(html)
    ids = Counter(attributes["id"] for _, attributes in page.tags if attributes.get("id"))
    assert [name for name, count in ids.items() if count > 1] == []
    places = [href[1:] for link in page.of("a") if (href := link["href"] or "") and not href.startswith("#case")]
    assert set(places) <= set(ids)


def test_tables_have_headings_and_pages_have_landmarks_and_a_skip_link(html: str):
    page = Page(html)
    assert all(attributes.get("scope") for attributes in page.of("th"))
    assert [len(page.of(tag)) for tag in ("main", "footer", "h1")] == [1, 1, 1]
    assert page.of("html")[0]["lang"] == "en"
    assert page.of("a")[0] == {"class": "skip", "href": "#main"}
    for attributes in page.of("section"):
        assert attributes.get("aria-labelledby")


def test_the_summary_needs_no_script(html: str, report: Report):
    page = Page(html)
    words = " ".join(page.text.split())
    for metric in (*report.retrieval, *report.answers):
        assert metric.declaration.does_not_catch in words
        assert metric.declaration.formula in words
    for summary in report.retrieval[0].strata["language"]:
        assert summary.stratum in words
    assert "hidden" not in dict(page.tags[[tag for tag, _ in page.tags].index("tr")][1])


def test_strata_stand_worst_first_in_the_file(html: str, report: Report):
    table = html[html.index('class="matrix"') :]
    names = re.findall(r'<th scope="row" dir="auto">([^<]+)</th>', table)
    expected = [row.stratum.removeprefix("category=") for row in report.retrieval[0].strata["category"]]
    assert names[: len(expected) + 1] == ["all", *expected]


def test_charts_follow_the_theme_and_are_told_to_who_does_not_see_them(html: str):
    charts = re.findall(r"<figure>.*?</figure>", html, re.DOTALL)
    assert len(charts) == 2
    for chart in charts:
        assert not re.findall(r"(?:fill|stroke|style)=", chart), "colours are those of the page's style sheet"
        marks = set(re.findall(r'class="([\w-]+)"', chart)) - {"plot", "supplied", "time", "name"}
        assert marks
        for mark in marks:
            assert re.search(rf"\.plot [^{{}}]*\.{mark}\b", _assets(("report.css",))), (
                f"{mark} has no colour of its own"
            )
        titled = re.search(r'<svg [^>]*role="img" aria-labelledby="(\S+) (\S+)"', chart)
        assert titled
        assert all(re.search(rf'<(?:title|desc) id="{name}">[^<]+<', chart) for name in titled.groups())


def test_a_page_of_300_cases_with_20_chunks_each_stays_below_5_megabytes(html_of: Callable[..., str]):
    run = fake_run(copies=18)
    assert len(run.items) > 300
    assert len(html_of(run).encode()) < 5_000_000


def test_without_content_no_text_of_questions_documents_or_answers_is_in_the_file(html_of: Callable[..., str]):
    item = item_with("SECRET-4417 café", case_id="case-1", everywhere=True)
    # What stays are ids, strata and stages: here these are harmless, as they are in a run whose ids are no secret.
    case = item.case.model_copy(update={"category": "c", "labels": {}})
    kept = FakeRun([*fake_run(copies=1).items, type(item)(case, item.traces, item.judged)])
    whole = everything_in(html_of(kept))
    bare = everything_in(html_of(kept, content=False))
    secrets = [
        kept.items[0].case.question,
        "Renewals are charged seven days",
        "ask the owner of your workspace",
        "handbook, section",
    ]
    for secret in secrets:
        assert secret in whole
        assert secret not in bare
    assert "billing-en-00a" in bare


def test_repeats_of_a_case_share_one_page(html_of: Callable[..., str]):
    item = fake_run(copies=1).items[0]
    traces = tuple(item.traces[0].model_copy(update={"repeat": repeat}) for repeat in range(3))
    judged = tuple(
        item.judged[0].model_copy(update={"repeat": repeat}) if item.judged[0] else None for repeat in range(3)
    )
    page = Page(html_of(FakeRun([type(item)(item.case, traces, judged)], repeat=3)))
    (detail,) = unpacked(page.blocks["details-0"])["values"]
    assert [shown["repeat"] for shown in detail["items"]] == [0, 1, 2]
    assert unpacked(page.blocks["index"])["id"] == [item.case.id]


@pytest.mark.parametrize("content", [True, False])
def test_what_a_target_tells_of_its_circumstances_stands_on_the_page_of_the_case(
    html_of: Callable[..., str], *, content: bool
):
    item = fake_run(copies=1).items[0]
    told = Answer.model_validate(
        {
            "text": "x",
            "cache": ["generation", {"stage": "retrieval", "hit": False, "key": "return period", "scope": "tenant"}],
            "tool_calls": [{"name": "search", "arguments": {"q": "returns"}, "result": "12 hits"}, "stop"],
            "finish_reason": "length",
            "session": "s-1",
            "retries": 2,
        }
    )
    (trace,) = item.traces
    told_of = type(item)(item.case, (trace.model_copy(update={"answer": told}),), item.judged)
    (detail,) = unpacked(Page(html_of(FakeRun([told_of]), content=content)).blocks["details-0"])["values"]
    (shown,) = detail["items"]
    words = {"key": "return period"} if content else {}  # what may repeat a text is left out with the texts
    assert shown["cache"] == [
        {"stage": "generation", "hit": True},
        {"stage": "retrieval", "hit": False, "scope": "tenant", **words},
    ]
    said = {"arguments": '{"q":"returns"}', "result": "12 hits"} if content else {}
    assert shown["tool_calls"] == [{"name": "search", **said}, {"name": "stop"}]
    assert (shown["finish_reason"], shown["session"], shown["retries"]) == ("length", "s-1", {"unknown": 2})


def test_a_run_without_cases_still_is_a_page(html_of: Callable[..., str]):
    assert "0" in Page(html_of(FakeRun([]))).text


def test_blocks_give_back_every_value_under_its_index():
    blocks = Blocks()
    values = [{"text": "ü🙂" * (place % 7) * 400, "place": place} for place in range(500)]
    assert [blocks.append(value) for value in values] == list(range(500))
    blocks.flush()
    assert len(blocks.blocks) > 1
    assert [value for block in blocks.blocks for value in unpacked(block)["values"]] == values
    for start, block in zip(blocks.starts, blocks.blocks, strict=True):
        assert unpacked(block)["values"][0] == values[start]


def test_a_text_that_many_rankings_share_is_kept_once():
    pool = TextPool()
    assert [pool.intern(text) for text in ("a", "b", "a")] == [0, 1, 0]
    pool.flush()
    assert [unpacked(block) for block in pool.blocks] == [{"values": ["a", "b"]}]
    assert BLOCK_BYTES <= 1 << 20


def test_details_name_their_texts_by_number(run: FakeRun):
    pages = CasePages(run)
    build(run, each=pages.add)
    pages.finish()
    details = [page for block in pages.details.blocks for page in unpacked(block)["values"]]
    texts = [text for block in pages.texts.blocks for text in unpacked(block)["values"]]
    for item, page in zip(run.items, details, strict=True):
        answer = item.traces[0].answer
        shown = page["items"][0].get("chunks", {})
        for hit in answer.supplied or () if answer else ():
            assert texts[shown[hit.chunk_id]["text"]] == hit.text


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


COLOURS = {
    name: pair for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", _assets(("report.css",)))
}
READ_ON = [
    *(
        (text, ground)
        for text in ("ink", "quiet", "accent", "good", "bad", "warn", "open")
        for ground in ("page", "paper", "sunk")
    ),
    *((tone, f"{tone}-tint") for tone in ("good", "bad", "warn", "open")),
    *(("ink", f"{tone}-tint") for tone in ("good", "bad", "warn", "open")),
    *(("quiet", f"{tone}-tint") for tone in ("good", "bad")),
    ("ink", "mark"),
    ("deep", "page"),
]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), READ_ON)
def test_every_text_has_the_contrast_wcag_asks_for(text: str, ground: str, theme: int):
    # WCAG 2.2, 1.4.3 (AA): 4.5 to 1 for text, by the relative luminance of sRGB.
    bright, dark = sorted((luminance(COLOURS[text][theme]), luminance(COLOURS[ground][theme])), reverse=True)
    assert (bright + 0.05) / (dark + 0.05) >= (3 if text == "deep" else 4.5)


def test_failures_stand_before_the_metrics_and_their_count_leads_there(html: str):
    assert html.index('<section class="section" id="failures"') < html.index('<section class="section" id="retrieval"')
    assert re.search(r'<dt>target failures</dt><dd><a href="#failures">\d+</a></dd>', html)


def test_without_failures_nothing_leads_to_them(html_of: Callable[..., str]):
    html = html_of(FakeRun([]))
    assert "<dt>target failures</dt><dd>0</dd>" in html
    assert "#failures" not in html


def test_the_behaviours_are_named_where_they_are_not_what_was_expected(report: Report):
    cells = {
        (expected, cell["observed"]): (cell["tone"], cell["name"])
        for expected, row in behaviour_matrix(report.behaviours)["rows"]
        for cell in row
    }
    assert cells["answer", "answered"] == cells["refuse", "refused"] == ("expected", "as expected")
    assert cells["answer", "refused"] == ("amiss", "wrong refusal")
    assert cells["refuse", "answered"] == ("amiss", "missed refusal")
    assert cells["route", "answered"] == ("amiss", "missed routing")
    assert cells["answer", "failed"] == cells["route", "undecided"] == ("other", "")
    assert cells["clarify", "answered"][0] == "other"  # nobody did
