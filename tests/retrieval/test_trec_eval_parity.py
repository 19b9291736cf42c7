"""In trec_eval's mode (its order, unjudged as non-relevant, undefined as 0) the numbers are trec_eval's."""

from __future__ import annotations

import json
import math
import random
import shutil
from pathlib import Path

import ir_measures
import polars as pl
import pytest
import pytrec_eval
from tests.shared_data import shared

from ragvet.metrics.rankings import Assumption, Metric, parse
from ragvet.retrieval import Collection, align

CACM = ("anserini-cacm/qrels.cacm.txt", "anserini-cacm/run.cacm-bm25.txt")
DL19 = ("dl19-bm25/qrels.dl19-passage.txt", "dl19-bm25/run.msmarco-v1-passage.bm25-default.dl19.txt.gz")
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
SAME = {
    "map": "AP",
    "Rprec": "R-precision",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "set_P": "precision_returned",
    "set_recall": "recall",
    "rbp": "RBP(p=0.9)",
    "bpref": "bpref",
    **{f"P_{k}": f"precision@{k}" for k in CUTOFFS},
    **{f"recall_{k}": f"recall@{k}" for k in CUTOFFS},
    **{f"ndcg_cut_{k}": f"nDCG@{k}" for k in CUTOFFS},
    **{f"map_cut_{k}": f"AP@{k}" for k in CUTOFFS},
    **{f"success_{k}": f"hit@{k}" for k in (1, 5, 10)},
    **{f"unj_{k}": f"unjudged@{k}" for k in (5, 10, 20)},
}


def metric(name: str, level: int = 1) -> Metric:
    plain = parse(SAME[name])
    if level == 1 or "rel" not in plain.arguments:
        return plain
    return Metric(plain.definition, plain.cutoff, {**plain.arguments, "rel": level})


def in_its_mode(collection: Collection, name: str, level: int = 1) -> dict[str, float]:
    """Per query what trec_eval prints: bpref passes unjudged items over, unj counts them, all else calls them 0."""
    assumption = "condensed" if name == "bpref" else None if name.startswith("unj") else "unjudged-as-nonrelevant"
    values = collection.score(metric(name, level), assumption).value
    found = [0.0 if math.isnan(value) else value for value in values]
    return dict(zip(collection.query_ids.to_list(), found, strict=True))


def outputs(path: Path) -> dict[str, dict[str, float]]:
    """trec_eval's output file: measure → query (or all) → value."""
    table: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        name, query, value = line.split()
        if name in SAME:
            table.setdefault(name, {})[query] = float(value)
    return table


@pytest.mark.parametrize(
    ("output", "qrels", "run", "options", "level"),
    [
        ("out.test.aq", "qrels.test", "results.test", {"missing": "skip"}, 1),
        ("out.test.aq", "qrels.test.with-comments", "results.test", {"missing": "skip"}, 1),
        ("out.test.aqc", "qrels.test", "results.trunc", {"missing": "empty"}, 1),
        ("out.test.aqcM", "qrels.test", "results.trunc", {"missing": "empty", "depth": 100}, 1),
        ("out.test.aql", "qrels.rel_level", "results.test", {"missing": "skip"}, 2),
    ],
    ids=["plain", "comments", "-c", "-c -M100", "-l2"],
)
def test_the_published_outputs_of_trec_eval_10_are_reproduced(
    output: str, qrels: str, run: str, options: dict, level: int
) -> None:
    folder = shared("trec_eval") / "test"
    expected = outputs(folder / output)
    collection = align(folder / qrels, folder / run, order="trec", **options)
    assert len(expected) > 30
    if level > 1:
        del expected["rbp"]  # trec_eval weighs grades against the topic's highest; RBP here is binary, as published
    for name, values in expected.items():
        found = in_its_mode(collection, name, level)
        found["all"] = sum(found.values()) / len(found)
        for query, value in values.items():
            # 10.0 prints four digits
            assert found[query] == pytest.approx(value, abs=5.1e-5), (name, query)


