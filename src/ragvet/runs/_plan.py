"""What a run needs, loaded and checked before anybody is called."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ragvet.dataset import Corpus, Dataset, load_corpus, load_dataset, reference_problems
from ragvet.errors import InputError, Problem
from ragvet.judging import Judge, build_judge
from ragvet.metrics.answers import conditions
from ragvet.records import Case
from ragvet.runs._config import AnswersConfig, CallPolicy, Config, NoJudge, RetrievalConfig, TargetConfig
from ragvet.runs._count import retrieval_metrics
from ragvet.runs._folder import RUNS
from ragvet.targets import HttpTarget, PythonTarget, RecordedTraces, Target, import_callable
from ragvet.text import plural

__all__ = ["Plan", "check_inputs", "config_fingerprint", "judge_of", "plan", "repeats", "replies", "retriever_plan"]


@dataclass(frozen=True)
class Plan:
    """Everything a run needs, loaded and checked: what to ask, whom, how to judge and what to count."""

    dataset: Dataset
    corpus: Corpus | None
    target: Target | RecordedTraces
    judge: Judge | None
    policy: CallPolicy
    repeats: Mapping[str, int]
    """Case id → how often the case is asked, or was; recorded cases need not be alike in that."""
    retrieval: RetrievalConfig
    answers: AnswersConfig = field(default_factory=AnswersConfig)
    seed: int = 0
    written: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The configuration as written, for the manifest; it holds no secret."""
    policy_in_force: Mapping[str, Any] | None = None
    """The policy beside the configuration, in full."""

    @property
    def repeat(self) -> int:
        """How often a case is asked at most."""
        return max(self.repeats.values(), default=1)

    def items(self) -> Iterator[tuple[Case, int]]:
        """Every case and repeat, in the order of the golden set."""
        return ((case, repeat) for case in self.dataset.cases for repeat in range(self.repeats[case.id]))

    @property
    def fingerprint(self) -> str:
        """Of the configuration."""
        return config_fingerprint(self.written)


def config_fingerprint(written: Mapping[str, Any]) -> str:
    """Of a configuration, without the budget of a judge: that ends a sitting, and changes no score."""
    judge = {name: value for name, value in written.get("judge", {}).items() if name != "budget"}
    said = json.dumps({**written, "judge": judge}, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def plan(config: Config, *, runs: Path = RUNS, fresh: bool = False, policy: Path | None = None) -> Plan:
    """Loads what the configuration names.

    Args:
        config: what is to be run.
        runs: where runs are kept; replies of a model judge are kept in the database beside it.
        fresh: ask a model again even where its reply is kept.
        policy: the policy in force, if there is such a file; the run keeps what it says.

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
    judge: Judge | None = attempt(lambda: judge_of(config, runs, corpus, fresh=fresh))
    asked: dict[str, int] = {}
    if dataset is not None and target is not None:
        asked = attempt(repeats, dataset, target, config.target)
        dataset = attempt(dataset.asked, config.dataset.split)
    if problems or dataset is None or target is None:
        raise InputError(problems)
    return Plan(
        dataset,
        corpus,
        target,
        judge,
        policy=config.target,
        repeats={case.id: asked[case.id] for case in dataset},
        retrieval=config.retrieval,
        answers=config.answers,
        seed=config.seed,
        written=config.model_dump(mode="json", exclude_unset=True),
        policy_in_force=None if policy is None else _policy_in(policy),
    )


def _policy_in(file: Path) -> dict[str, Any] | None:
    """What a policy says, in full, as JSON can hold it; None where there is none. Whether it is right the gate says."""
    try:
        return json.loads(json.dumps(tomllib.loads(file.read_text(encoding="utf-8")), default=str))
    except (OSError, ValueError):
        return None


def judge_of(config: Config, runs: Path, corpus: Corpus | None, *, fresh: bool) -> Judge | None:
    """The judge of the `[judge]` table; None: nobody is to judge."""
    if isinstance(config.judge, NoJudge):
        return None
    return build_judge(config.judge, database=replies(runs), fresh=fresh, register=corpus)


def replies(runs: Path) -> Path:
    """The database that keeps the replies of model judges, beside the folder of the runs."""
    return runs.parent / "ragvet.db"


def build_target(target: TargetConfig) -> Target | RecordedTraces:
    """The target of the `[target]` table."""
    if target.recorded is not None:
        return RecordedTraces.open(target.recorded)
    if target.python is not None:
        return PythonTarget(import_callable(target.python), name=target.python, retriever=target.retriever)
    assert target.http is not None, "the configuration holds exactly one kind of target"  # noqa: S101 - impossible state
    return HttpTarget(target.http, retriever=target.retriever)


def retriever_plan(dataset: Dataset, retriever: Target, k: int, *, corpus: Corpus | None = None) -> Plan:
    """What the short path runs: a retriever over the cases to be answered, without a configuration or a judge.

    A golden set that declares no scope is taken as `listed`: nothing is assumed of what it does not list.

    Raises:
        InputError: no case is to be answered, none has marked evidence, or the corpus lacks the evidence.
    """
    cases = tuple(case for case in dataset if case.expected_behaviour == "answer")
    if cases and all(case.unmarked for case in cases):
        found = f"no evidence marked in any of {plural(len(cases), 'case')} to be answered"
        action = "Name the documents that hold the answers: without them nobody can tell what should be found."
        raise InputError(Problem(dataset.source, found, "reference_passages", action))
    if not cases:
        found, action = "no case whose expected_behaviour is answer", "There is nothing to retrieve for the others."
        raise InputError(Problem(dataset.source, found, "at least one", action))
    chosen = replace(dataset, cases=cases, judgments=dataset.judgments or "listed")
    check_inputs(chosen, corpus)
    retrieval = RetrievalConfig(supplied_k=k, deep_k=k, metrics=(f"chunk_coverage@{k}",))
    return Plan(
        dataset=chosen,
        corpus=corpus,
        target=retriever,
        judge=None,
        policy=CallPolicy(concurrency=1),
        repeats=dict.fromkeys((case.id for case in cases), 1),
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


def repeats(dataset: Dataset, target: Target | RecordedTraces, policy: CallPolicy) -> dict[str, int]:
    """Case id → how often it is asked, or was; a case that recorded answers lack is missed once.

    Raises:
        InputError: the recorded traces do not fit the golden set, or hold another number of repeats than was asked for.
    """
    ids = [case.id for case in dataset]
    if not isinstance(target, RecordedTraces):
        return dict.fromkeys(ids, policy.repeat)
    held = target.check({*ids})
    most = max(held.values())
    if "repeat" in policy.model_fields_set and policy.repeat != most:
        action = "Leave repeat out: recorded answers are as many as they are. To ask again, name a live target."
        expected = f"{most}, as {target.name} holds"
        raise InputError(Problem("[target] or --repeat", str(policy.repeat), expected, action, field="repeat"))
    return {case_id: held.get(case_id, 1) for case_id in ids}
