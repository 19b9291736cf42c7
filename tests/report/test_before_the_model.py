"""The matrix and the metrics mean the same by evidence before the model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ragvet
from ragvet.report import build
from ragvet.targets import RecordedTraces

FAR = [{"id": f"c{rank}", "doc_id": f"d{rank}", "text": f"Passage {rank}."} for rank in range(1, 6)]
NEAR = FAR[::-1]  # the evidence is d5: ranked last, and here first
REPORTED = {
    "ranked high": {"retrieved": NEAR},
    "ranked below the supplied depth": {"retrieved": FAR},
    "supplied from far below": {"retrieved": FAR, "supplied": FAR[4:]},
    "ranked high and dropped": {"retrieved": NEAR, "supplied": FAR[:1]},
    "nothing found": {"retrieved": []},
    "nothing said": {},
}


@pytest.mark.parametrize("reported", REPORTED)
def test_a_refusal_had_evidence_by_the_same_rule_in_matrix_and_metric(
    reported: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    record = {"case": "q", "answer": "I cannot answer that.", "behaviour": "refused", **REPORTED[reported]}
    Path("traces.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    case = {"id": "q", "question": "What?", "category": "one", "expected_behaviour": "answer"}
    golden = ragvet.Dataset.of([case | {"reference_passages": [{"doc_id": "d5"}]}], judgments="listed")
    run = ragvet.evaluate(golden, RecordedTraces.open("traces.jsonl"), depths=(2, 5), judge="offline")
    (cell,) = build(run).behaviours
    assert (cell.expected, cell.observed) == ("answer", "refused")
    found = {row["metric"]: (row["low"], row["high"]) for row in run.scores().iter_rows(named=True)}
    for metric, certain in (
        ("wrong_refusal_with_evidence", cell.with_evidence),
        ("wrong_refusal_without_evidence", cell.without_evidence),
    ):
        assert found[metric] == (certain, certain + cell.not_reported)
