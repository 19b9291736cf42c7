"""The decision: whole intervals on the right side pass, on the wrong side fail, anything else is undecided."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Protocol

import polars as pl

from ragvet.gate._cases import Sides, case_means, sides, worst_repeats
from ragvet.gate._decision import Decision, GateOutcome, RuleResult
from ragvet.gate._explain import critical_reason, define, explain, mean_reason, observed_cases, observed_mean
from ragvet.gate._policy import Policy
from ragvet.gate._resolve import ResolvedRule, resolve
from ragvet.gate._terms import broken_terms, ends, side
from ragvet.metrics.answers import REGISTRY
from ragvet.records import MetricDeclaration, Summary
from ragvet.runs import ALL, AMBIGUOUS, Manifest, membership, summarise
from ragvet.text import plural

__all__ = ["GatedRun", "decide"]

_ORDER: tuple[GateOutcome, ...] = ("fail", "undecided", "pass")


class GatedRun(Protocol):
    """What the gate reads of a run; `ragvet.runs.Run` is one. It needs no document text."""

    @property
    def manifest(self) -> Manifest: ...

    @property
    def declarations(self) -> Mapping[str, MetricDeclaration]: ...

    def scores(self) -> pl.DataFrame: ...

    def case_frame(self) -> pl.DataFrame: ...


def decide(policy: Policy, run: GatedRun) -> Decision:
    """The gate's word on a finished run.

    Raises:
        InputError: the policy names a metric or stratum the run does not hold, or a threshold no value can reach.
    """
    measured = _Measured(run)
    resolved_rules = resolve(policy, run.declarations, measured.strata)
    results = [result for resolved in resolved_rules for result in _results(resolved, measured)]
    results.sort(key=lambda result: (_ORDER.index(result.outcome), not result.critical))
    outcomes = {result.outcome for result in results}
    return Decision(
        outcome=next(outcome for outcome in _ORDER if outcome in outcomes),
        run_id=run.manifest.run_id,
        started_at=run.manifest.started_at,
        policy=policy.source,
        policy_fingerprint=policy.fingerprint,
        rules=tuple(results),
        ambiguous=measured.ambiguous,
        warnings=(
            *_failures(run.manifest),
            *_unmarked(run.manifest, resolved_rules),
            *(warning for resolved in resolved_rules for warning in _warnings(resolved, run.manifest)),
        ),
    )


class _Measured:
    """The frames of a run, read once, and what rules ask of them."""

    def __init__(self, run: GatedRun) -> None:
        self._scores = run.scores()
        self._cases = run.case_frame()
        self._places = membership(self._cases)
        self._metrics: dict[str, tuple[pl.DataFrame, pl.DataFrame]] = {}
        self._summaries = {
            (summary.metric, summary.stratum): summary
            for summary in summarise(self._scores, self._cases, run.declarations)
        }

    @cached_property
    def strata(self) -> list[str]:
        """`all`, then every label=value; ambiguous cases are outside pass and fail."""
        found: list[str] = self._places["stratum"].unique().sort().to_list()
        return [ALL, *(stratum for stratum in found if stratum not in {ALL, AMBIGUOUS})]

    @property
    def ambiguous(self) -> int:
        """How many cases are outside pass and fail."""
        return int(self._cases["ambiguous"].sum())

    def summary(self, metric: str, stratum: str) -> Summary | None:
        """The summary, or None where no case of the stratum is eligible."""
        return self._summaries.get((metric, stratum))

    def unmarked(self, metric: str, stratum: str) -> bool:
        """Whether a metric of retrieval has nothing to say of a stratum although it holds a case to be answered."""
        if metric in REGISTRY:
            return False
        members = self._places.filter(pl.col("stratum") == stratum)
        answerable = self._cases.filter(pl.col("expected_behaviour") == "answer")
        return answerable.join(members, on="case_id", how="semi").height > 0

    def sides(self, resolved: ResolvedRule, stratum: str) -> Sides:
        """Which cases of the stratum are on which side of the rule."""
        metric = resolved.rule.metric
        if metric not in self._metrics:
            scores = self._scores.filter(pl.col("metric") == metric)
            declared = {metric: resolved.declaration}
            self._metrics[metric] = case_means(scores, declared), worst_repeats(scores, declared)
        means, worst = self._metrics[metric]
        members = self._places.filter(pl.col("stratum") == stratum)
        cases = worst if resolved.kind == "critical" else means
        return sides(cases.join(members, on="case_id", how="semi"), resolved.rule)


def _results(resolved: ResolvedRule, measured: _Measured) -> Iterator[RuleResult]:
    """One result per stratum with a case that is eligible, or would be were its evidence marked; at least one."""
    found = [(stratum, measured.summary(resolved.rule.metric, stratum)) for stratum in resolved.strata]
    results = [
        _idle(resolved, stratum, "no case here has marked evidence")
        if summary is None
        else _result(resolved, stratum, summary, measured)
        for stratum, summary in found
        if summary is not None or measured.unmarked(resolved.rule.metric, stratum)
    ]
    applies = f"no case here is eligible: the metric applies to {resolved.declaration.applies_to}"
    yield from results or [_idle(resolved, resolved.rule.stratum, applies)]


def _idle(resolved: ResolvedRule, stratum: str, reason: str) -> RuleResult:
    """What is said where there is nothing to decide on."""
    return RuleResult(**_written(resolved, stratum), outcome="undecided", observed="no value", reason=reason)


def _result(resolved: ResolvedRule, stratum: str, summary: Summary, measured: _Measured) -> RuleResult:
    rule = resolved.rule
    broken = "; ".join(broken_terms(rule, summary))
    low, high = ends(summary)
    if resolved.kind == "critical":
        found = measured.sides(resolved, stratum)
        outcome: GateOutcome = "fail" if found.wrong else "undecided" if broken or found.open else "pass"
        reason = broken if broken and not found.wrong else critical_reason(outcome)
        observed = observed_cases(found, summary)
    else:
        outcome = "undecided" if broken else side(rule, low, high)
        reason = broken or mean_reason(rule, summary, outcome)
        observed = observed_mean(rule, summary)
        found = None if outcome == "pass" else measured.sides(resolved, stratum)
    return RuleResult(
        **_written(resolved, stratum),
        outcome=outcome,
        observed=observed,
        reason=reason,
        low=None if math.isinf(low) else low,
        high=None if math.isinf(high) else high,
        summary=summary,
        cases=() if found is None or outcome == "pass" else found.listed(undefined=bool(broken)),
        definition=define(resolved.declaration),
        explanation=explain(resolved, summary, reason, outcome),
    )


def _written(resolved: ResolvedRule, stratum: str) -> dict[str, Any]:
    """What the policy says, as it stands in a result."""
    rule = resolved.rule
    terms = rule.model_dump(exclude={"stratum"})
    return {**terms, "critical": resolved.kind == "critical", "number": resolved.number, "stratum": stratum} | {
        "threshold": rule.threshold
    }


def _failures(manifest: Manifest) -> Iterator[str]:
    counts = manifest.counts
    if counts.failed:
        causes = ", ".join(f"{kind} {count:,}" for kind, count in counts.failed.items())
        yield (
            f"{sum(counts.failed.values()):,} of {plural(counts.items, 'call')} failed ({causes}): `ragvet report "
            f"{manifest.run_id}` says why; `ragvet run --resume {manifest.run_id} --retry-failed` asks those again"
        )


def _unmarked(manifest: Manifest, rules: Iterable[ResolvedRule]) -> Iterator[str]:
    count = manifest.counts.unmarked
    if count and any(resolved.rule.metric not in REGISTRY for resolved in rules):
        cases = plural(manifest.counts.cases, "case")
        yield f"{count:,} of {cases} are to be answered and have no marked evidence: rules on retrieval leave them out"


def _warnings(resolved: ResolvedRule, manifest: Manifest) -> Iterator[str]:
    rule = resolved.rule
    name = f"{resolved.kind} {resolved.number} ({rule.metric})"
    started = manifest.started_at.astimezone().date()
    if rule.agreed_on > started:
        yield (
            f"{name} was agreed on {rule.agreed_on}, after the run started on {started}: "
            f"a threshold chosen after measuring proves nothing"
        )
    lower = resolved.declaration.direction == "lower"
    wrong = rule.min if lower else rule.max if resolved.declaration.direction == "higher" else None
    if wrong is not None:
        better, given, other = ("lower", "min", "max") if lower else ("higher", "max", "min")
        yield f"{name} sets {given}, but {better} is better: did you mean {other}?"
