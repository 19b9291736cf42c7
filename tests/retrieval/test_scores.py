"""What is made of scores: frames, means, tie ranges, strata, and what to judge next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragvet.errors import InputError
from ragvet.metrics.rankings import parse
from ragvet.retrieval import align, evaluate, judge_next, open_outside, read_strata, score, summarise

QRELS = {"full": {"a": 1, "b": 0}, "open": {"a": 1}, "none": {"a": 0}}
RUN = {"full": ["b", "a"], "open": ["x", "a"], "none": ["a"]}


def test_a_row_says_what_is_known() -> None:
    frame = evaluate(QRELS, RUN, ["precision@2", "recall"], corpus=3, assume="unjudged-as-nonrelevant")
    rows = {(row["query_id"], row["metric"]): row for row in frame.iter_rows(named=True)}
    assert frame.columns == [
        "query_id", "metric", "version", "status", "value", "low", "high", "may_drop", "reason", "numerator",
        "denominator", "assumed",
    ]  # fmt: skip
    full = rows["full", "precision@2"]
    assert (full["status"], full["value"], full["low"], full["high"], full["reason"]) == ("scored", 0.5, 0.5, 0.5, None)
    assert (full["numerator"], full["denominator"]) == (1, 2)
    opened = rows["open", "precision@2"]
    assert (opened["status"], opened["value"], opened["low"], opened["high"]) == ("bounded", None, 0.5, 1.0)
    assert opened["assumed"] == 0.5
    assert rows["none", "recall"]["status"] == "bounded"
    assert rows["none", "recall"]["reason"] == "no judged item is relevant: defined only if an unjudged one is"
    exhaustive = evaluate(QRELS, RUN, ["recall"], judgments="exhaustive")
    assert exhaustive["status"].to_list() == ["scored", "scored", "undefined"]
    assert exhaustive["reason"].to_list() == [None, None, "no relevant item in the judged set"]


def test_what_exhaustive_qrels_do_not_list_counts_as_non_relevant_in_bpref_too() -> None:
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": ["x", "a"]}
    # of 10 documents R = 2 are relevant, N = 8 are not: (1 - min(1, 2) / min(8, 2)) / 2
    known = evaluate(qrels, run, ["bpref"], judgments="exhaustive", corpus=10)
    assert known.select("value", "low", "high").row(0) == (0.25, 0.25, 0.25)
    # N is 1 at least, x: (1 - 1 / 1) / 2
    open_ = evaluate(qrels, run, ["bpref"], judgments="exhaustive")
    assert open_.select("value", "low", "high").row(0) == (None, 0.0, 0.25)
    assert open_["reason"].item() == "how many items are not relevant is not known: nobody said how many there are"


@pytest.mark.parametrize("qrels", ["q 0 a 1\nq 0 b -1\n", "query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb\t\n"])
def test_exhaustive_judgments_that_leave_an_item_open_are_refused(tmp_path: Path, qrels: str) -> None:
    (tmp_path / "qrels").write_text(qrels)
    with pytest.raises(InputError, match=r"item b.*grade -1.*: 1.*judgments are exhaustive.*Give them grade 0"):
        evaluate(tmp_path / "qrels", {"q": ["a"]}, ["RR"], judgments="exhaustive")


def test_means_carry_bounds_and_what_they_leave_out() -> None:
    frame = evaluate(QRELS, RUN, ["precision@2", "recall"], judgments="exhaustive")
    precision, recall = summarise(frame).iter_rows(named=True)
    assert (precision["queries"], precision["published"], precision["mean"]) == (3, 3, pytest.approx(1 / 3))
    assert (recall["published"], recall["undefined"], recall["mean"]) == (2, 1, 1.0)
    listed = next(summarise(evaluate(QRELS, RUN, ["precision@2"])).iter_rows(named=True))
    # full 1/2, open 1/2 to 1, none 0
    assert (listed["mean"], listed["mean_low"], listed["mean_high"]) == (None, pytest.approx(1 / 3), 0.5)


def test_ties_are_counted_and_never_sorted_by_name_unless_asked() -> None:
    qrels, run = {"q": {"b": 1, "a": 0}}, {"q": {"a": 1.0, "b": 1.0, "c": 0.5}}
    collection = align(qrels, run)
    assert [(notice.kind, notice.count) for notice in collection.notices] == [("tied-scores", 1)]
    frame = score(collection, [parse("RR")], tie_range=True)
    assert frame.select("low", "tie_low", "tie_high").row(0) == (0.5, 0.5, 1.0)
    # trec_eval: equal scores by descending id
    assert align(qrels, run, order="trec").score(parse("RR")).low.tolist() == [1.0]


def test_scores_that_trec_eval_takes_for_equal_are_ties_in_its_order() -> None:
    # 1.00000001 is 1 in single precision, so that trec_eval orders by descending id: b before a
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}}
    assert align(qrels, run, order="score").notices == ()
    collection = align(qrels, run, order="trec")
    assert [(notice.kind, notice.count) for notice in collection.notices] == [("tied-scores", 1)]
    frame = score(collection, [parse("RR")], tie_range=True)
    assert frame.select("value", "tie_low", "tie_high").row(0) == (0.5, 0.5, 1.0)


def test_no_assumption_says_what_is_judged() -> None:
    frame = evaluate({"q": {"a": 1}}, {"q": ["a", "x"]}, ["judged@2", "unjudged@2", "precision@2"], assume="condensed")
    assert frame["value"].to_list() == [0.5, 0.5, None]
    assert frame["assumed"].to_list() == [None, None, 0.5]


def test_what_to_judge_next_shrinks_the_interval_most() -> None:
    # q has an unjudged first place, p an unjudged second: RR may move from 1/3 to 1 and from 1/3 to 1/2
    qrels = {"p": {"a": 1, "b": 0}, "q": {"a": 1, "b": 0}}
    collection = align(qrels, {"p": ["b", "y", "a"], "q": ["x", "b", "a"]}, keep_items=True)
    found = judge_next(collection, parse("RR"))
    assert found.select("query_id", "item", "rank").rows() == [("q", "x", 1), ("p", "y", 2)]
    assert found["width"].to_list() == pytest.approx([2 / 3, 1 / 6])
    assert found["shrinks"].to_list() == pytest.approx([2 / 3, 1 / 6])  # judged either way, nothing is left open
    assert judge_next(collection, parse("RR"), limit=1).height == 1
    assert judge_next(align(qrels, {"p": ["a"], "q": ["a"]}, keep_items=True), parse("RR")).height == 0


def test_an_assumption_nobody_knows_is_never_taken_for_another() -> None:
    with pytest.raises(InputError, match="unjudged-as-nonrelevant or condensed"):
        evaluate(QRELS, RUN, ["RR"], assume="unjudged_as_nonrelevant")  # pyright: ignore[reportArgumentType]


def test_one_metric_may_be_given_by_itself() -> None:
    assert evaluate(QRELS, RUN, "RR").equals(evaluate(QRELS, RUN, ["RR"]))


def test_every_judgment_of_precision_brings_as_much_and_ranks_decide() -> None:
    qrels = {"p": {"a": 0}, "s": {"a": 0, "b": 0}}
    run = {"p": ["x", "y", "z"], "s": ["a", "x", "b"]}
    found = judge_next(align(qrels, run, keep_items=True), parse("precision@3"))
    assert found.select("query_id", "item").rows() == [("p", "x"), ("p", "y"), ("s", "x"), ("p", "z")]
    assert found["shrinks"].to_list() == pytest.approx([1 / 3] * 4)


def test_items_that_settle_a_query_only_together_share_what_they_bring() -> None:
    # one judgment settles s; the first of p leaves RR open by 1/2, 1/3 or not at all, and grades are mostly 0
    qrels = {"p": dict.fromkeys("abcdefgh", 0), "s": dict.fromkeys("abcdefgh", 0)}
    run = {"p": ["x", "y"], "s": ["x"]}
    found = judge_next(align(qrels, run, keep_items=True), parse("hit"))
    assert found.select("query_id", "item").rows() == [("s", "x"), ("p", "x"), ("p", "y")]
    assert found["shrinks"].to_list() == pytest.approx([1, 1 / 2, 1 / 2])


@pytest.mark.parametrize("name", ["precision@6", "nDCG@6", "RR", "bpref"])
def test_an_unjudged_item_is_offered_once_and_the_most_telling_first(name: str) -> None:
    items = [f"d{number}" for number in range(60)]
    qrels = {"p": {"d1": 1, "d3": 0}, "q": {"d0": 1, "e": 2}}
    found = judge_next(
        align(qrels, {"p": items, "q": items[::-1]}, corpus=61, keep_items=True), parse(name), limit=None
    )
    assert found.height > 0
    assert not found.select("query_id", "item").is_duplicated().any()
    assert found["shrinks"].is_sorted(descending=True)
    assert found["shrinks"].min() > 0
    assert all(item not in qrels[query] for query, item in found.select("query_id", "item").rows())


def test_long_rankings_are_looked_at_to_their_end() -> None:
    items = [f"d{number}" for number in range(300)]
    found = judge_next(align({"q": {"e": 1}}, {"q": items}, keep_items=True), parse("precision@300"), limit=None)
    assert found["item"].to_list() == items


def test_what_lies_outside_the_ranking_is_counted() -> None:
    collection = align({"q": {"a": 1}, "p": {"a": 1}}, {"q": ["a"], "p": ["x"]}, corpus=9, keep_items=True)
    assert open_outside(collection, parse("recall")) == 1
    assert open_outside(collection, parse("RR")) == 0


@pytest.mark.parametrize("form", ["jsonl", "json", "tsv", "folder"])
def test_strata_come_from_the_queries(form: str, tmp_path: Path) -> None:
    rows = [
        {"_id": "full", "text": "?", "metadata": {"category": "x"}},
        {"_id": "open", "text": "?", "metadata": {"category": "y"}},
    ]
    path = tmp_path / f"queries.{form if form != 'folder' else 'jsonl'}"
    if form == "tsv":
        path.write_text("_id\tcategory\nfull\tx\nopen\ty\n")
    else:
        path.write_text(json.dumps(rows) if form == "json" else "".join(json.dumps(row) + "\n" for row in rows))
    strata = read_strata(tmp_path if form == "folder" else path, "category")
    means = summarise(evaluate(QRELS, RUN, ["RR"], judgments="exhaustive"), strata)
    assert means.select("stratum", "queries", "mean").rows() == [
        ("all", 3, pytest.approx(1 / 3)), ("(none)", 1, 0.0), ("x", 1, 0.5), ("y", 1, 0.5)
    ]  # fmt: skip
    with pytest.raises(InputError, match="an id and 'risk'"):
        read_strata(path, "risk")
