"""A run as the gate sees it, from a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

import polars as pl

from ragvet.gate import Entry, Placed, Policy, Rule
from ragvet.metrics.answers import REGISTRY
from ragvet.metrics.rankings import parse
from ragvet.records import Bounded, Failed, MetricDeclaration, Outcome, Scored, Undefined
from ragvet.runs import Manifest
from ragvet.runs._frames import CASES, SCORES
from ragvet.runs._manifest import Counts

STARTED = datetime(2026, 3, 10, 12, tzinfo=UTC)


def outcome(value: float | tuple[float, float] | str) -> Outcome:
    """0.5: scored. (0, 1): bounded. "failed": failed. Another word: undefined for that reason."""
    match value:
        case "failed":
            return Failed(error="TargetTimeout: no answer")
        case str():
            return Undefined(reason=value)
        case (low, high):
            return Bounded(low=low, high=high, reason="some claims are undecided")
        case _:
            return Scored(value=value)


def score_rows(metric: str, values: Mapping[str, object]) -> pl.DataFrame:
    """Case id → value, or a list of values, one per repeat."""
    rows = []
    for case_id, written in values.items():
        for repeat, value in enumerate(written if isinstance(written, list) else [written]):
            found = outcome(value)
            low = getattr(found, "low", getattr(found, "value", None))
            high = getattr(found, "high", getattr(found, "value", None))
            reason = getattr(found, "reason", getattr(found, "error", None))
            exact = getattr(found, "value", None)
            rows.append((case_id, repeat, metric, 1, found.status, exact, low, high, False, reason, None, None))
    return pl.DataFrame(rows, schema=SCORES, orient="row")


def case_rows(ids: Iterable[str], strata: Mapping[str, list[str]] | None = None, ambiguous: Iterable[str] = ()):
    strata, ambiguous = strata or {}, set(ambiguous)
    rows = [
        {
            "case_id": case_id,
            "ambiguous": case_id in ambiguous,
            "expected_behaviour": "answer",
            "strata": strata.get(case_id, ["category=one"]),
        }
        for case_id in ids
    ]
    return pl.DataFrame(
        rows, schema={name: CASES[name] for name in ("case_id", "ambiguous", "expected_behaviour", "strata")}
    )


@dataclass
class MadeRun:
    """The frames of a run with nothing behind them."""

    values: Mapping[str, Mapping[str, object]]
    strata: Mapping[str, list[str]] = field(default_factory=dict)
    ambiguous: Iterable[str] = ()
    started_at: datetime = STARTED
    unmarked: Iterable[str] = ()
    """Cases to be answered that no metric here is eligible for."""

    @property
    def manifest(self) -> Manifest:
        return Manifest(
            run_id="20260310T120000Z-abcdef",
            status="finished",
            started_at=self.started_at,
            config={},
            config_fingerprint="c",
            dataset="golden.json",
            dataset_fingerprint="d",
            judgments="exhaustive",
            target="app:answer",
            target_fingerprint="t",
            supplied_k=5,
            deep_k=20,
            counts=Counts(cases=len(self.case_frame()), unmarked=len([*self.unmarked])),
        )

    @property
    def declarations(self) -> dict[str, MetricDeclaration]:
        return {
            name: REGISTRY[name].declaration if name in REGISTRY else parse(name).declaration for name in self.values
        }

    def scores(self) -> pl.DataFrame:
        return pl.concat([score_rows(metric, values) for metric, values in self.values.items()])

    def case_frame(self) -> pl.DataFrame:
        ids = dict.fromkeys([*(case_id for values in self.values.values() for case_id in values), *self.unmarked])
        return case_rows(ids, self.strata, self.ambiguous)


def rule(metric: str = "faithfulness", **changes) -> Rule:
    """A rule that asks for a mean of at least 0.8 and tolerates nothing."""
    terms = {
        "metric": metric,
        "stratum": "all",
        "minimum_n": 1,
        "allowed_undefined_share": 0.0,
        "allowed_failed_share": 0.0,
        "agreed_by": "Dana",
        "agreed_on": date(2026, 3, 1),
        "why": "the support team can absorb one wrong answer in five",
    }
    if "max" not in changes:
        terms["min"] = 0.8
    return Rule(**terms | changes)


def policy(*rules: Entry, critical: Iterable[Rule] = ()) -> Policy:
    """The rules as they would stand in a file."""
    severe = (one.model_copy(update={"statistic": "every case"}) for one in critical)
    entries = [Placed(table="critical", number=n, entry=entry) for n, entry in enumerate(severe, start=1)]
    entries += [Placed(table="rule", number=n, entry=entry) for n, entry in enumerate(rules, start=1)]
    return Policy(source="policy.toml", fingerprint="f", entries=tuple(entries))
