"""`ragvet.evaluate`: the same run from Python."""

import asyncio

import pytest
from tests.runs.make import case, corpus, dataset, score_of

import ragvet
from ragvet.errors import BundleError, InputError
from ragvet.targets import RecordedTraces


@pytest.fixture(autouse=True)
def _project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


GOLDEN = dataset(case("q1", "d1"), case("q2", "d2"))


def search(question, k):
    return ["d1", "x"][:k]


def test_a_callable_is_run_over_a_golden_set_and_kept_in_the_project(tmp_path):
    run = ragvet.evaluate(GOLDEN, search, depths=(1, 2), judge="none")
    assert run.folder.parent.resolve() == tmp_path / ".ragvet" / "runs"
    assert [score_of(run, "hit@1", name)["value"] for name in ("q1", "q2")] == [1.0, 0.0]
    assert ragvet.Run.open(run.folder).manifest == run.manifest
    assert run.manifest.target == "tests.test_evaluate:search"


def test_a_run_can_be_read_after_the_caller_has_changed_its_folder(tmp_path, monkeypatch):
    run = ragvet.evaluate(GOLDEN, search, depths=(1, 2), judge="none")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run.scores().height > 0


def test_it_works_inside_a_running_event_loop_with_targets_of_both_kinds():
    async def search_async(question, k):
        await asyncio.sleep(0)
        return ["d1"]

    async def notebook():
        runs = [ragvet.evaluate(GOLDEN, target, depths=(1, 2), judge="none") for target in (search, search_async)]
        await asyncio.sleep(0)  # the loop goes on
        return [run.manifest.counts.answered for run in runs]

    assert asyncio.run(notebook()) == [2, 2]


def test_files_recorded_traces_and_a_corpus_are_taken_by_path_or_as_objects(tmp_path):
    (tmp_path / "golden.jsonl").write_text(
        '{"judgments": "listed"}\n'
        '{"id": "q1", "question": "?", "category": "a", "expected_behaviour": "answer", '
        '"reference_passages": [{"doc_id": "d1"}]}\n'
    )
    (tmp_path / "corpus.jsonl").write_text('{"doc_id": "d1"}\n')
    recorded = RecordedTraces.of([{"case": "q1", "answer": "x", "retrieved": ["d1"]}])
    for documents in ("corpus.jsonl", corpus("d1")):
        run = ragvet.evaluate("golden.jsonl", recorded, depths=(1, 2), corpus=documents, judge="none")
        assert score_of(run, "coverage@1", "q1")["value"] == 1.0
        assert run.manifest.corpus_fingerprint is not None


def test_the_offline_judge_is_asked_unless_told_otherwise():
    documents = {"id": "d1", "doc_id": "d1", "text": "Returns are accepted within 30 days."}
    reply = {"text": "Returns are accepted within 30 days.", "retrieved": [documents], "supplied": [documents]}
    run = ragvet.evaluate(GOLDEN, lambda question, k: reply, depths=(1, 2))
    assert run.manifest.judge_fingerprint
    assert run.manifest.counts.judged == 2
    assert score_of(run, "faithfulness", "q1")["value"] == 1.0


def test_a_golden_set_without_a_scope_is_asked_for_it():
    undeclared = ragvet.Dataset.of([case("q", "d")])
    with pytest.raises(InputError, match="exhaustive"):
        ragvet.evaluate(undeclared, search, depths=(1, 2))


@pytest.mark.parametrize(("depths", "named"), [((5, 2), "deep_k"), ((0, 2), "supplied_k"), (("a", 2), "supplied_k")])
def test_impossible_depths_are_named(depths, named):
    with pytest.raises(InputError, match=named):
        ragvet.evaluate(GOLDEN, search, depths=depths)


@pytest.mark.parametrize(
    ("given", "field"), [({"judge": "offlien"}, "judge"), ({"depths": 5}, "depths"), ({"depths": (5,)}, "depths")]
)
def test_what_is_no_judge_and_no_pair_of_depths_is_named(given, field):
    with pytest.raises(InputError) as caught:
        ragvet.evaluate(GOLDEN, search, **{"depths": (1, 2), **given})
    assert [problem.field for problem in caught.value.problems] == [field]


def test_evidence_in_a_document_the_corpus_lacks_is_an_error_of_the_golden_set():
    with pytest.raises(InputError, match="d2"):
        ragvet.evaluate(GOLDEN, search, depths=(1, 2), corpus=corpus("d1"))


def test_a_run_says_what_it_is_and_prints_the_metrics_asked_for():
    run = ragvet.evaluate(GOLDEN, search, depths=(1, 2), judge="none")
    target = "tests.test_evaluate:search"
    assert repr(run) == f"Run {run.id}: cases → {target}, 2 cases, 2 of 2 calls answered ({run.folder})"
    # q1 finds its document at rank 1, q2 never: under scope exhaustive x is not relevant
    assert str(run.summary("RR@2", "coverage@1")) == (
        "RR@2        0.500  2 scored of 2\ncoverage@1  0.500  2 scored of 2"
    )
    assert str(run.summary("coverage@1", label="category")) == (
        "coverage@1              0.500  2 scored of 2\ncoverage@1  category=a  0.500  2 scored of 2"
    )
    assert {row.metric for row in run.summary()} <= run.declarations.keys()
    assert repr(run.summary("RR@2")) == str(run.summary("RR@2"))


def test_a_metric_or_label_the_run_does_not_hold_is_an_error_with_the_nearest():
    run = ragvet.evaluate(GOLDEN, search, depths=(1, 2), judge="none")
    with pytest.raises(InputError) as caught:
        run.summary("coverege@1", "RR@2", label="categry")
    assert [problem.action for problem in caught.value.problems] == [
        "Did you mean 'coverage@1'?",
        "Did you mean 'category'?",
    ]
    with pytest.raises(InputError, match=r"run\.summaries: found 'catgory'.*Did you mean 'category'\?"):
        run.summaries("catgory")
    with pytest.raises(InputError, match=r"There are: category\."):
        run.summaries("risk")
    with pytest.raises(BundleError, match=r"no case 'Q1' with repeat 0\. Did you mean 'q1'\?"):
        run.trace("Q1")


def test_wrong_types_are_told_what_is_needed():
    coroutine = asyncio.sleep(0)
    with pytest.raises(InputError, match="found a value of type coroutine; expected a function"):
        ragvet.evaluate(GOLDEN, coroutine, depths=(1, 2))
    coroutine.close()
    with pytest.raises(InputError, match=r"calls: found {'concurrency': 2}; expected a CallPolicy"):
        ragvet.evaluate(GOLDEN, search, depths=(1, 2), calls={"concurrency": 2})
    with pytest.raises(InputError, match="recorded traces, record 2: found 'q2'; expected a record"):
        RecordedTraces.of([{"case": "q1"}, "q2"])
    with pytest.raises(InputError, match="expected what JSON has a form for"):
        RecordedTraces.of([{"case": "q1", "retrieved": [object()]}])


def test_lists_are_told_how_they_become_a_golden_set_and_a_corpus():
    with pytest.raises(InputError, match=r"Dataset\.of.*Corpus\.of|Corpus\.of") as caught:
        ragvet.evaluate([case("q", "d")], search, depths=(1, 2), corpus=[{"doc_id": "d"}])
    assert [problem.field for problem in caught.value.problems] == ["dataset", "corpus"]
    assert "ragvet.Dataset.of(cases" in caught.value.problems[0].action
