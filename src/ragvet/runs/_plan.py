from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragvet.dataset import Corpus, Dataset, load_corpus, load_dataset
from ragvet.errors import InputError, Problem
from ragvet.metrics.answers import conditions
from ragvet.runs._config import AnswersConfig, CallPolicy, Config, RetrievalConfig, TargetConfig
from ragvet.runs._count import retrieval_metrics
from ragvet.targets import HttpEndpoint, HttpTarget, PythonTarget, RecordedTraces, Target, import_callable

if TYPE_CHECKING:
    from ragvet.judging import Judge

__all__ = ["Plan", "plan"]


@dataclass(frozen=True)
class Plan:
    """Everything a run needs, loaded and checked: what to ask, whom, how to judge and what to count."""

    dataset: Dataset
    corpus: Corpus | None
    target: Target | RecordedTraces
    judge: Judge | None
    policy: CallPolicy
    repeat: int
    retrieval: RetrievalConfig
    answers: AnswersConfig = field(default_factory=AnswersConfig)
    seed: int = 0
    written: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The configuration as written, for the manifest; it holds no secret."""

    @property
    def fingerprint(self) -> str:
        """Of the configuration."""
        return hashlib.sha256(json.dumps(self.written, sort_keys=True).encode()).hexdigest()[:16]


def plan(config: Config) -> Plan:
    """Loads what the configuration names.

    Raises:
        InputError: with every problem of golden set, corpus, target and scope.
    """
    problems: list[Problem] = []

    def attempt(load: Any, *arguments: Any) -> Any:
        try:
            return load(*arguments)
        except InputError as error:
            problems.extend(error.problems)
            return None

    source = "configuration"
    attempt(retrieval_metrics, config.retrieval.supplied_k, config.retrieval.deep_k, config.retrieval.metrics)
    attempt(lambda: conditions(config.answers.validated, source=f"{source}, [answers] validated"))
    dataset: Dataset | None = attempt(_load_scoped, config)
    corpus: Corpus | None = attempt(load_corpus, config.dataset.corpus) if config.dataset.corpus else None
    target: Target | RecordedTraces | None = attempt(build_target, config.target)
    judge: Judge | None = attempt(build_judge, config.answers)
    repeat = config.target.repeat
    if isinstance(target, RecordedTraces) and dataset is not None:
        repeat = attempt(target.check, {case.id for case in dataset.cases})
    if problems or dataset is None or target is None:
        raise InputError(problems)
    return Plan(
        dataset,
        corpus,
        target,
        judge,
        policy=config.target,
        repeat=repeat,
        retrieval=config.retrieval,
        answers=config.answers,
        seed=config.seed,
        written=config.model_dump(mode="json", exclude_defaults=True),
    )


def build_target(target: TargetConfig) -> Target | RecordedTraces:
    """The target of the `[target]` table."""
    if target.recorded is not None:
        return RecordedTraces(target.recorded)
    if target.python is not None:
        return PythonTarget(import_callable(target.python), name=target.python, retriever=target.retriever)
    assert target.http is not None, "the configuration holds exactly one kind of target"  # noqa: S101 - impossible state
    return HttpTarget(HttpEndpoint(**dict(target.http)), retriever=target.retriever)


def build_judge(answers: AnswersConfig) -> Judge | None:
    """The judge of the `[answers]` table; None where answers are not judged."""
    if answers.judge == "none":
        return None
    from ragvet.judging.local import OfflineJudge  # noqa: PLC0415 - loads language data

    return OfflineJudge()


def _load_scoped(config: Config) -> Dataset:
    dataset = load_dataset(Path(config.dataset.path), judgments=config.dataset.judgments)
    require_scope(dataset)
    return dataset


def require_scope(dataset: Dataset) -> None:
    """Insists on a declared judgment scope: every retrieval score depends on it, so it has no default.

    Raises:
        InputError: it is not declared.
    """
    if dataset.judgments is None:
        raise InputError(
            Problem(
                dataset.source,
                "no judgment scope",
                "exhaustive (what is not listed is non-relevant) or listed (what is not listed is not judged)",
                'Declare it in the golden set ({"judgments": "listed", "cases": […]}) or in [dataset] judgments.',
                field="judgments",
            )
        )
