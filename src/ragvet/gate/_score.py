"""The subject `score`: a metric of the run in one or several strata, by its mean or in every single case."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from ragvet.dataset import Dataset
from ragvet.errors import InputError, Problem
from ragvet.gate._cases import Sides, case_means, sides, worst_repeats
from ragvet.gate._decision import GateOutcome, RuleResult
from ragvet.gate._entry import Placed
from ragvet.gate._explain import critical_reason, define, explain, mean_reason, observed_cases, observed_mean
from ragvet.gate._foresee import unanswerable_scores
from ragvet.gate._range import declared, impossible
from ragvet.gate._resolve import ResolvedRule, gated_strata, resolve
from ragvet.gate._rule import Rule
from ragvet.gate._subjects import GatedRun
from ragvet.gate._terms import broken_terms, ends, side
from ragvet.metrics.answers import REGISTRY
from ragvet.records import Summary
from ragvet.runs import Manifest, RetrievalConfig, membership, summarise
from ragvet.text import plural

__all__ = ["SUBJECT"]


class ScoreSubject:
    """Scores of a run: whole intervals on the right side pass, on the wrong side fail, anything else is undecided."""

    entry = Rule

    def faults(self, written: Mapping[str, Any]) -> Iterator[Problem]:
        """A metric there is none of, and thresholds no value of it can reach."""
        metric = written.get("metric")
        if isinstance(metric, str) and metric.strip():
            bounds = {field: written[field] for field in ("min", "max") if field in written}
            try:
                yield from impossible(bounds, metric, declared(metric))
            except InputError as error:
                yield from error.problems

    def foresee(self, placed: Sequence[Placed], dataset: Dataset, retrieval: RetrievalConfig) -> Iterator[Problem]:
        """Metrics that apply to no case, and strata in which there is none."""
        return unanswerable_scores(placed, dataset, retrieval)

    def decide(self, placed: Sequence[Placed], run: GatedRun) -> list[RuleResult]:
        """Each rule in each of its strata that has a case for it."""
        scores = _Scores(run)
        resolved = resolve(placed, run.declarations, gated_strata(run.case_frame()))
        return [result for rule in resolved for result in _results(rule, scores)]

    def doubts(self, placed: Sequence[Placed], run: GatedRun) -> Iterator[str]:
        """Cases that rules on retrieval leave out, and thresholds on the better side."""
        rules = resolve(placed, run.declarations, gated_strata(run.case_frame()))
        yield from _unmarked(run.manifest, rules)
        for rule in rules:
            yield from _wrong_end(rule)


SUBJECT = ScoreSubject()


class _Scores:
    """The frames of a run, read once, and what rules ask of them."""

    def __init__(self, run: GatedRun) -> None:
        self._scores = run.scores()
        self._declarations = run.declarations
        self._cases = run.case_frame()
        self._places = membership(self._cases)
        self._metrics: dict[str, tuple[pl.DataFrame, pl.DataFrame]] = {}
        self._summaries = {
            (summary.metric, summary.stratum): summary
            for summary in summarise(self._scores, self._cases, run.declarations)
        }

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
            self._metrics[metric] = case_means(scores, self._declarations), worst_repeats(scores, self._declarations)
        means, worst = self._metrics[metric]
        members = self._places.filter(pl.col("stratum") == stratum)
        cases = worst if resolved.every_case else means
        return sides(cases.join(members, on="case_id", how="semi"), resolved.rule)


def _results(resolved: ResolvedRule, scores: _Scores) -> Iterator[RuleResult]:
    """One result per stratum with a case that is eligible, or would be were its evidence marked; at least one."""
    rule, declaration = resolved.rule, resolved.declaration
    if resolved.missing or declaration is None:
        for stratum in resolved.strata or (rule.stratum,):
            yield _not_measured(resolved, stratum, resolved.missing)
        return
    found = [(stratum, scores.summary(rule.metric, stratum)) for stratum in resolved.strata]
    results = [
        _not_measured(resolved, stratum, "no case here has marked evidence")
        if summary is None
        else _result(resolved, stratum, summary, scores)
        for stratum, summary in found
        if summary is not None or scores.unmarked(rule.metric, stratum)
    ]
    applies = f"no case here is eligible: the metric applies to {declaration.applies_to}"
    yield from results or [_not_measured(resolved, rule.stratum, applies)]


def _not_measured(resolved: ResolvedRule, stratum: str, reason: str) -> RuleResult:
    """What is said where there is nothing to decide on."""
    return RuleResult(**_written(resolved, stratum), outcome="not measured", observed="no value", reason=reason)


def _result(resolved: ResolvedRule, stratum: str, summary: Summary, scores: _Scores) -> RuleResult:
    rule = resolved.rule
    broken = "; ".join(broken_terms(rule, summary))
    low, high = ends(summary)
    if resolved.every_case:
        found = scores.sides(resolved, stratum)
        unseen = broken or found.open or summary.failed  # nobody looked at a failed case, whatever share may fail
        outcome: GateOutcome = "fail" if found.wrong else "undecided" if unseen else "pass"
        reason = broken if broken and not found.wrong else critical_reason(outcome, found, summary)
        observed = observed_cases(found, summary)
    else:
        outcome = "undecided" if broken else side(rule, low, high)
        reason = broken or mean_reason(rule, summary, outcome)
        observed = observed_mean(rule, summary)
        found = None if outcome == "pass" else scores.sides(resolved, stratum)
    return RuleResult(
        **_written(resolved, stratum),
        outcome=outcome,
        observed=observed,
        reason=reason,
        low=None if math.isinf(low) else low,
        high=None if math.isinf(high) else high,
        summary=summary,
        cases=() if found is None or outcome == "pass" else found.listed(undefined=bool(broken)),
        definition=() if resolved.declaration is None else define(resolved.declaration),
        explanation=explain(resolved, summary, reason, outcome),
    )


def _written(resolved: ResolvedRule, stratum: str) -> dict[str, Any]:
    """What the policy says, as it stands in a result."""
    rule, placed = resolved.rule, resolved.placed
    terms = rule.model_dump(exclude={"stratum", "statistic"})
    return {
        **terms,
        "critical": placed.table == "critical",
        "number": placed.number,
        "stratum": stratum,
        "threshold": rule.threshold,
        "defaults": placed.defaults,
    }


def _unmarked(manifest: Manifest, rules: Iterable[ResolvedRule]) -> Iterator[str]:
    count = manifest.counts.unmarked
    if count and any(resolved.rule.metric not in REGISTRY for resolved in rules):
        cases = plural(manifest.counts.cases, "case")
        yield f"{count:,} of {cases} are to be answered and have no marked evidence: rules on retrieval leave them out"


def _wrong_end(resolved: ResolvedRule) -> Iterator[str]:
    rule, declaration = resolved.rule, resolved.declaration
    if declaration is None:
        return
    lower = declaration.direction == "lower"
    wrong = rule.min if lower else rule.max if declaration.direction == "higher" else None
    if wrong is not None:
        better, given, other = ("lower", "min", "max") if lower else ("higher", "max", "min")
        yield f"{resolved.placed.name} sets {given}, but {better} is better: did you mean {other}?"
