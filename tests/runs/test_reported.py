"""What a target says of itself is taken; what it does not report is unknown, never 0."""

import pytest
from tests.runs.make import PlainJudge, case, dataset, finished, score_of

from ragvet.errors import JudgeError
from ragvet.judging.local import OfflineJudge
from ragvet.targets import RecordedTraces

TEXT = "Goods can be returned within 30 days of delivery."
ITEMS = [{"id": "terms", "doc_id": "terms", "text": TEXT}]


def recorded(*answers):
    return RecordedTraces.of([{"case": name, **answer} for name, answer in answers])


def test_without_a_judge_the_targets_own_word_on_what_it_did_is_counted(tmp_path):
    golden = dataset(*(case(name, "d") for name in ("a", "b", "c")), case("r", behaviour="refuse"))
    told = [("a", "answered"), ("b", "refused"), ("c", None), ("r", "answered")]
    traces = recorded(*((name, {"answer": "So.", "retrieved": ["d"], "behaviour": did}) for name, did in told))
    run = finished(tmp_path, golden, traces)
    assert [score_of(run, "wrong_refusal", name)["value"] for name in ("a", "b")] == [0, 1]
    unknown = score_of(run, "wrong_refusal", "c")
    assert (unknown["status"], unknown["low"], unknown["high"]) == ("bounded", 0, 1)
    assert score_of(run, "missed_refusal", "r")["value"] == 1
    assert score_of(run, "answer_coverage", "b")["value"] == 0


def test_without_a_judge_and_without_its_word_nothing_is_said_of_what_it_did(tmp_path):
    run = finished(tmp_path, dataset(case("a", "d")), recorded(("a", {"answer": "So.", "retrieved": ["d"]})))
    assert "wrong_refusal" not in run.declarations


def test_a_judge_that_failed_takes_nothing_from_what_the_target_told(tmp_path):
    def failing(case):
        raise JudgeError("cut off")

    traces = recorded(("a", {"answer": "So.", "retrieved": ["d"], "behaviour": "refused"}))
    run = finished(tmp_path, dataset(case("a", "d")), traces, judge=PlainJudge(failing=failing))
    assert score_of(run, "wrong_refusal", "a")["value"] == 1
    assert score_of(run, "faithfulness", "a")["status"] == "failed"


def test_recorded_cases_need_not_be_repeated_alike(tmp_path):
    again = {"answer": "So.", "retrieved": ["d"]}
    traces = RecordedTraces.of([{"case": "a", **again}, {"case": "a", "repeat": 1, **again}, {"case": "b", **again}])
    run = finished(tmp_path, dataset(case("a", "d"), case("b", "d"), case("lost", "d")), traces)
    assert [trace.key for trace in run.traces()] == [("a", 0), ("a", 1), ("b", 0), ("lost", 0)]
    assert run.manifest.counts.failed == {"NotRecorded": 1}


@pytest.mark.parametrize("supplied", [True, False])
def test_a_marker_leads_nowhere_only_where_it_is_known_what_there_was(tmp_path, supplied):
    given = {"retrieved": ITEMS, "supplied": ITEMS} if supplied else {}
    traces = recorded(("a", {"answer": f"{TEXT} [2]", **given}))
    run = finished(tmp_path, dataset(case("a", "terms")), traces, judge=OfflineJudge())
    found = score_of(run, "citation_precision", "a")
    assert (found["low"], found["high"]) == ((0, 0) if supplied else (0, 1))


def test_whether_a_target_cites_is_decided_once_for_the_run(tmp_path):
    answers = {"a": f"{TEXT} [1]", "b": TEXT}
    given = {"retrieved": ITEMS, "supplied": ITEMS}
    traces = recorded(*((name, {"answer": text, **given}) for name, text in answers.items()))
    golden = dataset(case("a", "terms"), case("b", "terms"))
    run = finished(tmp_path, golden, traces, judge=OfflineJudge())
    assert run.manifest.cites is True
    assert [score_of(run, "citation_recall", name)["value"] for name in ("a", "b")] == [1, 0]
    silent = recorded(*((name, {"answer": TEXT, **given}) for name in answers))
    run = finished(tmp_path / "silent", golden, silent, judge=OfflineJudge())
    assert run.manifest.cites is False
    assert score_of(run, "citation_recall", "a")["status"] == "undefined"
