"""From chunks and gold evidence to scores: the join of anchoring and the retrieval engine."""

import math

import polars as pl
import pytest
from tests.runs.make import PlainJudge, case, corpus, dataset, finished, score_of

from ragvet.errors import BundleError, TargetError
from ragvet.records import Answer, Case, Trace
from ragvet.runs import score
from ragvet.runs._anchoring import Anchoring

LOG3, LOG4 = math.log2(3), math.log2(4)


def value(run, metric, case_id="q"):
    return score_of(run, metric, case_id)["value"]


def one(tmp_path, reply, *gold, judgments="exhaustive", **options):
    return finished(tmp_path, dataset(case("q", *gold), judgments=judgments), lambda question, k: reply, **options)


def test_two_depths_of_one_ranking_by_hand(tmp_path):
    # x d1 y d2 z, evidence d1 d2 d3: at 2 one of three is reached, at rank 2; at 4 two of three, at ranks 2 and 4.
    run = one(tmp_path, ["x", "d1", "y", "d2", "z"], "d1", "d2", "d3")
    expected = {
        "coverage": (1 / 3, 2 / 3),
        "recall": (1 / 3, 2 / 3),
        "precision": (1 / 2, 2 / 4),
        "RR": (1 / 2, 1 / 2),
        "hit": (1.0, 1.0),
        "judged": (1.0, 1.0),
        "redundancy": (0.0, 0.0),
        # gains 1; discounts 1/log2(rank + 1); three relevant items, so the ideal fills 2 and 3 places
        "nDCG": ((1 / LOG3) / (1 + 1 / LOG3), (1 / LOG3 + 1 / math.log2(5)) / (1 + 1 / LOG3 + 1 / LOG4)),
    }
    for metric, (at_2, at_4) in expected.items():
        assert value(run, f"{metric}@2") == pytest.approx(at_2, abs=1e-12), metric
        assert value(run, f"{metric}@4") == pytest.approx(at_4, abs=1e-12), metric
    assert value(run, "nDCG(gain=exp)@4") == pytest.approx(expected["nDCG"][1], abs=1e-12)  # binary: 2^1 - 1 = 1


def test_grades_weigh_by_the_gain_named(tmp_path):
    gold = [{"doc_id": "d1", "grade": 3}, {"doc_id": "d2", "grade": 1}, {"doc_id": "d3", "grade": 0}]
    run = one(tmp_path, ["d2", "d1"], *gold)
    assert value(run, "nDCG@2") == pytest.approx((1 + 3 / LOG3) / (3 + 1 / LOG3), abs=1e-12)
    assert value(run, "nDCG(gain=exp)@2") == pytest.approx((1 + 7 / LOG3) / (7 + 1 / LOG3), abs=1e-12)


def test_a_chunk_that_only_repeats_evidence_is_relevant_and_nothing_new(tmp_path):
    quote = {"doc_id": "d", "quote": "within thirty days of delivery"}
    items = [
        {"id": "c1", "doc_id": "d", "text": "Return it within thirty days of delivery."},
        {"id": "c2", "doc_id": "d", "text": "Again: within thirty days of delivery."},
    ]
    run = one(tmp_path, items, quote, "e")
    assert value(run, "recall@2") == 1 / 2  # one of two passages, however often it comes
    assert value(run, "precision@2") == 1.0
    assert value(run, "redundancy@2") == 1 / 2
    assert value(run, "nDCG@2") == pytest.approx(1 / (1 + 1 / LOG3), abs=1e-12)


def test_a_bigger_chunk_that_carries_two_passages_is_one_item(tmp_path):
    first, second = ({"doc_id": "d", "quote": words} for words in ("alpha beta gamma", "delta epsilon zeta"))
    whole = [{"id": "c", "doc_id": "d", "text": "alpha beta gamma and delta epsilon zeta"}]
    run = one(tmp_path, whole, first, second)
    assert value(run, "recall@2") == 1.0
    assert value(run, "nDCG@2") == 1.0
    assert score_of(run, "recall@2", "q")["denominator"] == 1.0
    assert score_of(run, "coverage@2", "q")["denominator"] == 2.0  # coverage counts passages


