import re
from pathlib import Path

import pytest

from ragvet.metrics import answers, rankings

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", answers.REGISTRY)
def test_every_answer_metric_has_one_line_in_the_guide(name):
    lines = re.findall(rf"^\| `{name}` \| .+ \|$", (DOCS / "answer-metrics.md").read_text("utf-8"), flags=re.MULTILINE)
    assert len(lines) == 1


def test_the_guide_lists_no_metric_that_is_gone():
    listed = re.findall(r"^\| `(\w+)` \| ", (DOCS / "answer-metrics.md").read_text("utf-8"), flags=re.MULTILINE)
    assert set(listed) == set(answers.REGISTRY)


def test_every_metric_of_both_families_has_a_page_with_all_it_declares(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    from _generated import metric_pages

    pages = metric_pages()
    declared = [
        metric.declaration for registry in (answers.REGISTRY, rankings.REGISTRY) for metric in registry.values()
    ]
    assert len(pages) == len(declared) + 1  # one page each and the list of them
    for declaration in declared:
        (page,) = [text for text in pages.values() if text.startswith(f"# {declaration.name}\n")]
        for said in (declaration.title, declaration.formula, declaration.applies_to, declaration.does_not_catch):
            assert said in page
