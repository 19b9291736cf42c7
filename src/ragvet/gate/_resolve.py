"""A policy's rules against what a run holds: which metric, which strata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ragvet.errors import InputError, Problem
from ragvet.gate._policy import Policy, Rule
from ragvet.gate._range import impossible, resembled
from ragvet.metrics.answers import REGISTRY
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
                faults = impossible({"min": rule.min, "max": rule.max}, rule.metric, declaration)
                problems.extend(replace(fault, source=policy.source, record=record) for fault in faults)
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
    exists = metric in REGISTRY
    if not exists and resembled(metric) == metric and known.keys() <= REGISTRY.keys():
        return Problem(
            source,
            found=f"{metric!r}, while no case here has marked evidence",
            expected="reference_passages in the golden set, or a metric of answers",
            action="Mark the evidence, or leave the rule out until it is.",
            record=record,
            field="metric",
        )
    hint = "" if exists else _meant(resembled(metric) or metric, known)
    where = f"`ragvet metrics {metric.partition('@')[0]}` says which cases a metric applies to."
    return Problem(
        source,
        found=f"{metric!r}, of which there is no score here",
        expected="a metric that applies to some case" if exists or hint else f"one of {', '.join(known)}",
        action=hint or where,
        record=record,
        field="metric",
    )


def _unknown_stratum(source: str, record: str, stratum: str, known: Sequence[str]) -> Problem:
    labels = dict.fromkeys(value.partition("=")[0] for value in known if "=" in value)
    choices = [*known, EVERY, *(f"{EVERY} {label}" for label in labels)]
    return Problem(
        source,
        found=f"{stratum!r}, in which there is no case",
        expected=f"one of {', '.join(choices)}",
        action=_meant(stratum, choices) or "A stratum nobody tests cannot be gated.",
        record=record,
        field="stratum",
    )


def _meant(name: str, choices: Iterable[str]) -> str:
    meant = nearest(name, choices)
    return f"Did you mean {meant!r}?" if meant else ""