def test_one_of_several_alternatives_is_enough(tmp_path):
    either = [{"doc_id": name, "any_of": "which"} for name in ("d1", "d2")]
    run = one(tmp_path, ["d2", "d1"], *either, "d3")
    assert value(run, "coverage@2") == 1 / 2
    assert value(run, "recall@2") == 1 / 2
    assert value(run, "redundancy@2") == 1 / 2


def test_a_group_that_is_needed_whole_is_covered_only_whole(tmp_path):
    both = [{"doc_id": name, "all_of": "steps"} for name in ("d1", "d2")]
    run = one(tmp_path, ["d1", "x", "d2"], *both)
    assert (value(run, "coverage@2"), value(run, "coverage@4")) == (0.0, 1.0)
    assert (value(run, "recall@2"), value(run, "recall@4")) == (1 / 2, 1.0)


def test_what_is_not_listed_is_unknown_under_scope_listed_and_bounds_say_how_much(tmp_path):
    run = one(tmp_path, ["x", "d1"], "d1", judgments="listed")
    assert value(run, "coverage@2") == 1.0
    precision, rank = score_of(run, "precision@2", "q"), score_of(run, "RR@2", "q")
    assert (precision["status"], precision["value"], precision["low"], precision["high"]) == ("bounded", None, 0.5, 1.0)
    assert (rank["low"], rank["high"]) == (0.5, 1.0)
    assert "unjudged" in rank["reason"]
    assert value(run, "judged@2") == 1 / 2


def test_a_passage_judged_not_relevant_is_known_to_be_so(tmp_path):
    run = one(tmp_path, ["x", "d1"], "d1", {"doc_id": "x", "grade": 0}, judgments="listed")
    assert value(run, "precision@2") == 1 / 2
    assert value(run, "RR@2") == 1 / 2
    assert value(run, "judged@2") == 1.0


def test_a_chunk_of_which_nobody_can_tell_is_unknown_even_where_the_judgments_are_complete(tmp_path):
    quote = {"doc_id": "d", "quote": "thirty days"}
    run = one(tmp_path, [{"id": "d#7", "doc_id": "d"}], quote)  # neither text nor range: it may hold the quote
    assert score_of(run, "precision@2", "q")["status"] == "bounded"
    assert run.rankings()["grade"].to_list() == [-1]


@pytest.mark.parametrize("judgments", ["exhaustive", "listed"])
def test_evidence_that_such_a_chunk_may_carry_is_neither_reached_nor_missed(tmp_path, judgments):
    # d may hold its quote, or not; e is reached at rank 3 for sure: 1 or 2 of the 2 passages
    quote = {"doc_id": "d", "quote": "thirty days"}
    reply = [{"id": "d#7", "doc_id": "d"}, "x", "e"]
    run = one(tmp_path, reply, quote, "e", judgments=judgments)
    bounds = {k: score_of(run, f"coverage@{k}", "q") for k in (2, 4)}
    assert [(bounds[k]["status"], bounds[k]["low"], bounds[k]["high"]) for k in bounds] == [
        ("bounded", 0.0, 0.5),
        ("bounded", 0.5, 1.0),
    ]
    assert "could not be placed" in bounds[2]["reason"]
    recall = score_of(run, "recall@4", "q")
    assert recall["low"] <= 1 / 2
    assert recall["high"] == 1.0  # the chunk that may hold the quote is not counted beside the quote
    assert run.manifest.counts.unplaced_chunks == 1


def test_rankings_of_another_version_are_said_to_be_such(tmp_path):
    run = one(tmp_path, ["d"], "d")
    run.rankings().drop("unplaced").write_parquet(run.folder / "rankings.parquet")
    with pytest.raises(BundleError, match=r"no column unplaced; another version"):
        score(run.folder)


