from __future__ import annotations

import json
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.report.browser import CHROMIUM, Browser
from tests.report.fake_run import FakeRun, fake_run

from ragvet.report import CasePages, Report, build, to_html


@pytest.fixture(scope="session")
def run() -> FakeRun:
    return fake_run()


@pytest.fixture(scope="session")
def report(run: FakeRun) -> Report:
    return build(run)


@pytest.fixture(scope="session")
def html_of() -> Callable[..., str]:
    def render(run: FakeRun, *, content: bool = True, **build_options: Any) -> str:
        pages = CasePages(run, content=content)
        made = build(run, each=pages.add, content=content, **build_options)
        pages.finish()
        return to_html(made, pages)

    return render


@pytest.fixture(scope="session")
def html(run: FakeRun, html_of: Callable[..., str]) -> str:
    return html_of(run)


@pytest.fixture(scope="session")
def page(html: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def _one_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here: what the page does in a browser is not checked")
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture
def browser(_one_browser: Browser) -> Browser:
    return _one_browser


def unpacked(packed: str) -> Any:
    """What the page's own script would read from one block."""
    return json.loads(zlib.decompress(b64decode(packed), wbits=31))
