"""A policy against what is to be run: entries that no run can answer are found before anybody pays for one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragvet.dataset import Dataset
from ragvet.errors import InputError, Problem
from ragvet.gate._entry import Placed
from ragvet.gate._resolve import chosen_strata, unknown_metric, unknown_stratum
from ragvet.gate._rule import Rule
from ragvet.metrics.answers import REGISTRY
from ragvet.records import MetricDeclaration
from ragvet.runs import ALL, RetrievalConfig, retrieval_metrics

__all__ = ["strata_of", "unanswerable_scores"]


def unanswerable_scores(placed: Sequence[Placed], dataset: Dataset, retrieval: RetrievalConfig) -> Iterator[Problem]:
    """Every rule on a metric or stratum that a run of this golden set at these depths will not hold."""
    try:
        known = _measurable(dataset, retrieval)
    except InputError:
        return  # a fault of the configuration, and said there
    strata = strata_of(dataset)
    for one in placed:
        if not isinstance(one.entry, Rule):
            continue
        if one.entry.metric not in known:
            yield unknown_metric(one.name, one.entry.metric, known)
        if not chosen_strata(one.entry.stratum, strata):
            yield unknown_stratum(one.name, one.entry.stratum, strata)


def strata_of(dataset: Dataset) -> list[str]:
    """`all` and every label=value of the cases reviewers agree on."""
    agreed = (case for case in dataset if not case.ambiguous)
    return [ALL, *sorted({f"{label}={value}" for case in agreed for label, value in case.strata.items()})]


def _measurable(dataset: Dataset, retrieval: RetrievalConfig) -> dict[str, MetricDeclaration]:
    metrics = retrieval_metrics(retrieval.supplied_k, retrieval.deep_k, retrieval.metrics)
    retrieved = any(case.reference_passages for case in dataset)
    measured = {name: metric.declaration for name, metric in metrics.items() if retrieved}
    measured |= {f"{name}[last]": declaration for name, declaration in measured.items()}
    applicable = (metric for metric in REGISTRY.values() if any(metric.applies(case) for case in dataset))
    return measured | {metric.name: metric.declaration for metric in applicable}
