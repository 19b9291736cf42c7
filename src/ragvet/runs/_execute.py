"""From a plan to a finished run; going on with one that was stopped."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ragvet.calling import run_to_end
from ragvet.dataset import Standing, standing
from ragvet.errors import InputError, Problem
from ragvet.heap import frozen_heap
from ragvet.runs._anchoring import Anchoring
from ragvet.runs._bundle import Run
from ragvet.runs._case_table import write_cases
from ragvet.runs._config import Config
from ragvet.runs._count import count
from ragvet.runs._evidence_files import write_traces
from ragvet.runs._fill import Filling
from ragvet.runs._folder import RUNS, create_folder, locked
from ragvet.runs._journal import Journal
from ragvet.runs._manifest import Counts, Manifest, package_versions, read_manifest, write_manifest
from ragvet.runs._plan import Plan
from ragvet.runs._plan import plan as make_plan
from ragvet.runs._progress import Progress, silent
from ragvet.runs._project import code_fingerprint, code_version
from ragvet.runs._ranked import AnchoredRankings, Ranked
from ragvet.runs._sitting import Sitting
from ragvet.targets import PythonTarget

__all__ = ["resume", "run", "score", "start"]


def run(config: Config, *, runs: Path = RUNS, progress: Progress = silent) -> Run:
    """A new run of what a configuration names; see `start`.

    Raises:
        InputError: with every problem of golden set, corpus, target and scope.
    """
    return start(make_plan(config, runs=runs), runs=runs, progress=progress)


def start(plan: Plan, *, runs: Path = RUNS, progress: Progress = silent) -> Run:
    """A new run: every case captured, judged and counted, in a folder of its own below `runs`.

    Raises:
        BundleError: the folder cannot be written; what was finished is kept.
        KeyboardInterrupt: it was stopped; `resume` goes on.
    """
    started_at = datetime.now(UTC)
    folder = create_folder(runs, started_at)
    with locked(folder), frozen_heap():
        manifest = _first_manifest(plan, folder.name, started_at)
        write_manifest(folder, manifest)
        return Sitting(folder, manifest, progress).complete(_Captured(plan, progress), plan.judge)


def resume(folder: Path, plan: Plan, *, retry_failed: bool = False, progress: Progress = silent) -> Run:
    """The run in `folder`, finished: what has an outcome is not asked for again.

    Args:
        folder: an interrupted run; a finished one is changed only by `retry_failed`.
        plan: what it was started with.
        retry_failed: whether to ask again where the target or the judge failed.
        progress: told about every finished item.

    Raises:
        InputError: golden set, corpus, target or configuration is not what the run was started with.
        BundleError: the folder is no run, cannot be written, or another process is at it.
    """
    read_manifest(folder)  # before anything is written into a folder that is no run
    with locked(folder), frozen_heap():
        manifest = read_manifest(folder)
        _insist_on_same_inputs(manifest, plan)
        if manifest.status == "finished" and not retry_failed:
            return Run(folder, manifest)
        sitting = Sitting(folder, manifest, progress)
        return sitting.complete(_Captured(plan, progress), plan.judge, retry_failed=retry_failed)


def score(folder: Path) -> Run:
    """The finished run in `folder`, its scores counted anew from its traces and verdicts; nobody is asked again.

    Raises:
        BundleError: the folder is no finished run, or another process is at it.
    """
    Run.open(folder)
    with locked(folder), frozen_heap():
        write_manifest(folder, count(Run.open(folder)))
    return Run.open(folder)


@dataclass(frozen=True)
class _Captured:
    """Evidence from the target of a plan."""

    plan: Plan
    progress: Progress

    def gather(self, run: Run, journal: Journal) -> tuple[Run, Ranked | None]:
        """Captures what is not captured yet and writes it in the order of the golden set."""
        plan, folder = self.plan, run.folder
        run_to_end(Filling(journal, plan, self.progress).complete)
        write_traces(folder, journal, plan.items())
        known = {case.id: stands for case in plan.dataset if (stands := standing(case, plan.corpus)) != Standing()}
        write_cases(folder, plan.dataset.cases, known)
        answers = journal.has_texts or len(journal.failed) == sum(plan.repeats.values())  # else nobody knows
        manifest = run.manifest.model_copy(update={"answers": answers})
        anchoring = Anchoring(plan.corpus, plan.dataset.judgments, plan.retrieval.overlap, known)
        rankings = AnchoredRankings(anchoring, folder / "rankings.parquet")
        return Run(folder, manifest, cases=plan.dataset.cases), rankings


def _first_manifest(plan: Plan, run_id: str, started_at: datetime) -> Manifest:
    return Manifest(
        run_id=run_id,
        status="running",
        started_at=started_at,
        config=plan.written,
        config_fingerprint=plan.fingerprint,
        dataset=plan.dataset.source,
        dataset_fingerprint=plan.dataset.fingerprint,
        judgments=plan.dataset.judgments,
        corpus_fingerprint=None if plan.corpus is None else plan.corpus.fingerprint,
        target=plan.target.name,
        target_fingerprint=plan.target.fingerprint,
        judge_fingerprint=None if plan.judge is None else plan.judge.fingerprint,
        supplied_k=plan.retrieval.supplied_k,
        deep_k=plan.retrieval.deep_k,
        repeat=plan.repeat,
        seed=plan.seed,
        code=code_version(Path.cwd()),
        code_fingerprint=code_fingerprint(Path.cwd()) if isinstance(plan.target, PythonTarget) else None,
        policy=plan.policy_in_force,
        counts=Counts(left_out=plan.dataset.left_out),
        versions=package_versions(),
    )


def _insist_on_same_inputs(manifest: Manifest, plan: Plan) -> None:
    now = _first_manifest(plan, manifest.run_id, manifest.started_at)
    names = ("dataset", "corpus", "target", "judge", "config")
    problems = [
        Problem(
            f"run {manifest.run_id}",
            f"a {name} that has changed since ({getattr(now, f'{name}_fingerprint')})",
            f"the {name} it was started with ({getattr(manifest, f'{name}_fingerprint')})",
            "Put it back, or start a new run: scores of different inputs must not stand in one run.",
            field=name,
        )
        for name in names
        if getattr(now, f"{name}_fingerprint") != getattr(manifest, f"{name}_fingerprint")
    ]
    if problems:
        raise InputError(problems)
