from tests.metrics.answers.make import case, claims, judged, support

from ragvet.metrics.answers import REGISTRY, ChunkGrades, score_case
from ragvet.records import Failed, JudgeFailure, Trace, TraceError

ANSWER = judged(claims=claims(1), support=support(c1="p1:supported"), latency=0.5)


def scores(asked=None, trace=ANSWER.trace, verdicts=ANSWER.verdicts, **more):
    return {score.metric: score for score in score_case(asked or case(), trace, verdicts, **more)}


def test_every_metric_the_case_is_eligible_for_has_one_score_in_the_order_of_the_registry():
    asked = case(expected_behaviour="refuse")
    found = score_case(asked, ANSWER.trace, ANSWER.verdicts)
    assert [score.metric for score in found] == [name for name, metric in REGISTRY.items() if metric.applies(asked)]
    assert {(score.case_id, score.repeat) for score in found} == {("c", 0)}


def test_a_failed_target_fails_every_metric_with_its_cause():
    error = TraceError(kind="TargetTimeout", message="no answer within 60 s")
    failed = Trace(case_id="c", repeat=2, question="?", error=error)
    found = scores(trace=failed, verdicts=None)
    assert {score.outcome for score in found.values()} == {Failed(error="TargetTimeout: no answer within 60 s")}
    assert {score.repeat for score in found.values()} == {2}


def test_a_failed_judge_fails_what_needs_it_and_nothing_else():
    found = scores(verdicts=JudgeFailure(case_id="c", judge="j", error="truncated"))
    assert found["faithfulness"].outcome == Failed(error="judge: truncated")
    assert found["latency"].outcome.value == 0.5
    failed = {name for name, score in found.items() if score.outcome.status == "failed"}
    assert failed == {name for name in found if REGISTRY[name].judged}


def test_an_answer_nobody_judged_failed_its_judging():
    assert scores(verdicts=None)["faithfulness"].outcome == Failed(error="judge: the answer was not judged")


def test_evidence_and_metrics_can_be_given():
    refused = judged("refused")
    wrong = REGISTRY["wrong_refusal_with_evidence"]
    evidence = ChunkGrades({"p1": 1, "p2": 0, "p3": 0})
    marked = case(reference_passages=[{"doc_id": "d"}])
    (found,) = score_case(marked, refused.trace, refused.verdicts, evidence=evidence, metrics=[wrong])
    assert (found.metric, found.outcome.value) == ("wrong_refusal_with_evidence", 1.0)


def test_where_nobody_marked_the_evidence_no_refusal_is_blamed_on_retrieval_or_on_the_model():
    assert "wrong_refusal" in scores(case())
    assert not {name for name in scores(case()) if name.startswith("wrong_refusal_with")}