def test_the_interval_of_rbp_is_the_residual_trec_eval_prints() -> None:
    folder = shared("trec_eval") / "test"
    collection = align(folder / "qrels.test", folder / "results.test", order="trec", missing="skip")
    scores = collection.score(parse("RBP(p=0.9)"))
    printed = [
        line.split() for line in (folder / "out.test.aq").read_text().splitlines() if line.startswith("rbp_resid")
    ]
    residual = {query: float(value) for _, query, value in printed if query != "all"}
    # 500 ranked items: the tail that trec_eval adds, 0.9^500, is below 1e-22
    assert (scores.high - scores.low).tolist() == pytest.approx([residual[q] for q in collection.query_ids], abs=5.1e-5)


@pytest.mark.parametrize(
    ("expected", "qrels", "run", "level"),
    [
        ("dl19_bm25_rel1", *DL19, 1),
        ("dl19_bm25_rel2", *DL19, 2),
        ("cacm_bm25", *CACM, 1),
        ("ir_measures_compat", "ir_measures/compat.qrels", "ir_measures/compat.run", 1),
        ("trec_eval_results.test", "trec_eval/test/qrels.test", "trec_eval/test/results.test", 1),
    ],
)  # fmt: skip
def test_recorded_values_of_pytrec_eval_are_reproduced(expected: str, qrels: str, run: str, level: int) -> None:
    root = shared("expected").parent
    recorded = json.loads((root / "expected" / f"{expected}.json").read_text())
    collection = align(root / qrels, root / run, order="trec", missing="skip")
    names = SAME.keys() & recorded["aggregate"].keys()
    assert len(names) > 8
    for name in names:
        found = in_its_mode(collection, name, level)
        for query, values in recorded["per_topic"].items():
            assert found[query] == pytest.approx(values[name], abs=5.1e-7), (name, query)  # recorded with six digits


def as_dicts(qrels: Path, run: Path, columns: str | None = None) -> tuple[dict, dict]:
    """Both files as other tools take them, read by other means than ours."""
    judgments: dict[str, dict[str, int]] = {}
    for line in qrels.read_text().splitlines():
        query, _, item, grade = line.split()
        judgments.setdefault(query, {})[item] = int(grade)
    rankings: dict[str, dict[str, float]] = {}
    content = pl.read_csv(run, has_header=False, separator="\n", quote_char=None, new_columns=["line"])
    for line in content["line"]:
        fields = line.split()
        item, score = (fields[1], fields[2]) if columns else (fields[2], fields[4])
        rankings.setdefault(fields[0], {})[item] = float(score)
    return judgments, rankings


@pytest.mark.parametrize(
    ("qrels", "run", "columns"),
    [
        (*DL19, None),
        (*CACM, None),
        ("vaswani/qrels", "vaswani/two_queries_result", None),
        ("vaswani/qrels", "vaswani/light_results", "query,item,score"),
        ("ir_measures/compat.qrels", "ir_measures/compat.run", None),
        ("ir_measures/cwl.qrels", "ir_measures/cwl.run", None),
    ],
)
def test_pytrec_eval_and_ir_measures_agree_live(qrels: str, run: str, columns: str | None) -> None:
    root = shared("expected").parent
    judgments, rankings = as_dicts(root / qrels, root / run, columns)
    collection = align(root / qrels, root / run, order="trec", missing="skip", run_columns=columns)
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, pytrec_eval.supported_measures)
    live = evaluator.evaluate(rankings)
    names = SAME.keys() & next(iter(live.values())).keys()
    assert len(names) > 30
    for name in names:
        found = in_its_mode(collection, name)
        assert found == pytest.approx({query: live[query][name] for query in found}, abs=1e-9), name
    theirs = {
        "nDCG@10": ir_measures.nDCG @ 10,
        "judged@10": ir_measures.Judged @ 10,
        "RR@10": ir_measures.RR @ 10,
        "AP": ir_measures.AP,
    }
    rows = list(ir_measures.iter_calc(theirs.values(), judgments, rankings))
    for ours, measure in theirs.items():
        assumption = None if ours.startswith("judged") else "unjudged-as-nonrelevant"
        values = collection.score(parse(ours), assumption).value
        found = dict(zip(collection.query_ids.to_list(), values, strict=True))
        expected = {row.query_id: row.value for row in rows if row.measure == measure and row.query_id in found}
        assert len(expected) == len(found)
        assert found == pytest.approx(expected, abs=1e-9), ours


