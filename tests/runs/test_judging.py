from __future__ import annotations

import pytest
from tests.runs.make import PlainJudge, case, corpus, dataset, finished

from ragvet.errors import BudgetReached, BundleError, InputError, JudgeError
from ragvet.records import JudgeFailure
from ragvet.runs import Judging, Run, config_of, judge_run

GOLDEN = dataset(*(case(f"q{number}", "d") for number in range(4)))


class OtherJudge(PlainJudge):
    fingerprint = "other"
    concurrency = 1


def answering(question, k):
    return {"text": "It is so.", "retrieved": [{"chunk_id": "d", "doc_id": "d", "text": "It is so."}]}


def judging(failing=lambda case: None):
    return Judging(OtherJudge(failing), {"kind": "other"})


def test_a_judging_that_was_stopped_asks_only_for_the_rest(tmp_path):
    source = finished(tmp_path, GOLDEN, answering, judge=PlainJudge())

    def stop(case):
        if case.id == "q2":
            raise BudgetReached("spent")

    runs = tmp_path / "my runs"
    with pytest.raises(BudgetReached, match=r"go on with: ragvet judge '.*/my runs/.*'$"):
        judge_run(source.folder, judging(stop), runs=runs)
    (stopped,) = runs.iterdir()
    with pytest.raises(BundleError, match=r"Continue it with: ragvet judge '.*/my runs/.*'$"):
        Run.open(stopped)
    with pytest.raises(BundleError, match=r"go on with: ragvet judge '.*/my runs/.*'$"):
        config_of(stopped)
    rest = judging()
    done = judge_run(stopped, rest, runs=runs)
    assert rest.judge.asked == ["q2", "q3"]
    assert done.folder == stopped
    assert [one.judge for one in done.verdicts()] == ["plain"] * 4  # as the judge signs
    assert (done.manifest.judged_from, done.manifest.judge_fingerprint) == (source.id, "other")
    assert done.manifest.counts.judged == 4


def test_a_stopped_judging_does_not_go_on_with_another_judge(tmp_path):
    source = finished(tmp_path, GOLDEN, answering, judge=PlainJudge())

    def stop(case):
        raise BudgetReached("spent")

    with pytest.raises(BudgetReached):
        judge_run(source.folder, judging(stop), runs=tmp_path / "runs")
    (stopped,) = [folder for folder in (tmp_path / "runs").iterdir() if folder != source.folder]
    with pytest.raises(InputError, match="two judges must not stand in one run"):
        judge_run(stopped, Judging(PlainJudge(), {"kind": "plain"}), runs=tmp_path / "runs")


def test_failures_are_retried_in_the_run_itself_and_everything_else_stays(tmp_path):
    def fail(case):
        if case.id == "q1":
            raise JudgeError("no", raw="raw")

    source = finished(tmp_path, GOLDEN, answering, judge=OtherJudge(fail))
    assert [one.case_id for one in source.verdicts() if isinstance(one, JudgeFailure)] == ["q1"]
    again = judging()
    done = judge_run(source.folder, again, runs=tmp_path / "runs", retry_failed=True)
    assert again.judge.asked == ["q1"]
    assert done.folder == source.folder
    assert (done.manifest.counts.judged, done.manifest.counts.judge_failed) == (4, 0)
    assert len(list((tmp_path / "runs").iterdir())) == 1


def test_what_failed_at_the_target_is_not_judged_and_still_counts_as_failed(tmp_path):
    def system(question, k):
        if question == "q0?":
            raise RuntimeError("down")
        return answering(question, k)

    source = finished(tmp_path, GOLDEN, system, judge=PlainJudge(), retries=0)
    other = judging()
    done = judge_run(source.folder, other, runs=tmp_path / "runs")
    assert other.judge.asked == ["q1", "q2", "q3"]
    assert done.manifest.counts.failed == source.manifest.counts.failed


def test_a_run_without_answers_and_another_corpus_are_refused_at_once(tmp_path):
    source = finished(tmp_path, GOLDEN, lambda question, k: ["d"], documents=corpus("d"))
    with pytest.raises(InputError) as failure:
        judge_run(source.folder, judging(), runs=tmp_path / "runs")
    assert [problem.field for problem in failure.value.problems] == [None, "corpus"]
    assert len(list((tmp_path / "runs").iterdir())) == 1
