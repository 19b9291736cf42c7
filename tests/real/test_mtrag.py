"""MTRAG's human-evaluated conversations, from the published files to scores by stratum."""

import importlib
import json
import sys
from collections import Counter
from contextlib import chdir
from pathlib import Path

import pytest
from tests.shared_data import shared

import ragvet
from ragvet.dataset import load_corpus, load_dataset
from ragvet.runs import Run
from ragvet.targets import RecordedTraces

EXAMPLE = Path(__file__).parents[2] / "examples" / "mtrag"
RESPONDERS = ("reference", "llama-3.1-405b-instruct", "gpt-4o")


@pytest.fixture(scope="module")
def example():
    """The two modules of the example, imported as its user would."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        yield {name: importlib.import_module(name) for name in ("convert", "bm25")}
    finally:
        sys.path.remove(str(EXAMPLE))
        for name in ("convert", "bm25"):
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def project(example, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mtrag")
    example["convert"].convert(shared("mtrag"), folder)
    return folder


@pytest.fixture(scope="module")
def subset():
    return json.loads((shared("mtrag") / "reference_subset_with_human_evaluations.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def retrieval_run(project, example):
    with chdir(project):
        run = ragvet.evaluate(
            "golden.jsonl", example["bm25"].last_turn, depths=(5, 20), corpus="corpus.jsonl", judge="none"
        )
        return Run.open(run.folder.resolve())


def summary(run, metric, stratum="all"):
    (found,) = [s for s in run.summaries() if s.metric == metric and s.stratum == stratum]
    return found


def test_every_turn_becomes_a_case_with_the_turns_before_it(project, subset):
    dataset = load_dataset(project / "golden.jsonl")
    assert len(dataset.cases) == len(subset["tasks"]) == 159
    for case, task in zip(dataset.cases, subset["tasks"], strict=True):
        assert [turn.content for turn in case.history] == [turn["text"] for turn in task["input"][:-1]]
        assert [turn.role for turn in case.history] == ["user", "assistant"] * (len(task["input"]) // 2)
    # The counts are those of the data set's own description.
    assert Counter(case.category for case in dataset.cases) == {
        "answerable": 135,
        "partial": 15,
        "unanswerable": 7,
        "conversational": 2,
    }
    assert sum(case.ambiguous for case in dataset.cases) == 2


def test_every_passage_named_is_in_the_corpus(project):
    corpus = load_corpus(project / "corpus.jsonl")
    assert len(corpus.documents) == 1488
    cases = load_dataset(project / "golden.jsonl").cases
    assert all(passage.doc_id in corpus for case in cases for passage in case.reference_passages)


def test_the_answers_of_all_three_responders_can_be_read(project):
    dataset = load_dataset(project / "golden.jsonl")
    by_id = {case.id: case for case in dataset.cases}
    for responder in RESPONDERS:
        traces = RecordedTraces.open(project / f"answers-{responder}.jsonl")
        assert set(traces.check(by_id).values()) == {1}
        read = list(traces.read(by_id))
        assert len(read) == 159
        assert all(trace.answer is not None and trace.answer.text for trace in read)


def test_coverage_is_the_share_of_marked_passages_among_the_first_k(project, example, subset, retrieval_run):
    with chdir(project):  # a second implementation, straight from the published file
        shares = {5: [], 20: []}
        for task in subset["tasks"]:
            gold = {context["document_id"] for context in task["contexts"]}
            found = [name for name, _ in example["bm25"].last_turn(task["input"][-1]["text"], 20)]
            for k, values in shares.items():
                if gold:
                    values.append(len(gold & set(found[:k])) / len(gold))
    for k, values in shares.items():
        scored = summary(retrieval_run, f"coverage@{k}")
        assert scored.scored == len(values) == 150
        assert scored.mean == pytest.approx(sum(values) / len(values), abs=1e-12)


def test_strata_of_one_label_partition_the_cases(retrieval_run):
    for label in ("category", "collection", "question_type", "turn"):
        parts = [s for s in retrieval_run.summaries(label) if s.metric == "coverage@5" and s.stratum.startswith(label)]
        assert sum(part.eligible for part in parts) == summary(retrieval_run, "coverage@5").eligible


def test_reciprocal_rank_stays_a_range_where_unlisted_passages_stand_above_the_first_gold_one(retrieval_run):
    scores = retrieval_run.scores()
    first = scores.filter((scores["metric"] == "RR@5") & (scores["status"] == "scored"))
    assert set(first["value"]) == {1.0}  # known only where a marked passage stands first
    assert summary(retrieval_run, "RR@5").mean is None


def test_recorded_answers_are_judged_without_calling_anything(project):
    with chdir(project):
        run = ragvet.evaluate(
            "golden.jsonl", RecordedTraces.open("answers-gpt-4o.jsonl"), depths=(5, 20), corpus="corpus.jsonl"
        )
        run = Run.open(run.folder.resolve())
    counts = run.manifest.counts
    assert (counts.answered, counts.judged, counts.judge_failed, counts.ambiguous) == (159, 159, 0, 2)
    # Refusals have their own set: the 7 unanswerable turns; the 150 others are expected to be answered.
    assert (
        summary(run, "missed_refusal").eligible == summary(run, "missed_refusal", "category=unanswerable").eligible == 7
    )
    assert summary(run, "wrong_refusal").eligible == summary(run, "faithfulness").eligible == 150
    assert {s.stratum for s in run.summaries("category") if s.metric == "faithfulness" and s.eligible} == {
        "all",
        "category=answerable",
        "category=partial",
    }
    # What the responders were given was recorded, what was retrieved was not: unknown, and said so.
    coverage = summary(run, "coverage@5")
    assert coverage.scored == coverage.bounded == 0
    assert sum(coverage.undefined.values()) == 150
