"""A finished run under another judge."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragvet.dataset import load_corpus
from ragvet.errors import BundleError, InputError, Problem
from ragvet.heap import frozen_heap
from ragvet.judging import Judge
from ragvet.runs._bundle import Run
from ragvet.runs._config import Config
from ragvet.runs._folder import RUNS, create_folder, locked
from ragvet.runs._journal import Journal
from ragvet.runs._manifest import Manifest, Spend, package_versions, read_manifest
from ragvet.runs._plan import config_fingerprint, judge_of
from ragvet.runs._progress import Progress, silent
from ragvet.runs._project import code_version
from ragvet.runs._ranked import Ranked
from ragvet.runs._sitting import Sitting
from ragvet.runs._storage import replace_file

__all__ = ["Judging", "judge_run", "plan_judging"]

_EVIDENCE = ("traces.parquet", "rankings.parquet", "cases.parquet")


@dataclass(frozen=True)
class Judging:
    """Who judges a finished run: the judge, its table as written, and the corpus it looks citations up in."""

    judge: Judge
    written: Mapping[str, Any]
    corpus_fingerprint: str | None = None


def plan_judging(config: Config, *, runs: Path = RUNS, fresh: bool = False) -> Judging:
    """Loads the judge the configuration names, and the corpus; neither golden set nor target.

    Raises:
        InputError: the judge or the corpus cannot be had, or nobody is to judge.
    """
    corpus = None if config.dataset.corpus is None else load_corpus(config.dataset.corpus)
    judge = judge_of(config, runs, corpus, fresh=fresh)
    if judge is None:
        raise InputError(
            Problem("[judge]", 'kind = "none"', "somebody who judges", "Name a judge (docs/judges.md).", field="kind")
        )
    written = {"kind": config.judge.kind, **config.judge.model_dump(mode="json", exclude_unset=True)}
    return Judging(judge, written, None if corpus is None else corpus.fingerprint)


def judge_run(
    folder: Path,
    judging: Judging,
    *,
    runs: Path = RUNS,
    retry_failed: bool = False,
    progress: Progress = silent,
) -> Run:
    """The answers of a finished run under another judge: a new run of the same traces, with scores of its own.

    The run in `folder` stays as it is. A new run that was stopped goes on where it was when its own folder is given.

    Args:
        folder: a finished run, or a judging of one that was stopped.
        judging: who judges.
        runs: where the new run goes.
        retry_failed: ask again only where the judge failed, in the run of `folder` itself; it must be the same judge.
        progress: told about every answer that was judged.

    Raises:
        InputError: the run holds no answers, or judge or corpus are not those it was made with.
        BundleError: the folder is no such run, cannot be written, or another process is at it.
        BudgetReached: it was stopped; what was judged is kept.
    """
    manifest = read_manifest(folder)
    unfinished = manifest.judged_from is not None and manifest.status != "finished"
    if not unfinished:
        Run.open(folder)
    _insist(manifest, judging, same_judge=unfinished or retry_failed)
    if unfinished or retry_failed:
        with locked(folder), frozen_heap():
            sitting = Sitting(folder, read_manifest(folder), progress)
            return sitting.complete(_OnDisk(), judging.judge, retry_failed=retry_failed)
    started_at = datetime.now(UTC)
    fresh = create_folder(runs, started_at)
    with locked(fresh), frozen_heap():
        for name in _EVIDENCE:
            _copy(folder / name, fresh / name)
        anew = _anew(manifest, judging, fresh.name, started_at)
        return Sitting(fresh, anew, progress).complete(_OnDisk(), judging.judge)


def _anew(source: Manifest, judging: Judging, run_id: str, started_at: datetime) -> Manifest:
    config = {**source.config, "judge": dict(judging.written)}
    return source.model_copy(
        update={
            "run_id": run_id,
            "judged_from": source.run_id,
            "started_at": started_at,
            "seconds": None,
            "finished_at": None,
            "status": "running",
            "config": config,
            "config_fingerprint": config_fingerprint(config),
            "judge_fingerprint": judging.judge.fingerprint,
            "code": code_version(Path.cwd()),
            "versions": package_versions(),
            "metrics": {},
            "counts": source.counts.model_copy(update={"judged": 0, "judge_failed": 0}),
            "judging": Spend(),
        }
    )


def _insist(manifest: Manifest, judging: Judging, *, same_judge: bool) -> None:
    source = f"run {manifest.run_id}"
    problems: list[Problem] = []
    if not manifest.answers:
        problems.append(
            Problem(source, "no answers: its target only retrieves", "answers to judge", "Name another run.")
        )
    if manifest.corpus_fingerprint != judging.corpus_fingerprint:
        found, expected = (
            f"corpus {judging.corpus_fingerprint}",
            f"the one it was run with ({manifest.corpus_fingerprint})",
        )
        action = "Name that corpus in [dataset], or run anew: citations are looked up there."
        problems.append(Problem(source, found, expected, action, field="corpus"))
    if same_judge and manifest.judge_fingerprint != judging.judge.fingerprint:
        found, expected = f"judge {judging.judge.fingerprint}", f"the one that began ({manifest.judge_fingerprint})"
        action = "Put it back, or judge a finished run anew: two judges must not stand in one run."
        problems.append(Problem(source, found, expected, action, field="judge"))
    if problems:
        raise InputError(problems)


class _OnDisk:
    """Evidence that lies in the folder of the run already."""

    def gather(self, run: Run, journal: Journal) -> tuple[Run, Ranked | None]:  # noqa: ARG002 - nothing is captured
        """The run as it is."""
        return run, None


def _copy(source: Path, target: Path) -> None:
    if not source.is_file():
        remade = f"ragvet run --resume {shlex.quote(str(source.parent))}"
        raise BundleError(f"{source}: is missing. Make it again with: {remade}")
    replace_file(target, lambda temporary: shutil.copyfile(source, temporary))
