"""The worked cases K01 to K10: corpus A to F, binary; queries as in the requirements."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest

from ragvet.errors import InputError
from ragvet.metrics.rankings import parse
from ragvet.records import Bounded, Scored, Undefined
from ragvet.retrieval import TypedRanking

Q1 = "A=1,B=1,C=1,D=0,E=0,F=0"
Q2 = "A=0,B=0,C=0,D=1,E=0,F=0"
Q3 = "A=0,B=0,C=0,D=0,E=0,F=0"
Q4 = "A=1,B=1,C=?,D=0,E=0,F=0"
Q5 = "A=1,B=?,C=0,D=0,E=0,F=0"

D2, D3 = 1 / math.log2(3), 1 / math.log2(4)
CASES = {
    # id: judgments, ranking, k, {metric: value, (low, high), or None for undefined}
    "K01": (Q1, "ABCDEF", 3, {"precision": 1, "recall": 1, "RR": 1, "nDCG": 1}),
    "K02": (Q1, "DEFABC", 3, {"precision": 0, "recall": 0, "RR": 0, "nDCG": 0}),
    # D A E: one relevant item, at rank 2; the ideal holds three
    "K03": (Q1, "DAEBFC", 3, {"precision": 1 / 3, "recall": 1 / 3, "RR": 1 / 2, "nDCG": D2 / (1 + D2 + D3)}),
    "K04": (Q1, "ADEF", 3, {"recall": 1 / 3}),
    # C A D: C moves each of the four. Not relevant: 1/3, 1/2, 1/2, d2/(1+d2). Relevant: 2/3, 2/3, 1, (1+d2)/(1+d2+d3).
    "K06": (Q4, "CADEBF", 3, {"precision": (1 / 3, 2 / 3), "recall": (1 / 2, 2 / 3), "RR": (1 / 2, 1),
                              "nDCG": (D2 / (1 + D2), (1 + D2) / (1 + D2 + D3))}),
    # A B D: C is below the cutoff, so it moves only what is divided by all relevant items
    "K07": (Q4, "ABDEFC", 3, {"precision": 2 / 3, "RR": 1, "recall": (2 / 3, 1),
                              "nDCG": ((1 + D2) / (1 + D2 + D3), 1)}),
    "K08": (Q3, "ABCDEF", 3, {"precision": 0, "RR": 0, "recall": None, "nDCG": None}),
    "K09 at 1": (Q2, "ADBCEF", 1, {"precision": 0, "recall": 0, "RR": 0, "nDCG": 0}),
    "K09 at 2": (Q2, "ADBCEF", 2, {"precision": 1 / 2, "recall": 1, "RR": 1 / 2}),
    "K10": (Q5, "ABCDEF", 2, {"recall": 1, "RR": 1, "nDCG": 1, "precision": (1 / 2, 1)}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_worked_case_holds(case: str) -> None:
    judgments, ranking, k, expected = CASES[case]
    typed = TypedRanking.read(judgments, ",".join(ranking))
    found = dict(
        zip(expected, (outcome for _, outcome in typed.outcomes([parse(f"{m}@{k}") for m in expected])), strict=True)
    )
    for metric, value in expected.items():
        outcome = found[metric]
        if value is None:
            assert isinstance(outcome, Undefined), metric
            assert outcome.reason
        elif isinstance(value, tuple):
            assert isinstance(outcome, Bounded), metric
            assert (outcome.low, outcome.high) == pytest.approx(value, abs=1e-15)
            assert outcome.reason
        else:
            assert isinstance(outcome, Scored), metric
            assert outcome.value == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("case", CASES)
def test_rank_command_shows_the_worked_case(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    judgments, ranking, k, expected = CASES[case]
    metrics = [part for metric in expected for part in ("-m", f"{metric}@{k}")]
    assert (
        ragvet("rank", "--judgments", judgments, "--ranking", ",".join(ranking), "-k", str(k), *metrics, "--json") == 0
    )
    shown = json.loads(capsys.readouterr().out)
    assert [place["item"] for place in shown["ranking"]] == list(ranking)
    for metric, value in expected.items():
        score = shown["metrics"][f"{metric}@{k}"]
        if value is None:
            assert score["status"] == "undefined"
        elif isinstance(value, tuple):
            assert (score["low"], score["high"]) == pytest.approx(value, abs=1e-15)
        else:
            assert score["value"] == pytest.approx(value, abs=1e-15)


def test_k05_an_item_ranked_twice_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"'A' more than once"):
        TypedRanking.read(Q1, "A,A,B")
    assert ragvet("rank", "--judgments", Q1, "--ranking", "A,A,B", "-k", "3") == 2
    assert "'A' more than once" in capsys.readouterr().err


def test_rank_command_prints_place_by_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert ragvet("rank", "--judgments", Q4, "--ranking", "C,A,D,E,B,F", "-k", "3") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["rank", "item", "judgment", "discount", "contribution"]
    assert lines[1] == ["1", "C", "?", "1.0000", "?"]
    assert lines[2] == ["2", "A", "1", "0.6309", "0.6309"]  # 1 / log2(3)
    assert ["4", "E", "0", "0.4307", "(below", "3)"] in lines
    assert next(line for line in lines if line[:1] == ["nDCG@3"])[1:3] == ["[0.3869,", "0.7654]"]


def test_rank_command_says_what_each_metric_does_not_catch(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("rank", "--judgments", Q4, "--ranking", "C,A", "-k", "3", "-m", "nDCG@3", "-m", "nDCG@5", "-m", "RR@3")
    assert ragvet(*arguments, "--json") == 0
    blind = {name: said["does_not_catch"] for name, said in json.loads(capsys.readouterr().out)["metrics"].items()}
    assert blind["nDCG@3"] == blind["nDCG@5"] == parse("nDCG@3").declaration.does_not_catch
    assert ragvet(*arguments) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"nDCG@3, nDCG@5 do not catch: {blind['nDCG@3']}",
        f"RR@3 does not catch: {blind['RR@3']}",
    ]


def test_rank_command_names_everything_wrong_at_once() -> None:
    with pytest.raises(InputError) as caught:
        TypedRanking.read("A=1,B,=2,A=0,C=x", "A")
    assert len(caught.value.problems) == 4
    with pytest.raises(InputError, match=r"'Z', for which nothing is written"):
        TypedRanking.read("A=1", "A,Z")


def test_unjudged_items_elsewhere_widen_what_is_divided_by_all_relevant_items() -> None:
    typed = TypedRanking.read("A=1", "A", elsewhere=3)
    [(_, recall), (_, precision)] = typed.outcomes([parse("recall@1"), parse("precision@1")])
    assert recall == Bounded(low=1 / 4, high=1.0, reason="unjudged items elsewhere may be relevant")
    assert isinstance(precision, Scored)


def ragvet(*arguments: str) -> int:
    """The exit code of a command, run in this process."""
    from ragvet.cli import main

    before, sys.argv = sys.argv, ["ragvet", *arguments]
    try:
        main()
    except SystemExit as stop:
        return int(stop.code or 0)
    finally:
        sys.argv = before
    return 0


def test_metrics_need_neither_polars_nor_scipy() -> None:
    code = "import sys, ragvet.metrics.rankings; print({'polars', 'scipy', 'pandas', 'rich'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
