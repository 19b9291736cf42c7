"""Golden sets, plans and runs for the tests of this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragvet.dataset import Corpus, Dataset
from ragvet.records import BehaviourVerdict, Case, Trace, Verdicts
from ragvet.runs import CallPolicy, Plan, RetrievalConfig, Run, repeats, start
from ragvet.targets import PythonTarget, RecordedTraces, Target

FAST = {"backoff": 0.001}


def case(name: str, *gold: str | dict[str, Any], behaviour: str = "answer", **fields: Any) -> dict[str, Any]:
    """A case whose evidence is the named documents."""
    passages = [{"doc_id": passage} if isinstance(passage, str) else passage for passage in gold]
    fields = {"category": "a", "reference_passages": passages, **fields}
    return {"id": name, "question": f"{name}?", "expected_behaviour": behaviour, **fields}


def dataset(*cases: dict[str, Any], judgments: str = "exhaustive") -> Dataset:
    return Dataset.of(cases, judgments=judgments)  # pyright: ignore[reportArgumentType]


def corpus(*documents: str | dict[str, Any]) -> Corpus:
    return Corpus.of([{"doc_id": document} if isinstance(document, str) else document for document in documents])


def plan(
    golden: Dataset,
    target: Any,
    *,
    depths: tuple[int, int] = (2, 4),
    documents: Corpus | None = None,
    judge: Any = None,
    metrics: tuple[str, ...] = (),
    **policy: Any,
) -> Plan:
    called = target if isinstance(target, RecordedTraces | Target) else PythonTarget(target, name="app:system")
    calls = CallPolicy(**{**FAST, **policy})
    retrieval = RetrievalConfig(supplied_k=depths[0], deep_k=depths[1], metrics=metrics)
    return Plan(
        dataset=golden,
        corpus=documents,
        target=called,
        judge=judge,
        policy=calls,
        repeats=repeats(golden, called, calls),
        retrieval=retrieval,
        written={"retrieval": retrieval.model_dump(mode="json", exclude_unset=True)},
    )


def finished(tmp_path: Path, golden: Dataset, target: Any, **options: Any) -> Run:
    return start(plan(golden, target, **options), runs=tmp_path / "runs")


def score_of(run: Run, metric: str, case_id: str, repeat: int = 0) -> dict[str, Any]:
    """The one row of the scores for a metric, case and repeat."""
    (row,) = [
        row
        for row in run.scores().iter_rows(named=True)
        if (row["metric"], row["case_id"], row["repeat"]) == (metric, case_id, repeat)
    ]
    return row


class PlainJudge:
    """Says of every answer that it answered; counts what it was asked, and fails where it is told to."""

    fingerprint = "plain"

    def __init__(self, failing: Any = lambda case: None) -> None:
        self.asked: list[str] = []
        self._failing = failing

    async def judge(self, case: Case, trace: Trace) -> Verdicts:
        self.asked.append(case.id)
        self._failing(case)
        behaviour = BehaviourVerdict(observed="answered", source="plain")
        return Verdicts(case_id=case.id, repeat=trace.repeat, judge="plain", behaviour=behaviour)
