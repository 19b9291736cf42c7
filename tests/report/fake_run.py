"""A finished run in memory: about sixty cases in eight languages, with everything that can happen to a case."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import polars as pl
from tests.report.fake_items import FACTS, JUDGE, STARTED, Item, fact_item
from tests.report.fake_scores import DEEP_K, SUPPLIED_K, declarations, rankings_of, scores_of
from tests.report.fake_special import special_items

from ragvet.records import Case, JudgeFailure, MetricDeclaration, Summary, Trace, Verdicts
from ragvet.runs._frames import CASES
from ragvet.runs._manifest import Counts, Manifest, Spend
from ragvet.runs._summaries import summarise


class FakeRun:
    """Holds what `ragvet.runs.Run` reads from its folder."""

    def __init__(self, items: list[Item], **manifest: Any) -> None:
        self.items = items
        self.declarations: Mapping[str, MetricDeclaration] = declarations()
        self._rankings = rankings_of(items)
        self._scores = scores_of(items, self._rankings)
        self.manifest = _manifest(items, self.declarations, **manifest)

    def cases(self) -> list[Case]:
        return [item.case for item in self.items]

    def judged_traces(self) -> Iterator[tuple[Trace, Verdicts | JudgeFailure | None]]:
        return ((trace, judged) for item in self.items for trace, judged in zip(item.traces, item.judged, strict=True))

    def scores(self) -> pl.DataFrame:
        return self._scores

    def scan_scores(self) -> pl.LazyFrame:
        return self._scores.lazy()

    def scan_rankings(self) -> pl.LazyFrame:
        return self._rankings.lazy()

    def summaries(self) -> list[Summary]:
        cases = [
            {
                "case_id": item.case.id,
                "ambiguous": item.case.ambiguous,
                "expected_behaviour": item.case.expected_behaviour,
                "strata": [f"{label}={value}" for label, value in item.case.strata.items()],
            }
            for item in self.items
        ]
        return summarise(self._scores, pl.DataFrame(cases, schema=CASES), self.declarations)


def fake_run(copies: int = 3, *, seed: int = 7, extra: tuple[Item, ...] = ()) -> FakeRun:
    """Each fact `copies` times with different luck, then the special cases, then `extra`."""
    rng = random.Random(seed)  # noqa: S311 - luck, not secrets
    items = [fact_item(fact, number, copy, rng) for copy in range(copies) for number, fact in enumerate(FACTS)]
    return FakeRun([*items, *special_items(rng), *extra])


def _manifest(items: list[Item], metrics: Mapping[str, MetricDeclaration], **other: Any) -> Manifest:
    failures = [trace.error.kind for item in items for trace in item.traces if trace.error]
    traces = sum(len(item.traces) for item in items)
    said = [trace.answer.versions for item in items for trace in item.traces if trace.answer]
    parts = sorted({part for versions in said for part in versions})
    fields: dict[str, Any] = {
        "run_id": "20261130-091405-7c1e",
        "status": "finished",
        "started_at": STARTED,
        "finished_at": datetime(2026, 11, 30, 9, 16, 41, tzinfo=UTC),
        "seconds": 156.2,
        "config": {},
        "config_fingerprint": "c41b0d22a9e0",
        "dataset": "golden/handbook.yaml",
        "dataset_fingerprint": "d2f0aa17be5538c1",
        "judgments": "listed",
        "corpus_fingerprint": "9e11c07a5b2f4d80",
        "target": "app.assistant:answer",
        "target_fingerprint": "5a7710cd9b3e",
        "judge_fingerprint": JUDGE,
        "supplied_k": SUPPLIED_K,
        "deep_k": DEEP_K,
        "seed": 0,
        "metrics": metrics,
        "code": "8f3b2c1d9e+dirty",
        "components": {part: Counter(one[part] for one in said if part in one) for part in parts},
        "versions": {"ragvet": "0.1.0", "python": "3.11.7", "polars": "2.1.0"},
        "counts": Counts(
            cases=len(items),
            ambiguous=sum(item.case.ambiguous for item in items),
            items=traces,
            answered=traces - len(failures),
            failed={kind: failures.count(kind) for kind in dict.fromkeys(failures)},
            judged=sum(isinstance(judged, Verdicts) for item in items for judged in item.judged),
            judge_failed=sum(isinstance(judged, JudgeFailure) for item in items for judged in item.judged),
            stale_annotations=2,
        ),
        "serving": Spend(),
        "judging": Spend(),
    }
    return Manifest(**{**fields, **other})