def test_several_calls_are_scored_together_and_the_last_one_by_name(tmp_path):
    answer = {"retrievals": [{"query": "a", "items": ["x", "d1"]}, {"query": "b", "items": ["d1", "d2"]}]}
    golden = dataset(case("q", "d1", "d2"), case("single", "d1"))
    run = finished(tmp_path, golden, lambda question, k: answer if question == "q?" else ["x", "d1"])
    # together: x d1 d2; the last call: d1 d2; an item with a single call is the same in both
    assert (value(run, "recall@2"), value(run, "recall@4"), value(run, "recall@2[last]")) == (1 / 2, 1.0, 1.0)
    assert (value(run, "RR@2"), value(run, "RR@2[last]")) == (1 / 2, 1.0)
    assert value(run, "RR@2", "single") == value(run, "RR@2[last]", "single") == 1 / 2
    assert "last retrieval call" in run.declarations["recall@2[last]"].title
    views = {key: frame["chunk_id"].to_list() for key, frame in run.rankings().group_by("case_id", "view")}
    assert views["q", "union"] == ["x", "d1", "d2"]
    assert views["q", "last"] == ["d1", "d2"]
    assert ("single", "last") not in views


def test_where_every_trace_holds_one_call_there_is_no_second_name(tmp_path):
    assert not [name for name in one(tmp_path, ["d"], "d").declarations if "[last]" in name]


def test_below_a_reranker_stands_what_it_dropped(tmp_path):
    call = {"items": ["a", "b", "d", "c"], "reranked": ["d", "a"]}
    run = one(tmp_path, {"retrievals": [call]}, "d", "c")
    assert run.rankings()["chunk_id"].to_list() == ["d", "a", "b", "c"]
    assert (value(run, "recall@2"), value(run, "recall@4")) == (1 / 2, 1.0)


def test_what_the_model_saw_is_a_view_of_its_own_and_marked_in_the_ranking(tmp_path):
    run = one(tmp_path, {"retrieved": ["a", "d"], "supplied": ["d", "elsewhere"], "text": "x"}, "d", judge=PlainJudge())
    rows = run.rankings().select("view", "chunk_id", "grade", "supplied").rows()
    assert rows == [
        ("union", "a", 0, False),
        ("union", "d", 1, True),
        ("supplied", "d", 1, True),
        ("supplied", "elsewhere", 0, True),
    ]


def test_nothing_retrieved_is_zero_and_nothing_reported_is_undefined(tmp_path):
    golden = dataset(case("empty", "d"), case("silent", "d"))
    run = finished(tmp_path, golden, lambda question, k: [] if question == "empty?" else {"text": "x"})
    assert (value(run, "recall@2", "empty"), value(run, "RR@2", "empty")) == (0.0, 0.0)
    silent = score_of(run, "recall@2", "silent")
    assert (silent["status"], silent["value"]) == ("undefined", None)
    assert "did not report" in silent["reason"]


def test_items_counted_piece_by_piece_have_the_scores_of_all_at_once(tmp_path, monkeypatch):
    graded = [{"doc_id": "d1", "grade": 3}, {"doc_id": "d2"}]
    golden = dataset(case("a", *graded), case("b", "d3"), case("c", "d4"), case("e", "d1"), judgments="listed")

    def system(question, k):
        if question == "e?":
            raise TargetError("down")
        return ["d2", "x", "d1"][:k] if question == "a?" else [question, "d3"]

    run = finished(tmp_path, golden, system, metrics=("ERR@4", "RBP(p=0.8)@4"), retries=0)
    whole = run.scores()
    monkeypatch.setattr("ragvet.runs._count_retrieval._ITEMS_AT_ONCE", 2)
    assert score(run.folder).scores().equals(whole)


