"""The reference pages follow from the code: nothing registered is missing from them."""

import importlib.util
from pathlib import Path

import pytest

from ragvet.cli import COMMANDS
from ragvet.metrics import answers, rankings

SOURCE = Path(__file__).parents[2] / "docs" / "_generated.py"


@pytest.fixture(scope="module")
def generated():
    spec = importlib.util.spec_from_file_location("docs_generated", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_metric_has_a_page_that_says_what_it_does_not_catch(generated):
    pages = generated.metric_pages()
    declared = [
        metric.declaration for registry in (rankings.REGISTRY, answers.REGISTRY) for metric in registry.values()
    ]
    assert len(pages) == len({declaration.name for declaration in declared}) + 1
    for declaration in declared:
        (page,) = [text for text in pages.values() if text.startswith(f"# {declaration.name}\n")]
        assert declaration.does_not_catch in page
        assert declaration.undefined_when in page
        assert declaration.formula in page


def test_the_list_of_metrics_names_every_page_once(generated):
    pages = generated.metric_pages()
    listed = [line for line in pages["metrics.md"].splitlines() if line.startswith("metric-")]
    assert sorted(listed) == sorted(name.removesuffix(".md") for name in pages if name != "metrics.md")


def test_every_command_is_on_the_page_of_the_command_line(generated):
    page = generated.command_line()
    assert [name for name in COMMANDS if f"`ragvet {name}`" not in page] == []


def test_pages_that_no_longer_follow_from_the_code_are_taken_away(generated, tmp_path):
    stale = tmp_path / "metric-gone.md"
    stale.write_text("# gone\n")
    generated.write_reference(tmp_path)
    assert not stale.exists()
    assert (tmp_path / "cli.md").exists()