@pytest.mark.parametrize("seed", range(4))
def test_equal_scores_odd_ids_and_unjudged_grades_change_nothing_about_it(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - rankings to score
    ids = [f"\u00e9{number}\u65e5" for number in range(25)] if seed % 2 else [f"d{number}" for number in range(25)]
    judgments = {f"q{q}": {one: rng.choice([-1, 0, 0, 1, 2, 3]) for one in rng.sample(ids, 15)} for q in range(20)}
    rankings = {
        f"q{q}": {one: rng.choice([0.5, 1.0, 1 + 1e-9, -3.0]) for one in rng.sample(ids, 20)} for q in range(20)
    }
    names = {"map", "Rprec", "recip_rank", "ndcg", "set_P", "set_recall", "bpref", "P_5", "recall_5", "ndcg_cut_5"}
    live = pytrec_eval.RelevanceEvaluator(judgments, names).evaluate(rankings)
    collection = align(judgments, rankings, order="trec", missing="skip")
    for name in names:
        found = in_its_mode(collection, name)
        assert found == pytest.approx({query: live[query][name] for query in found}, abs=1e-9), name


def test_bpref_passes_over_grades_below_minus_one_in_trec_eval_and_counts_them_as_zero_here() -> None:
    judgments, rankings = {"q": {"spam": -2, "a": 1, "b": 0}}, {"q": {"spam": 2.0, "a": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(judgments, {"bpref"}).evaluate(rankings)["q"]["bpref"]
    unjudged = {"q": {**judgments["q"], "spam": -1}}
    assert theirs == in_its_mode(align(unjudged, rankings, order="trec"), "bpref")["q"] == 1
    assert in_its_mode(align(judgments, rankings, order="trec"), "bpref") == {"q": 0}


@pytest.mark.parametrize(("qrels", "run"), [CACM, DL19], ids=["cacm", "dl19"])
def test_condensed_is_what_ir_measures_calls_judged_only(qrels: str, run: str) -> None:
    root = shared("expected").parent
    theirs = {
        "nDCG@10": ir_measures.nDCG(judged_only=True) @ 10,
        "precision@10": ir_measures.P(judged_only=True) @ 10,
        "AP": ir_measures.AP(judged_only=True),
        "RR": ir_measures.RR(judged_only=True),
    }
    assert_same(root / qrels, root / run, theirs, "condensed", within=1e-9)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script")
@pytest.mark.parametrize(("qrels", "run"), [CACM, DL19], ids=["cacm", "dl19"])
def test_expected_reciprocal_rank_is_that_of_gdeval(qrels: str, run: str) -> None:
    root = shared("expected").parent
    # gdeval's grades go up to 4 whatever the qrels hold, and it prints five digits
    theirs = {"ERR(top=4)@5": ir_measures.ERR @ 5, "ERR(top=4)@20": ir_measures.ERR @ 20}
    assert_same(root / qrels, root / run, theirs, "unjudged-as-nonrelevant", within=5.1e-6)


def assert_same(qrels: Path, run: Path, theirs: dict, assumption: Assumption, within: float) -> None:
    """Query by query, undefined read as 0."""
    rows = list(ir_measures.iter_calc(theirs.values(), *as_dicts(qrels, run)))
    collection = align(qrels, run, order="trec", missing="skip")
    for ours, measure in theirs.items():
        values = [0.0 if math.isnan(value) else value for value in collection.score(parse(ours), assumption).value]
        found = dict(zip(collection.query_ids.to_list(), values, strict=True))
        expected = {row.query_id: row.value for row in rows if row.measure == measure and row.query_id in found}
        assert len(expected) == len(found) > 40
        assert sum(value > 0 for value in found.values()) > 20
        assert found == pytest.approx(expected, abs=within), ours
