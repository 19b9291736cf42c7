from __future__ import annotations

import asyncio
import json

import pytest
from pydantic import TypeAdapter

from ragvet.errors import InputError, JudgeError
from ragvet.judging import HumanJudge, JudgeSettings, build_judge, judge_all, judge_answer, placed
from ragvet.records import Case, JudgeFailure, Trace, Verdicts
from ragvet.records.lattice import claim_verdicts

CASE = Case(id="1", question="When?", category="a", expected_behaviour="answer")
TRACE = Trace.model_validate({"case_id": "1", "question": "When?", "answer": {"text": "Refunds take 5 days."}})
LABEL = {
    "case_id": "1",
    "behaviour": {"observed": "answered", "source": "reviewer"},
    "claims": [{"id": "c1", "text": "Refunds take 5 days.", "start": 0, "end": 20}],
    "support": [{"claim": "c1", "passage": "p", "verdict": "supported"}],
}


def write(path, *labels, head=b"", end="\n"):
    path.write_bytes(head + end.join(json.dumps(label) for label in labels).encode())
    return path


def test_labels_become_verdicts_signed_with_the_file(tmp_path):
    judge = HumanJudge(write(tmp_path / "l.jsonl", {**LABEL, "judge": "anna"}))
    verdicts = asyncio.run(judge.judge(CASE, TRACE))
    assert claim_verdicts(verdicts)["c1"].told == "supported"
    assert verdicts.judge == judge.fingerprint
    assert type(verdicts) is Verdicts


def test_another_label_is_another_judge(tmp_path):
    first = HumanJudge(write(tmp_path / "a.jsonl", LABEL))
    second = HumanJudge(write(tmp_path / "b.jsonl", {**LABEL, "repeat": 1}))
    assert first.fingerprint != second.fingerprint


def test_bom_crlf_and_blank_lines_are_no_labels(tmp_path):
    judge = HumanJudge(write(tmp_path / "l.jsonl", LABEL, head=b"\xef\xbb\xbf\r\n\r\n", end="\r\n"))
    assert asyncio.run(judge.judge(CASE, TRACE)).claims


def test_an_answer_nobody_labelled_fails(tmp_path):
    judge = HumanJudge(write(tmp_path / "l.jsonl"))
    with pytest.raises(JudgeError, match="no labels for case '1', repeat 0"):
        asyncio.run(judge.judge(CASE, TRACE))


def test_labels_of_another_answer_fail(tmp_path):
    judge = HumanJudge(write(tmp_path / "l.jsonl", LABEL))
    short = TRACE.model_copy(update={"answer": TRACE.answer.model_copy(update={"text": "Five."})})
    with pytest.raises(JudgeError, match="about another answer"):
        asyncio.run(judge.judge(CASE, short))


def test_every_faulty_line_is_named_at_once(tmp_path):
    lines = [
        json.dumps(LABEL),
        json.dumps(LABEL),
        json.dumps({**LABEL, "case_id": "2", "suport": []}),
        "{broken",
        json.dumps({**LABEL, "case_id": "3", "support": [{"claim": "c9", "passage": "p", "verdict": "supported"}]}),
        json.dumps({**LABEL, "case_id": "4", "support": [{"claim": "c1", "passage": "p", "verdict": "maybe"}]}),
    ]
    path = tmp_path / "l.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError) as failure:
        HumanJudge(path)
    problems = failure.value.problems
    assert [problem.record for problem in problems] == [f"line {n}" for n in (2, 3, 4, 5, 6)]
    assert [problem.field for problem in problems] == [None, "suport", None, "support", "support.0.verdict"]


def test_a_file_that_is_not_there_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.jsonl"):
        HumanJudge(tmp_path / "nowhere.jsonl")


def test_settings_build_every_kind_of_judge(tmp_path):
    write(tmp_path / "l.jsonl", LABEL)
    written = {"kind": "panel", "rule": "unanimity", "members": [{"kind": "human", "labels": "l.jsonl"}] * 2}
    settings = placed(TypeAdapter(JudgeSettings).validate_python(written), tmp_path)
    judged = asyncio.run(judge_answer(build_judge(settings), CASE, TRACE))
    assert claim_verdicts(judged)["c1"].told == "supported"


def test_judge_all_keeps_the_order_and_puts_failures_in_their_place(tmp_path):
    class Slow:
        fingerprint = "slow"

        async def judge(self, case, trace):
            await asyncio.sleep(0.02 * (5 - int(case.id)))
            if case.id == "2":
                raise JudgeError("no", raw="raw", usage={"input_tokens": 1, "output_tokens": None, "cost": None})
            return Verdicts.model_validate({**LABEL, "case_id": case.id, "judge": "slow"})

    items = [(CASE.model_copy(update={"id": str(n)}), TRACE.model_copy(update={"case_id": str(n)})) for n in range(5)]
    told = []
    results = asyncio.run(judge_all(Slow(), items, told=told.append))
    assert [result.case_id for result in results] == ["0", "1", "2", "3", "4"]
    assert [result.case_id for result in told] == ["4", "3", "2", "1", "0"]
    failure = results[2]
    assert isinstance(failure, JudgeFailure)
    assert (failure.error, failure.raw, failure.usage.input_tokens) == ("no", "raw", 1)


def test_judge_all_raises_what_is_no_failure_of_an_item_as_it_is():
    class Refusing:
        fingerprint = "refusing"

        async def judge(self, case, trace):
            raise InputError(())

    with pytest.raises(InputError):
        asyncio.run(judge_all(Refusing(), [(CASE, TRACE)] * 3))
