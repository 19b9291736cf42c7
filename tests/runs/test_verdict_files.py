"""What was judged lies in the folder of a run as tables, read in the order of its traces."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl
import pytest

from ragvet.errors import BundleError, InputError
from ragvet.records import Answer, BehaviourVerdict, Claim, JudgeFailure, Trace, Verdicts
from ragvet.runs import Run
from ragvet.runs._manifest import Manifest
from ragvet.runs._verdict_files import VerdictReader, scan_verdicts, write_verdicts

KEYS = [("a", 0), ("a", 1), ("b", 0)]


def trace(case_id: str, repeat: int = 0) -> Trace:
    return Trace(case_id=case_id, repeat=repeat, question="?", answer=Answer(text="yes"))


def verdicts(case_id: str, repeat: int = 0, claims: int = 1) -> Verdicts:
    return Verdicts(
        case_id=case_id,
        repeat=repeat,
        judge="j",
        behaviour=BehaviourVerdict(observed="answered", source="x"),
        claims=tuple(Claim(id=str(number), text="yes", start=0, end=3) for number in range(claims)),
    )


def write(folder, judged: Iterable[Verdicts | JudgeFailure]) -> None:
    pieces = [
        [(one.model_dump(exclude_defaults=True), trace(*one.key).model_dump(exclude_defaults=True))] for one in judged
    ]
    write_verdicts(folder, pieces)


@pytest.mark.parametrize("judged", [[0, 1, 2], [1], [0, 2], []])
def test_every_trace_comes_with_its_verdicts_or_with_none(tmp_path, judged):
    write(tmp_path, [verdicts(*KEYS[place]) for place in judged])
    traces = [trace(*key).model_dump_json(exclude_defaults=True) for key in KEYS]
    rows = pl.DataFrame(
        {"case_id": [case for case, _ in KEYS], "repeat": [number for _, number in KEYS], "trace": traces}
    )
    rows.cast({"repeat": pl.UInt32}).write_parquet(tmp_path / "traces.parquet")
    run = Run(tmp_path, Manifest.model_construct())
    found = list(run.judged_traces())
    assert [one.key for one, _ in found] == KEYS
    assert [one and one.key for _, one in found] == [KEYS[place] if place in judged else None for place in range(3)]
    assert list(run.verdicts()) == [verdicts(*KEYS[place]) for place in judged]
    assert run.scan_verdicts("claims").collect().height == len(judged)


def test_a_failed_judge_stands_where_its_verdicts_would(tmp_path):
    failure = JudgeFailure(case_id="a", repeat=1, judge="j", error="x", raw="half a reply")
    write(tmp_path, [verdicts("a"), failure])
    tables = VerdictReader(tmp_path).of([trace("a"), trace("a", 1)])
    assert tables["judged"].select("repeat", "failure", "raw").rows() == [(0, None, None), (1, "x", "half a reply")]


def test_rows_are_read_once_and_belong_to_the_items_asked_for_however_many_they_have(tmp_path, monkeypatch):
    monkeypatch.setattr("ragvet.runs._pieces.ROWS_AT_ONCE", 2)
    sizes = [3, 0, 1, 5, 2]
    write(tmp_path, [verdicts(f"q{number}", claims=size) for number, size in enumerate(sizes)])
    reader = VerdictReader(tmp_path)
    first, second, third = (reader.of([trace(f"q{number}") for number in part]) for part in ([0, 1], [2, 3], [4]))
    assert [part["claims"].height for part in (first, second, third)] == [3, 6, 2]
    assert [part["judged"].height for part in (first, second, third)] == [2, 2, 1]


def test_a_run_of_an_older_layout_says_what_to_do(tmp_path):
    (tmp_path / "verdicts.parquet").touch()
    with pytest.raises(BundleError, match=r"older ragvet \(verdicts.parquet\).*\[target\] recorded"):
        scan_verdicts(tmp_path, "claims")


def test_tables_of_another_version_say_what_to_do(tmp_path):
    write(tmp_path, [verdicts("a")])
    path = tmp_path / "verdicts" / "claims.parquet"
    pl.read_parquet(path).drop("needs_evidence").write_parquet(path)
    with pytest.raises(BundleError, match="another version of ragvet wrote it"):
        scan_verdicts(tmp_path, "claims")


def test_a_missing_table_says_how_to_make_it_again(tmp_path):
    with pytest.raises(BundleError, match=r"judged.parquet: is missing. Make it again with: ragvet run --resume"):
        scan_verdicts(tmp_path, "judged")


def test_a_table_there_is_not_gets_a_suggestion(tmp_path):
    with pytest.raises(InputError, match="Did you mean 'claims'"):
        Run(tmp_path, Manifest.model_construct()).scan_verdicts("claim")
