from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ragvet.dataset import Corpus, Dataset, load_corpus, load_dataset, reference_problems
from ragvet.errors import InputError, Problem
from ragvet.metrics.answers import conditions
from ragvet.runs._config import AnswersConfig, CallPolicy, Config, RetrievalConfig, TargetConfig
from ragvet.runs._count import retrieval_metrics
from ragvet.targets import HttpEndpoint, HttpTarget, PythonTarget, RecordedTraces, Target, import_callable

if TYPE_CHECKING:
    from ragvet.judging import Judge

__all__ = ["Plan", "build_judge", "check_inputs", "plan", "repeats", "retriever_plan"]


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

    attempt(retrieval_metrics, config.retrieval.supplied_k, config.retrieval.deep_k, config.retrieval.metrics)
    attempt(lambda: conditions(config.answers.validated, source="[answers] validated"))
    dataset: Dataset | None = attempt(lambda: load_dataset(config.dataset.path, judgments=config.dataset.judgments))
    corpus: Corpus | None = attempt(load_corpus, config.dataset.corpus) if config.dataset.corpus else None
    if dataset is not None and (corpus is not None or config.dataset.corpus is None):
        attempt(check_inputs, dataset, corpus)
    target: Target | RecordedTraces | None = attempt(build_target, config.target)
    judge: Judge | None = attempt(build_judge, config.answers)
    repeat = 1 if dataset is None or target is None else attempt(repeats, dataset, target, config.target)
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
        return RecordedTraces.open(target.recorded)
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


def retriever_plan(dataset: Dataset, retriever: Target, k: int, *, corpus: Corpus | None = None) -> Plan:
    """What the short path runs: a retriever over the cases to be answered, without a configuration or a judge.

    A golden set that declares no scope is taken as `listed`: nothing is assumed of what it does not list.

    Raises:
        InputError: no case is to be answered, or the corpus lacks the evidence.
    """
    cases = tuple(case for case in dataset if case.expected_behaviour == "answer")
    if not cases:
        found, action = "no case whose expected_behaviour is answer", "There is nothing to retrieve for the others."
        raise InputError(Problem(dataset.source, found, "at least one", action))
    chosen = replace(dataset, cases=cases, judgments=dataset.judgments or "listed")
    check_inputs(chosen, corpus)
    retrieval = RetrievalConfig(supplied_k=k, deep_k=k)
    return Plan(
        dataset=chosen,
        corpus=corpus,
        target=retriever,
        judge=None,
        policy=CallPolicy(concurrency=1),
        repeat=1,
        retrieval=retrieval,
        written={"retrieval": retrieval.model_dump(mode="json", exclude_defaults=True)},
    )


def check_inputs(dataset: Dataset, corpus: Corpus | None) -> None:
    """Insists on a declared judgment scope and, with a corpus, on evidence it knows.

    Raises:
        InputError: with every problem.
    """
    problems = reference_problems(dataset, corpus)
    if problems:
        raise InputError(problems)


def repeats(dataset: Dataset, target: Target | RecordedTraces, policy: CallPolicy) -> int:
    """How often each case is asked, or was.

    Raises:
        InputError: the recorded traces do not fit the golden set.
    """
    return target.check({case.id for case in dataset}) if isinstance(target, RecordedTraces) else policy.repeat
