"""A policy's rules against what a run holds: which metric, which strata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.gate._entry import Placed
from ragvet.gate._range import impossible, resembled
from ragvet.gate._rule import Rule
from ragvet.metrics.answers import REGISTRY
from ragvet.records import MetricDeclaration
from ragvet.runs import ALL, AMBIGUOUS, membership
from ragvet.text import nearest

__all__ = ["ResolvedRule", "chosen_strata", "gated_strata", "resolve", "unknown_metric", "unknown_stratum"]

EVERY = "every"
_GUESS = "Did you mean"


@dataclass(frozen=True, slots=True)
class ResolvedRule:
    """One rule and the strata it decides, each on its own.

    Attributes:
        declaration: what its metric is; None where the run holds no score of it.
        missing: why there is nothing to measure in the whole run; empty where there may be.
    """

    placed: Placed
    rule: Rule
    declaration: MetricDeclaration | None
    strata: tuple[str, ...]
    missing: str = ""

    @property
    def every_case(self) -> bool:
        """Whether it is about every single case, and not about their mean."""
        return self.rule.statistic == "every case"


def resolve(
    entries: Sequence[Placed], declarations: Mapping[str, MetricDeclaration], strata: Sequence[str]
) -> list[ResolvedRule]:
    """Every rule with its metric and strata.

    Args:
        entries: what was agreed about scores.
        declarations: the metrics of the run.
        strata: its strata: `all` and every label=value.

    Raises:
        InputError: naming every rule on a metric or stratum that was likely meant otherwise, and every threshold no
            value of the metric can miss or reach; without the file.
    """
    resolved: list[ResolvedRule] = []
    problems: list[Problem] = []
    for placed in entries:
        rule = placed.entry
        assert isinstance(rule, Rule), "entries of other subjects are not given to this one"  # noqa: S101 - impossible state
        chosen, declaration, missing = chosen_strata(rule.stratum, strata), declarations.get(rule.metric), ""
        if not chosen:
            unknown = unknown_stratum(placed.name, rule.stratum, strata)
            problems += [unknown] if unknown.action.startswith(_GUESS) else []
            missing = f"there is no case in {rule.stratum!r}"
        if declaration is None:
            unknown = unknown_metric(placed.name, rule.metric, declarations)
            problems += [unknown] if unknown.action.startswith(_GUESS) else []
            missing = f"the run holds {unknown.found}"
        else:
            faults = impossible({"min": rule.min, "max": rule.max}, rule.metric, declaration)
            problems.extend(replace(fault, record=placed.name) for fault in faults)
        resolved.append(ResolvedRule(placed, rule, declaration, chosen, missing))
    if problems:
        raise InputError(problems)
    return resolved


def gated_strata(cases: pl.DataFrame) -> list[str]:
    """`all`, then every label=value of a run's cases; ambiguous cases are outside pass and fail."""
    found: list[str] = membership(cases)["stratum"].unique().sort().to_list()
    return [ALL, *(stratum for stratum in found if stratum not in {ALL, AMBIGUOUS})]


def chosen_strata(written: str, strata: Sequence[str]) -> tuple[str, ...]:
    """The strata an entry means, of those there are; none where it names one that is not there."""
    if written == EVERY:
        return tuple(strata)
    if written.startswith(f"{EVERY} "):
        label = written.removeprefix(EVERY).strip()
        return tuple(stratum for stratum in strata if stratum.startswith(f"{label}="))
    return (written,) if written in strata else ()


def unknown_metric(record: str, metric: str, known: Mapping[str, MetricDeclaration]) -> Problem:
    """That there is no score of a metric, and which one was likely meant; without the file."""
    exists = metric in REGISTRY
    if not exists and resembled(metric) == metric and known.keys() <= REGISTRY.keys():
        return Problem(
            "",
            found=f"no score of {metric!r}, while no case here has marked evidence",
            expected="reference_passages in the golden set, or a metric of answers",
            action="Mark the evidence, or leave the rule out until it is.",
            record=record,
            field="metric",
        )
    hint = "" if exists else _meant(resembled(metric) or metric, known)
    where = f"`ragvet metrics {metric.partition('@')[0]}` says which cases a metric applies to."
    return Problem(
        "",
        found=f"no score of {metric!r}",
        expected="a metric that applies to some case" if exists or hint else f"one of {', '.join(known)}",
        action=hint or where,
        record=record,
        field="metric",
    )


def unknown_stratum(record: str, stratum: str, known: Sequence[str]) -> Problem:
    """That there is no case in a stratum, and which one was likely meant; without the file."""
    labels = dict.fromkeys(value.partition("=")[0] for value in known if "=" in value)
    choices = [*known, EVERY, *(f"{EVERY} {label}" for label in labels)]
    return Problem(
        "",
        found=f"{stratum!r}, in which there is no case",
        expected=f"one of {', '.join(choices)}",
        action=_meant(stratum, choices) or "A stratum nobody tests cannot be gated.",
        record=record,
        field="stratum",
    )


def _meant(name: str, choices: Iterable[str]) -> str:
    meant = nearest(name, choices)
    return f"{_GUESS} {meant!r}?" if meant else ""
