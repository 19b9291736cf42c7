"""A policy's rules against what a run holds: which metric, which strata."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ragvet.errors import InputError, Problem
from ragvet.gate._policy import Policy, Rule
from ragvet.metrics.retrieval import parse
from ragvet.records import MetricDeclaration
from ragvet.text import nearest

__all__ = ["ResolvedRule", "resolve"]

EVERY = "every"


@dataclass(frozen=True, slots=True)
class ResolvedRule:
    """One rule and the strata it decides, each on its own."""

    rule: Rule
    kind: Literal["rule", "critical"]
    number: int
    declaration: MetricDeclaration
    strata: tuple[str, ...]


def resolve(policy: Policy, declarations: Mapping[str, MetricDeclaration], strata: Sequence[str]) -> list[ResolvedRule]:
    """Every rule with its metric and strata, critical ones first.

    Args:
        policy: what was agreed.
        declarations: the metrics of the run.
        strata: its strata: `all` and every label=value.

    Raises:
        InputError: naming every rule on a metric or stratum the run does not hold, and every threshold no value of
            the metric can miss or reach.
    """
    resolved: list[ResolvedRule] = []
    problems: list[Problem] = []
    written: tuple[tuple[Literal["rule", "critical"], tuple[Rule, ...]], ...] = (
        ("critical", policy.critical),
        ("rule", policy.rules),
    )
    for kind, rules in written:
        for number, rule in enumerate(rules, start=1):
            record = f"{kind} {number} ({rule.metric})"
            chosen = _strata(rule.stratum, strata)
            declaration = declarations.get(rule.metric)
            if not chosen:
                problems.append(_unknown_stratum(policy.source, record, rule.stratum, strata))
            if declaration is None:
                problems.append(_unknown_metric(policy.source, record, rule.metric, declarations))
            else:
                problems.extend(_impossible(policy.source, record, rule, declaration))
                resolved.append(ResolvedRule(rule, kind, number, declaration, chosen))
    if problems:
        raise InputError(problems)
    return resolved


def _strata(written: str, strata: Sequence[str]) -> tuple[str, ...]:
    if written == EVERY:
        return tuple(strata)
    if written.startswith(f"{EVERY} "):
        label = written.removeprefix(EVERY).strip()
        return tuple(stratum for stratum in strata if stratum.startswith(f"{label}="))
    return (written,) if written in strata else ()


def _unknown_metric(source: str, record: str, metric: str, known: Mapping[str, MetricDeclaration]) -> Problem:
    hint = _meant(_canonical(metric), known)
    return Problem(
        source,
        found=f"{metric!r}, of which this run holds no score",
        expected=f"one of {', '.join(known)}",
        action=f"{hint}`ragvet metrics {metric.partition('@')[0]}` says which cases a metric applies to.",
        record=record,
        field="metric",
    )


def _unknown_stratum(source: str, record: str, stratum: str, known: Sequence[str]) -> Problem:
    labels = dict.fromkeys(value.partition("=")[0] for value in known if "=" in value)
    choices = [*known, EVERY, *(f"{EVERY} {label}" for label in labels)]
    return Problem(
        source,
        found=f"{stratum!r}, in which this run has no case",
        expected=f"one of {', '.join(choices)}",
        action=f"{_meant(stratum, choices)}A stratum nobody tests cannot be gated.",
        record=record,
        field="stratum",
    )


def _canonical(metric: str) -> str:
    """The metric's name as runs print it, where it is one: RR@5 for MRR@5."""
    try:
        return parse(metric).name
    except InputError:
        return metric


def _meant(name: str, choices: Iterable[str]) -> str:
    meant = nearest(name, choices)
    return f"Did you mean {meant!r}? " if meant else ""


def _impossible(source: str, record: str, rule: Rule, declaration: MetricDeclaration) -> Iterator[Problem]:
    least = -math.inf if declaration.low is None else declaration.low
    most = math.inf if declaration.high is None else declaration.high
    for field, bound in (("min", rule.min), ("max", rule.max)):
        if bound is not None and not least <= bound <= most:
            yield Problem(
                source,
                found=f"{bound:g}",
                expected=f"a number from {least:g} to {most:g}, the range of {rule.metric}",
                action="Write 0.9 for 90 %." if most == 1 else "Correct it.",
                record=record,
                field=field,
            )
