"""From verdicts to a decision: scoring answers, summarising scores, gating summaries.

`python -m benchmarks.deciding [--cases 10000]`. The goals: all answer metrics of one answer in well under 1 ms of CPU;
40 metrics of 10,000 cases summarised over every label in well under a second; a gate on it in about that again.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl

from ragvet.gate import Policy, Rule, decide
from ragvet.metrics.answers import REGISTRY, Evidence, score_case
from ragvet.records import Case, MetricDeclaration, Trace, Verdicts
from ragvet.runs._frames import SCORES
from ragvet.runs._summaries import summarise

METRICS = [name for name, metric in REGISTRY.items() if metric.declaration.high == 1.0][:40]
DECLARED = {name: REGISTRY[name].declaration for name in METRICS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    cases = parser.parse_args().cases
    answers, item, evidence = 300, _item(), Evidence({"p0": 1, "p1": 0})
    seconds = _timed(lambda: [score_case(*item, evidence=evidence) for _ in range(answers)])
    print(f"every metric of an answer with 4 claims, 3 passages, 2 citations: {seconds / answers * 1e3:.2f} ms CPU")
    run = MadeRun.of(cases)
    seconds = _timed(lambda: summarise(run.scores(), run.case_frame(), DECLARED))
    print(f"summaries of {cases:,} cases, {len(METRICS)} metrics, 4 labels: {seconds:.2f} s CPU")
    seconds = _timed(lambda: decide(_policy(), run))
    print(f"a gate of ten rules in each of 12 categories: {seconds:.2f} s CPU")


def _timed(do: Callable[[], object]) -> float:
    do()
    began = time.process_time()
    do()
    return time.process_time() - began


def _item() -> tuple[Case, Trace, Verdicts]:
    expected = {
        "expected_behaviour": "answer",
        "reference_answer": "r",
        "required_claims": [{"text": "a"}, {"text": "b"}],
    }
    case = Case.model_validate({"id": "c", "question": "?", "category": "x"} | expected)
    chunks = [{"chunk_id": f"p{number}", "text": "so it is"} for number in range(3)]
    answer = {"text": "One is so. Two is so. Three is so. Four is so.", "retrieved": chunks, "supplied": chunks}
    trace = Trace.model_validate(
        {"case_id": "c", "question": "?", "latency": 0.1, "answer": answer | {"citations": ["p0", "p1"]}}
    )
    verdicts = Verdicts.model_validate(
        {
            "case_id": "c",
            "judge": "j",
            "behaviour": {"observed": "answered", "source": "benchmark"},
            "claims": [{"id": f"c{n}", "text": "so", "start": 11 * n, "end": 11 * n + 5} for n in range(4)],
            "support": [
                {
                    "claim": f"c{n}",
                    "passage": f"p{p}",
                    "verdict": ("supported", "undecided", "unsupported")[(n + p) % 3],
                }
                for n in range(4)
                for p in range(3)
            ],
            "citations": [
                {"citation": n, "claims": [f"c{n}"], "verdict": "supported"}
                | dict.fromkeys(("resolves", "retrieved", "right_version"), True)
                for n in range(2)
            ],
            "coverage": [
                {"required_claim": "1", "verdict": "covered"},
                {"required_claim": "2", "verdict": "undecided"},
            ],
            "agreement": [{"claim": f"c{n}", "verdict": "agree"} for n in range(4)],
        }
    )
    return case, trace, verdicts


@dataclass
class MadeRun:
    """Random scores: 60 % scored, 30 % bounded, 8 % undefined, 2 % failed."""

    frame: pl.DataFrame
    cases: pl.DataFrame

    @classmethod
    def of(cls, count: int) -> MadeRun:
        dice = np.random.default_rng(7)
        ids = pl.Series([f"case-{number:06d}" for number in range(count)])
        size = count * len(METRICS)
        status = pl.Series(dice.choice(["scored", "bounded", "undefined", "failed"], size, p=[0.6, 0.3, 0.08, 0.02]))
        low = pl.Series(dice.random(size) / 2)
        has_value = status.is_in(["scored", "bounded"])
        frame = pl.DataFrame({"status": status, "low": low, "metric": METRICS * count}).with_columns(
            case_id=ids.gather(np.repeat(np.arange(count), len(METRICS))),
            repeat=pl.lit(0, pl.UInt32),
            version=pl.lit(1, pl.UInt32),
            low=pl.when(has_value).then("low"),
            high=pl.when(has_value).then(
                pl.col("low") + pl.when(pl.col("status") == "bounded").then(0.3).otherwise(0.0)
            ),
            value=pl.lit(None, pl.Float64),
            reason=pl.when(~has_value).then(pl.lit("the system refused")),
            numerator=pl.lit(None, pl.Float64),
            denominator=pl.lit(None, pl.Float64),
        )
        strata = [
            [f"category=c{n % 12}", f"risk=r{n % 3}", f"language=l{n % 7}", f"type=t{n % 5}"] for n in range(count)
        ]
        cases = pl.DataFrame({"case_id": ids, "strata": strata}).with_columns(ambiguous=pl.lit(value=False))
        return cls(frame.select(list(SCORES)), cases)

    @property
    def manifest(self) -> Any:
        return SimpleNamespace(run_id="benchmark", started_at=datetime(2026, 3, 2, tzinfo=UTC))

    @property
    def declarations(self) -> dict[str, MetricDeclaration]:
        return DECLARED

    def scores(self) -> pl.DataFrame:
        return self.frame

    def case_frame(self) -> pl.DataFrame:
        return self.cases


def _policy() -> Policy:
    terms = {"minimum_n": 1, "allowed_undefined_share": 0.2, "allowed_failed_share": 0.1}
    agreed = {"agreed_by": "nobody", "agreed_on": date(2026, 3, 1), "why": "to see how long it takes"}
    rules = tuple(Rule(metric=name, stratum="every category", min=0.3, **terms, **agreed) for name in METRICS[:10])
    return Policy(source="benchmark", fingerprint="b", rules=rules, critical=())


if __name__ == "__main__":
    main()
