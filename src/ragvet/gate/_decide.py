"""The decision: every entry of a policy put to the subject that knows it, and what comes out of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ragvet.dataset import Dataset
from ragvet.errors import InputError, Problem
from ragvet.gate._decision import ORDER, Decision, RuleResult
from ragvet.gate._entry import Placed
from ragvet.gate._policy import Policy
from ragvet.gate._subjects import GatedRun, Subject, subject
from ragvet.runs import Manifest, RetrievalConfig
from ragvet.text import plural

__all__ = ["decide", "unanswerable"]


def decide(policy: Policy, run: GatedRun) -> Decision:
    """The gate's word on a finished run: the gravest of what its entries come to.

    Raises:
        InputError: the policy names a metric or stratum nobody can mean of this run, or a threshold no value can reach.
    """
    results: list[RuleResult] = []
    problems: list[Problem] = []
    doubts: list[str] = []
    for about, placed in _by_subject(policy):
        try:
            results += about.decide(placed, run)
            doubts += about.doubts(placed, run)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(replace(problem, source=policy.source) for problem in problems)
    results.sort(key=lambda result: (ORDER.index(result.outcome), not result.critical))
    outcomes = {result.outcome for result in results}
    return Decision(
        outcome=next(outcome for outcome in ORDER if outcome in outcomes),
        run_id=run.manifest.run_id,
        started_at=run.manifest.started_at,
        policy=policy.source,
        policy_fingerprint=policy.fingerprint,
        rules=tuple(results),
        ambiguous=int(run.case_frame()["ambiguous"].sum()),
        warnings=(*_failures(run.manifest), *doubts, *_late(policy, run.manifest)),
    )


def _by_subject(policy: Policy) -> Iterator[tuple[Subject, list[Placed]]]:
    """Each subject of the policy with its entries, in the order of the file."""
    for name in dict.fromkeys(placed.entry.subject for placed in policy.entries):
        yield subject(name), [placed for placed in policy.entries if placed.entry.subject == name]


def unanswerable(policy: Policy, dataset: Dataset, retrieval: RetrievalConfig) -> tuple[Problem, ...]:
    """Every entry that no run of this golden set at these depths will answer."""
    found = (problem for about, placed in _by_subject(policy) for problem in about.foresee(placed, dataset, retrieval))
    return tuple(replace(problem, source=policy.source) for problem in found)


def _failures(manifest: Manifest) -> Iterator[str]:
    counts = manifest.counts
    if counts.failed:
        causes = ", ".join(f"{kind} {count:,}" for kind, count in counts.failed.items())
        yield (
            f"{sum(counts.failed.values()):,} of {plural(counts.items, 'call')} failed ({causes}): `ragvet report "
            f"{manifest.run_id}` says why; `ragvet run --resume {manifest.run_id} --retry-failed` asks those again"
        )


def _late(policy: Policy, manifest: Manifest) -> Iterator[str]:
    started = manifest.started_at.astimezone().date()
    for placed in policy.entries:
        if placed.entry.agreed_on > started:
            yield (
                f"{placed.name} was agreed on {placed.entry.agreed_on}, after the run started on {started}: "
                f"a threshold chosen after measuring proves nothing"
            )
