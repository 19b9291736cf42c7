import json
import sys

import pytest

from ragvet.cli import main
from ragvet.metrics import answers, retrieval

REGISTRIES = {"retrieval": retrieval.REGISTRY, "answers": answers.REGISTRY}


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


def test_the_json_is_the_declarations(monkeypatch, capsys):
    metrics(monkeypatch, "--json")
    written = json.loads(capsys.readouterr().out)
    assert {(one["family"], one["name"]) for one in written} == {
        (family, name) for family, registry in REGISTRIES.items() for name in registry
    }
    assert all(one["does_not_catch"] and one["formula"] for one in written)