def test_a_case_without_evidence_has_no_retrieval_scores(tmp_path):
    golden = dataset(case("q", "d"), case("unanswerable", behaviour="refuse"))
    run = finished(tmp_path, golden, lambda question, k: ["d"])
    assert set(run.scores()["case_id"]) == {"q"}


def test_a_stale_annotation_counts_neither_for_nor_against_the_target(tmp_path):
    documents = corpus({"doc_id": "d", "text": "The new wording."}, {"doc_id": "e", "text": "More."})
    stale = {"doc_id": "d", "quote": "the old wording nobody kept"}
    golden = dataset(case("partly", stale, "e"), case("wholly", stale))
    run = finished(tmp_path, golden, lambda question, k: ["e", "d"], documents=documents)
    assert (value(run, "recall@2", "partly"), value(run, "coverage@2", "partly")) == (1.0, 1.0)
    wholly = score_of(run, "recall@2", "wholly")
    assert (wholly["status"], wholly["reason"]) == ("undefined", "every annotation of the case is stale")
    assert run.manifest.counts.stale_annotations == 2


def test_ambiguous_cases_are_kept_and_stand_outside_of_all(tmp_path):
    disagreed = {"reviewers": ["a", "b"], "agreed": False}
    golden = dataset(case("q", "d"), case("unsure", "d", adjudication=disagreed))
    run = finished(tmp_path, golden, lambda question, k: ["d"])
    hits = {summary.stratum: summary.eligible for summary in run.summaries() if summary.metric == "hit@2"}
    assert hits == {"all": 1, "category=a": 1, "ambiguous": 1}
    assert run.manifest.counts.ambiguous == 1


def test_summaries_of_one_label_leave_the_others_out(tmp_path):
    golden = dataset(case("q", "d", labels={"risk": "high"}), case("r", "d", labels={"risk": "low"}))
    run = finished(tmp_path, golden, lambda question, k: ["d"])
    assert {summary.stratum for summary in run.summaries("risk")} == {"all", "risk=high", "risk=low"}


def test_counting_again_gives_the_same_scores_bit_for_bit_and_asks_nobody(tmp_path):
    asked = []

    def system(question, k):
        asked.append(question)
        return {"retrieved": ["x", "d"], "text": "x"}

    judge = PlainJudge()
    run = finished(tmp_path, dataset(case("q", "d"), case("r", "x")), system, judge=judge)
    before = run.scores()
    (run.folder / "scores.parquet").unlink()
    again = score(run.folder)
    assert again.scores().equals(before)
    assert again.manifest == run.manifest
    assert (len(asked), len(judge.asked)) == (2, 2)


def test_further_metrics_of_the_configuration_are_counted_as_well(tmp_path):
    run = one(tmp_path, ["x", "d"], "d", metrics=("ndcg@1", "AP"))
    assert value(run, "nDCG@1") == 0.0
    assert value(run, "AP") == 1 / 2


def test_scores_and_rankings_hold_no_document_text(tmp_path):
    confidential = "the merger closes in May"
    items = [{"id": "c1", "doc_id": "d", "text": confidential}]

    def system(question, k):
        if question == "fails?":
            raise ValueError(confidential)
        return {
            "retrieved": items,
            "supplied": items,
            "text": confidential,
            "citations": [{"chunk_id": "c1", "quote": confidential}],
        }

    golden = dataset(case("q", {"doc_id": "d", "quote": confidential}), case("fails", "d"))
    run = finished(tmp_path, golden, system, judge=PlainJudge())
    for frame in (run.scores(), run.rankings(), run.case_frame()):
        assert confidential not in str(frame.to_dicts())
    assert confidential not in (run.folder / "manifest.json").read_text()
    assert [trace.error.message for trace in run.traces() if trace.error] == [f"raised ValueError: {confidential}"]


