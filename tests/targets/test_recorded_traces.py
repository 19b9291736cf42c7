import json

import polars as pl
import pytest

from ragvet.errors import InputError
from ragvet.records import Answer, Case, Trace
from ragvet.targets import RecordedTraces

CASES = {
    name: Case(id=name, question=f"{name}?", category="a", expected_behaviour="refuse") for name in ("q1", "q2", "q3")
}


def written(tmp_path, *lines, name="traces.jsonl", encoding="utf-8", end="\n"):
    path = tmp_path / name
    text = end.join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_bytes(text.encode(encoding))
    return path


def read(path):
    recorded = RecordedTraces.open(path)
    recorded.check(CASES)
    return list(recorded.read(CASES))


def test_short_records_and_full_traces_say_the_same(tmp_path):
    answer = {"text": "x", "retrieved": ["a", "b"], "supplied": ["a"], "citations": ["a"]}
    short = {"case": "q1", "latency": 0.5, **{("answer" if k == "text" else k): v for k, v in answer.items()}}
    full = Trace(case_id="q1", question="q1?", latency=0.5, answer=Answer.model_validate(answer))
    assert read(written(tmp_path, short)) == [full]
    assert read(written(tmp_path, full.model_dump_json())) == [full]


def test_scores_in_rankings_behaviour_and_usage_are_kept(tmp_path):
    (trace,) = read(
        written(
            tmp_path,
            {
                "case": "q1",
                "answer": None,
                "behaviour": "refused",
                "retrieved": [["a", 0.5], {"id": "b", "doc_id": "d", "text": "t"}],
                "usage": {"generation": {"input_tokens": 7, "cost": 0.01}},
            },
        )
    )
    assert trace.answer.behaviour == "refused"
    assert [(item.chunk_id, item.score, item.doc_id) for item in trace.answer.retrievals[0].items] == [
        ("a", 0.5, None),
        ("b", None, "d"),
    ]
    assert trace.answer.usage["generation"].cost == 0.01


def test_circumstances_are_read_in_short_form_from_a_full_trace_and_as_earlier_versions_wrote_them(tmp_path):
    told = {"cache": [{"stage": "retrieval", "hit": True}], "retries": {"unknown": 1}, "session": "s"}
    earlier = {"cache_hits": ["retrieval"], "retries": 1, "session": "s"}
    want = Answer.model_validate({"text": "x", **told})
    for fields in (told, earlier):
        (short,) = read(written(tmp_path, {"case": "q1", "answer": "x", **fields}))
        (full,) = read(written(tmp_path, {"case_id": "q1", "question": "q1?", "answer": {"text": "x", **fields}}))
        assert (short.answer, full.answer) == (want, want)


def test_a_recorded_error_is_a_failed_trace(tmp_path):
    plain, full = read(
        written(
            tmp_path,
            {"case": "q1", "error": "index down"},
            {"case": "q2", "error": {"kind": "TargetTimeout", "message": "late"}, "attempts": 3},
        )
    )
    assert (plain.error.kind, plain.error.message) == ("RecordedError", "index down")
    assert (full.error.kind, full.attempts) == ("TargetTimeout", 3)


def test_a_record_without_a_proper_answer_fails_its_case_alone(tmp_path):
    wrong, duplicate, empty, good = read(
        written(
            tmp_path,
            {"case": "q1", "anwser": "x"},
            {"case": "q2", "retrieved": ["a", "a"]},
            {"case": "q3"},
            {"case": "q3", "repeat": 1, "answer": "x"},
        )
    )
    assert "anwser" in wrong.error.message
    assert "ranked twice" in duplicate.error.message
    assert empty.error.kind == "TargetReplyInvalid"
    assert good.answer.text == "x"


def test_every_fault_of_the_file_is_named_with_its_line(tmp_path):
    path = written(
        tmp_path,
        {"case": "q1", "answer": "x"},
        "{broken",
        {"case": "Q1", "answer": "x"},
        {"answer": "nobody's"},
        {"case": "q1", "answer": "again"},
        {"case": "q2", "repeat": -1},
        "[1]",
        '{"case": "q3", "answer": NaN}',
    )
    with pytest.raises(InputError) as caught:
        RecordedTraces.open(path).check(CASES)
    assert [problem.record for problem in caught.value.problems] == [f"line {number}" for number in range(2, 9)]


def test_repeats_are_counted_and_byte_order_mark_crlf_and_blank_lines_do_not_matter(tmp_path):
    lines = [{"case": "q1", "repeat": number, "answer": "ü"} for number in (1, 0, 2)]
    path = written(tmp_path, *lines, "", encoding="utf-8-sig", end="\r\n")
    assert RecordedTraces.open(path).check(CASES) == {"q1": 3}
    assert [trace.repeat for trace in read(path)] == [1, 0, 2]


def test_parquet_in_short_form_and_the_traces_of_a_run_can_be_read(tmp_path):
    path = tmp_path / "short.parquet"
    pl.DataFrame(
        {
            "case": ["q1", "q2"],
            "answer": ["x", None],
            "retrieved": [["a", "b"], ["c"]],
            "usage": [{"generation": {"cost": 0.5}}, {"generation": None}],
            "error": [None, "down"],
        }
    ).write_parquet(path)
    first, second = read(path)
    assert [item.chunk_id for item in first.answer.retrievals[0].items] == ["a", "b"]
    assert first.answer.usage["generation"].cost == 0.5
    assert second.error.message == "down"

    trace = Trace(case_id="q1", question="q1?", answer=Answer(text="x"))
    path = tmp_path / "traces.parquet"
    pl.DataFrame(
        {"case_id": ["q1"], "repeat": [0], "error": [None], "case": ["{}"], "trace": [trace.model_dump_json()]}
    ).write_parquet(path)
    assert read(path) == [trace]


def test_a_missing_empty_or_foreign_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        RecordedTraces.open(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match=r"\.csv"):
        RecordedTraces.open(written(tmp_path, "a,b", name="traces.csv"))
    with pytest.raises(InputError, match="Parquet"):
        RecordedTraces.open(written(tmp_path, "no parquet", name="traces.parquet")).check(CASES)
    with pytest.raises(InputError, match="no record"):
        read(written(tmp_path, "", ""))


def test_an_answer_to_another_question_is_not_taken_for_one_to_this(tmp_path):
    same, other, of_a_run = read(
        written(
            tmp_path,
            {"case": "q1", "question": " q1?\n", "answer": "x"},
            {"case": "q2", "question": "q2 as it was?", "answer": "x"},
            Trace(case_id="q3", question="q3 as it was?", answer=Answer(text="x")).model_dump_json(),
        )
    )
    assert same.answer.text == "x"
    for trace, name in ((other, "q2"), (of_a_run, "q3")):
        assert (trace.answer, trace.question, trace.error.kind) == (None, f"{name}?", "NotRecorded")
        assert f"{name} as it was?" in trace.error.message


def test_records_in_memory_are_read_alike():
    recorded = RecordedTraces.of([{"case": "q1", "answer": "x"}], name="notebook")
    assert recorded.check(CASES) == {"q1": 1}
    assert [trace.answer.text for trace in recorded.read(CASES)] == ["x"]
    assert recorded.fingerprint != RecordedTraces.of([{"case": "q1", "answer": "y"}]).fingerprint
