"""`ragvet.evaluate`: a whole run in one call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from ragvet.calling import in_thread
from ragvet.dataset import Corpus, Dataset, load_corpus, load_dataset
from ragvet.errors import InputError, Problem
from ragvet.judging import AnyJudge, Judge, OfflineSettings, as_judge, build_judge
from ragvet.runs import (
    RUNS,
    AnswersConfig,
    CallPolicy,
    Plan,
    RetrievalConfig,
    Run,
    check_inputs,
    locate_run,
    progress_bar,
    read_table,
    repeats,
    start,
)
from ragvet.runs import resume as continue_run
from ragvet.targets import InLoop, PythonTarget, RecordedTraces, Target
from ragvet.text import shown

__all__ = ["aevaluate", "evaluate"]


def evaluate(  # noqa: PLR0913 - what a run is made of, five of seven by name only
    dataset: Dataset | Path | str,
    target: Target | RecordedTraces | Callable[..., Any],
    *,
    depths: tuple[int, int],
    corpus: Corpus | Path | str | None = None,
    judge: AnyJudge | Literal["offline", "none"] = "offline",
    calls: CallPolicy | None = None,
    resume: Path | str | None = None,
) -> Run:
    """The finished run of a target over a golden set, kept below `.ragvet/runs`.

    It can be called in a notebook, or wherever else an event loop is running: the calls then run in a thread beside it.

    Args:
        dataset: a golden set, or its file. It must declare its judgment scope; else give
            `load_dataset(path, judgments="listed")`.
        target: a callable `(question, k, …)`, sync or async, that returns an `Answer`, a dict with its fields, or
            ranked ids; recorded traces; or anything with the methods of a `Target`.
        depths: how many passages the model is given, and how deep the ranking is looked at: `(5, 50)`.
        corpus: the documents, or where they lie.
        judge: the offline rules, none, or a judge of your own (docs/judges.md).
        calls: concurrency, deadline, retries, repeats.
        resume: a run of the same call that was stopped: its folder, its id, or `latest`. What was finished is not asked
            for again.

    Raises:
        InputError: with every problem of what was given, or it is not what the run to resume was started with.
        BundleError: the run cannot be written, or there is none to resume.
    """
    try:
        supplied_k, deep_k = depths
    except (TypeError, ValueError):
        expected, action = "two numbers", "Write depths=(5, 50): what the model is given, and how deep to look."
        raise InputError(Problem("evaluate", repr(depths), expected, action, field="depths")) from None
    retrieval = read_table(RetrievalConfig, {"supplied_k": supplied_k, "deep_k": deep_k}, "depths")
    answers = AnswersConfig()
    policy = calls or CallPolicy()
    _insist_on_types(dataset, corpus, policy)
    golden = dataset if isinstance(dataset, Dataset) else load_dataset(dataset)
    documents = load_corpus(corpus) if isinstance(corpus, Path | str) else corpus
    check_inputs(golden, documents)
    called = target if isinstance(target, RecordedTraces | Target) else PythonTarget(target)
    plan = Plan(
        dataset=golden,
        corpus=documents,
        target=called,
        judge=_built(judge, documents),
        policy=policy,
        repeats=repeats(golden, called, policy),
        retrieval=retrieval,
        answers=answers,
        written={
            "target": policy.model_dump(mode="json", exclude_defaults=True),
            "retrieval": retrieval.model_dump(mode="json", exclude_defaults=True),
            "answers": answers.model_dump(mode="json", exclude_defaults=True),
        },
    )
    with progress_bar() as progress:
        runs = RUNS.absolute()  # the caller may change its folder
        if resume is not None:
            return continue_run(locate_run(str(resume), runs), plan, progress=progress)
        return start(plan, runs=runs, progress=progress)


async def aevaluate(  # noqa: PLR0913 - as of `evaluate`
    dataset: Dataset | Path | str,
    target: Target | RecordedTraces | Callable[..., Any],
    *,
    depths: tuple[int, int],
    corpus: Corpus | Path | str | None = None,
    judge: AnyJudge | Literal["offline", "none"] = "offline",
    calls: CallPolicy | None = None,
    resume: Path | str | None = None,
) -> Run:
    """`evaluate` to be awaited: the target is asked in the event loop of the caller, to which its clients may belong.

    All else is done in a thread beside it. Cancelling it stops the run as Ctrl-C does: what was finished is kept.

    Args:
        dataset: as of `evaluate`, like all that follows.
        target: an async callable is run in the caller's loop.
        depths: how many passages the model is given, and how deep the ranking is looked at.
        corpus: the documents, or where they lie.
        judge: the offline rules, none, or a judge of your own.
        calls: concurrency, deadline, retries, repeats.
        resume: a run of the same call that was stopped.

    Raises:
        InputError: as of `evaluate`.
        BundleError: likewise.
    """
    called: Target | RecordedTraces
    if isinstance(target, RecordedTraces):
        called = target
    else:
        asked = target if isinstance(target, Target) else PythonTarget(target)
        called = InLoop(asked, asyncio.get_running_loop())
    return await in_thread(
        lambda: evaluate(dataset, called, depths=depths, corpus=corpus, judge=judge, calls=calls, resume=resume)
    )


def _insist_on_types(dataset: object, corpus: object, policy: object) -> None:
    """What is given as a list or dict, as other tools take it, is told how it becomes what is needed here."""
    problems: list[Problem] = []
    if not isinstance(dataset, Dataset | Path | str):
        expected, action = "a Dataset, or the path of a file", 'Give ragvet.Dataset.of(cases, judgments="listed").'
        problems.append(Problem("evaluate", f"a {type(dataset).__name__}", expected, action, field="dataset"))
    if not isinstance(corpus, Corpus | Path | str | None):
        expected, action = "a Corpus, or the path of a file or folder", "Give ragvet.Corpus.of(documents)."
        problems.append(Problem("evaluate", f"a {type(corpus).__name__}", expected, action, field="corpus"))
    if not isinstance(policy, CallPolicy):
        expected, action = "a CallPolicy", "Give ragvet.CallPolicy(concurrency=8, deadline=30)."
        problems.append(Problem("evaluate", shown(policy), expected, action, field="calls"))
    if problems:
        raise InputError(problems)


def _built(judge: object, corpus: Corpus | None) -> Judge | None:
    if judge == "none":
        return None
    if judge == "offline":
        return build_judge(OfflineSettings(), register=corpus)
    if not isinstance(judge, AnyJudge):
        action = 'Write judge="offline" or judge="none", or give build_judge(…).'
        raise InputError(Problem("evaluate", repr(judge), "offline, none or a Judge", action, field="judge"))
    return as_judge(judge)