def test_money_and_tokens_nobody_reported_stay_unknown(tmp_path):
    usage = {"generation": {"input_tokens": 10, "cost": 0.5}, "embedding": {"input_tokens": 3}}
    golden = dataset(case("q", "d"), case("r", "d"))
    reply = {"retrieved": ["d"]}
    run = finished(tmp_path, golden, lambda question, k: reply | ({"usage": usage} if question == "q?" else {}))
    serving = run.manifest.serving
    assert (serving.cost, serving.input_tokens, serving.output_tokens, serving.reported) == (0.5, 13, None, 1)
    assert run.manifest.judging.cost is None


def test_ids_with_spaces_slashes_quotes_and_any_script_stay_apart(tmp_path):
    names = ["a b", "a/b", 'a"b', "a'b", "a\\b", "ａb", "\u00e9", "e\u0301", "<b>", "نص"]
    golden = dataset(*(case(name, f"doc {name}") for name in names))
    found = {f"{name}?": [f"doc {name}"] for name in names}
    run = finished(tmp_path, golden, lambda question, k: found[question])
    assert [value(run, "hit@2", name) for name in names] == [1.0] * len(names)


def test_a_passage_of_several_chunks_is_reached_chunk_by_chunk(tmp_path):
    # p is marked by a and b, r by c alone; x is neither
    gold = [{"doc_id": "p", "chunk_ids": ["a", "b"]}, {"doc_id": "r", "chunk_ids": ["c"]}]
    run = finished(
        tmp_path,
        dataset(case("q", *gold)),
        lambda question, k: ["a", "x", "b"],
        depths=(2, 3),
        metrics=("chunk_coverage@2", "chunk_coverage@3"),
    )
    assert value(run, "chunk_coverage@2", "q") == pytest.approx(1 / 3)  # one of three ids
    assert value(run, "chunk_coverage@3", "q") == pytest.approx(2 / 3)
    assert value(run, "RR@2", "q") == 1  # the rank of the first of its chunks
    assert value(run, "coverage@2", "q") == 0.25  # one of two chunks of p, none of r
    assert value(run, "coverage@3", "q") == 0.5
    assert value(run, "recall@2", "q") == 0  # p is found once both are
    assert value(run, "recall@3", "q") == 0.5
    assert value(run, "precision@3", "q") == pytest.approx(2 / 3)
    assert value(run, "redundancy@3", "q") == 0  # b brings what a did not


def test_the_grade_of_a_chunk_is_that_of_the_new_evidence_in_it():
    gold = [{"doc_id": "d", "quote": "alpha beta gamma", "grade": 3}, {"doc_id": "d", "quote": "delta epsilon zeta"}]
    asked = Case.model_validate(case("q", *gold))
    items = [
        {"id": "c1", "doc_id": "d", "text": "alpha beta gamma"},
        {"id": "c2", "doc_id": "d", "text": "alpha beta gamma delta epsilon zeta"},
        {"id": "c3", "doc_id": "d", "text": "alpha beta gamma"},
    ]
    trace = Trace(case_id="q", question="q?", answer=Answer.model_validate({"retrieved": items}))
    rows = Anchoring(None, "exhaustive", 0.5).frame([(asked, trace)]).select("grade", "redundant").rows()
    assert rows == [(3, False), (1, False), (3, True)]


@pytest.mark.parametrize("scope", ["exhaustive", "listed"])
def test_retrieval_is_not_measured_where_nobody_marked_the_evidence(tmp_path, scope):
    """Nothing is vouched for of a case nobody looked at: its chunks are unjudged, and it is in no denominator."""
    golden = dataset(case("marked", "d1"), case("unmarked", reference_answer="It is d1."), judgments=scope)
    run = finished(tmp_path, golden, lambda question, k: ["d1", "d2"])
    retrieval = run.scores().filter(pl.col("metric").is_in(["coverage@2", "precision@2", "RR@2"]))
    assert set(retrieval["case_id"]) == {"marked"}
    grades = run.rankings().filter(pl.col("case_id") == "unmarked")["grade"]
    assert set(grades) == {-1}
    assert run.manifest.counts.unmarked == 1
