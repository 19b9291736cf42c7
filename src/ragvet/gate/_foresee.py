"""A policy against what is to be run: rules that no run can answer are found before anybody pays for one."""

from __future__ import annotations

from ragvet.dataset import Dataset
from ragvet.errors import InputError, Problem
from ragvet.gate._policy import Policy
from ragvet.gate._resolve import resolve
from ragvet.metrics.answers import REGISTRY
from ragvet.runs import ALL, RetrievalConfig, retrieval_metrics

__all__ = ["unanswerable"]


def unanswerable(policy: Policy, dataset: Dataset, retrieval: RetrievalConfig) -> tuple[Problem, ...]:
    """Every rule on a metric or stratum that a run of this golden set at these depths will not hold."""
    try:
        metrics = retrieval_metrics(retrieval.supplied_k, retrieval.deep_k, retrieval.metrics)
    except InputError:
        return ()  # a fault of the configuration, and said there
    retrieved = any(case.reference_passages for case in dataset)
    measured = {name: metric.declaration for name, metric in metrics.items() if retrieved}
    measured |= {f"{name}[last]": declaration for name, declaration in measured.items()}
    measured |= {
        name: metric.declaration for name, metric in REGISTRY.items() if any(metric.applies(case) for case in dataset)
    }
    strata = {f"{label}={value}" for case in dataset if not case.ambiguous for label, value in case.strata.items()}
    try:
        resolve(policy, measured, [ALL, *sorted(strata)])
    except InputError as error:
        return error.problems
    return ()
