import json
import re
import sys
from pathlib import Path

import pytest

from ragvet.cli import main
from ragvet.metrics import answers, counterpart, rankings
from ragvet.metrics._elsewhere import _COUNTERPARTS

REGISTRIES = {"retrieval": rankings.REGISTRY, "answers": answers.REGISTRY}


def metrics(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["ragvet", "metrics", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_every_metric_of_both_families_is_listed_with_what_it_does_not_catch(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "1000")
    assert metrics(monkeypatch) in (None, 0)
    out = capsys.readouterr().out
    for registry in REGISTRIES.values():
        for name, metric in registry.items():
            assert f"{name} " in out
            assert metric.declaration.does_not_catch in out


def test_the_list_fits_80_columns(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    metrics(monkeypatch)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


@pytest.mark.parametrize("written", ["faithfulness", "Faithfulness", "nDCG@10", "ndcg(gain=exp)@5", "recall"])
def test_one_metric_is_described_however_it_is_written(monkeypatch, capsys, written):
    assert metrics(monkeypatch, written) in (None, 0)
    out = capsys.readouterr().out
    assert "undefined when" in out
    assert "does not catch" in out


def test_an_unknown_metric_gets_the_nearest_name(monkeypatch, capsys):
    assert metrics(monkeypatch, "faithfullness") == 2
    assert "Did you mean 'faithfulness'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("answer_relevancy", "relevance"),
        ("AnswerRelevancyMetric", "relevance"),
        ("hallucination", "unsupported_share"),
        ("contextual_precision@5", "context_precision"),
        ("groundedness", "faithfulness"),
        ("MRR", "RR"),
        ("ndcg_cut_10", "nDCG"),
        ("set_F", "F"),
    ],
)
def test_the_name_another_tool_uses_shows_the_metric_here(monkeypatch, capsys, written, meant):
    assert metrics(monkeypatch, written) in (None, 0)
    assert capsys.readouterr().out.startswith(f"{written} is called {meant} here.\n")
    metrics(monkeypatch, written, "--json")
    assert [entry["name"] for entry in json.loads(capsys.readouterr().out)] == [meant]


def test_every_name_of_another_tool_on_its_page_leads_to_the_metric_beside_it():
    page = (Path(__file__).parents[2] / "docs" / "coming-from.md").read_text("utf-8")
    section = page.partition("## What the metrics are called here")[2]
    rows = re.findall(r"^\| (`.+?) \| `(.+?)` \|", section, re.MULTILINE)
    beside = {name: metric for names, metric in rows for name in re.findall(r"`(.+?)`", names)}
    known = {name for registry in REGISTRIES.values() for name in registry}
    assert len(beside) >= 20
    for name, metric in beside.items():
        assert metric in known
        assert (name if name in known else counterpart(name)) == metric
    letters = {"".join(filter(str.isalnum, name.casefold())) for name in beside}
    assert set(_COUNTERPARTS) <= letters  # and the page leaves none out


def test_the_json_is_the_declarations(monkeypatch, capsys):
    metrics(monkeypatch, "--json")
    written = json.loads(capsys.readouterr().out)
    assert {(one["half"], one["name"]) for one in written} == {
        (half, name) for half, registry in REGISTRIES.items() for name in registry
    }
    assert all(one["does_not_catch"] and one["formula"] for one in written)
