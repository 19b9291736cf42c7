"""What happened to the items of a run, counted one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ragvet.records import Behaviour, Case, JudgeFailure, Trace, Usage, Verdicts
from ragvet.report._model import BehaviourCell, FailureCause, Latency, Observed, StageUsage

__all__ = ["Judged", "Tally", "observed_behaviour"]

_WHOLE = "whole call"
_CAUSE = 80
"""Characters of a judge's message that name the cause; what follows a colon is the single case."""
_MESSAGES = 10
"""Messages of a cause that have a row of their own: some name an id or a time and are new every time."""

Judged = Verdicts | JudgeFailure | None


@dataclass
class _Spent:
    items: int = 0
    priced: int = 0
    cost: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None

    def add(self, usage: Usage) -> None:
        self.items += 1
        if usage.cost is not None:
            self.priced += 1
            self.cost = (self.cost or 0.0) + usage.cost
        if usage.input_tokens is not None:
            self.input_tokens = (self.input_tokens or 0) + usage.input_tokens
        if usage.output_tokens is not None:
            self.output_tokens = (self.output_tokens or 0) + usage.output_tokens


@dataclass
class _Cell:
    case_ids: list[str] = field(default_factory=list[str])
    with_evidence: int = 0
    without_evidence: int = 0
    no_gold: int = 0
    not_reported: int = 0
    nothing_shown: int = 0
    judge_failed: int = 0


class Tally:
    """Counts what happened to the items of a run, one item at a time, so that a run need not fit in memory.

    Args:
        content: False leaves out messages, which may quote what the target or the judge said.
        evidence: items (case id, repeat) with relevant evidence before the model.
    """

    def __init__(self, evidence: frozenset[tuple[str, int]], *, content: bool = True) -> None:
        self._evidence = evidence
        self._content = content
        self._cells: dict[tuple[Behaviour, Observed], _Cell] = defaultdict(_Cell)
        self._failures: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
        self._seconds: dict[str, list[float]] = defaultdict(list)
        self._serving: dict[str, _Spent] = defaultdict(_Spent)
        self._judging: dict[str, _Spent] = defaultdict(_Spent)
        self._answered = 0
        self._judged = 0
        self.judges: set[str] = set()

    def add(self, case: Case, trace: Trace, judged: Judged) -> None:
        """Counts one item."""
        self._count_trace(trace)
        self._count_judged(judged)
        if case.ambiguous:
            return
        cell = self._cells[case.expected_behaviour, observed_behaviour(trace, judged)]
        cell.case_ids.append(case.id)
        cell.nothing_shown += _nothing_shown(trace)
        cell.judge_failed += trace.answer is not None and isinstance(judged, JudgeFailure)
        if case.unmarked:
            cell.not_reported += 1
        elif not any(passage.grade > 0 for passage in case.reference_passages):
            cell.no_gold += 1
        elif trace.key in self._evidence:
            cell.with_evidence += 1
        elif trace.answer is not None and (trace.answer.retrievals or trace.answer.supplied is not None):
            cell.without_evidence += 1
        else:
            cell.not_reported += 1

    def _count_trace(self, trace: Trace) -> None:
        if trace.latency is not None:
            self._seconds[_WHOLE].append(trace.latency)
        if trace.error is not None:
            self._fail("target", trace.error.kind, trace.error.message, trace.case_id)
        if trace.answer is None:
            return
        self._answered += 1
        for stage, seconds in trace.answer.timings.items():
            self._seconds[stage].append(seconds)
        for stage, usage in trace.answer.usage.items():
            self._serving[stage].add(usage)

    def _count_judged(self, judged: Judged) -> None:
        if judged is None:
            return
        self._judged += 1
        self.judges.add(judged.judge)
        if judged.usage is not None:
            self._judging["judge"].add(judged.usage)
        if isinstance(judged, JudgeFailure):
            cause = judged.error.partition(":")[0][:_CAUSE] if self._content else "judge failure"
            self._fail("judge", cause, judged.error, judged.case_id)

    def _fail(self, stage: str, cause: str, message: str, case_id: str) -> None:
        self._failures[stage, cause].setdefault(message, []).append(case_id)

    def behaviours(self) -> tuple[BehaviourCell, ...]:
        """Every combination of expected and observed that occurred."""
        return tuple(
            BehaviourCell(
                expected=expected,
                observed=observed,
                items=len(cell.case_ids),
                with_evidence=cell.with_evidence,
                without_evidence=cell.without_evidence,
                no_gold=cell.no_gold,
                not_reported=cell.not_reported,
                nothing_shown=cell.nothing_shown,
                judge_failed=cell.judge_failed,
                case_ids=tuple(dict.fromkeys(cell.case_ids)),
            )
            for (expected, observed), cell in sorted(self._cells.items())
        )

    def failures(self) -> tuple[FailureCause, ...]:
        """Causes and in each its messages, the most frequent first; those beyond the tenth stand together."""
        causes = [list(self._causes(*key, by_message)) for key, by_message in self._failures.items()]
        causes.sort(key=lambda rows: (-sum(row.items for row in rows), rows[0].stage, rows[0].cause))
        return tuple(row for rows in causes for row in rows)

    def _causes(self, stage: str, cause: str, by_message: Mapping[str, list[str]]) -> Iterator[FailureCause]:
        frequent = sorted(by_message, key=lambda message: -len(by_message[message]))
        alone = _MESSAGES if self._content else 0
        rows = [[message] for message in frequent[:alone]]
        if frequent[alone:]:
            rows.append(frequent[alone:])
        for messages in rows:
            case_ids = [case_id for message in messages for case_id in by_message[message]]
            yield FailureCause(
                stage="target" if stage == "target" else "judge",
                cause=cause,
                example=messages[0] if self._content else None,
                messages=len(messages),
                items=len(case_ids),
                case_ids=tuple(dict.fromkeys(case_ids)),
            )

    def latency(self) -> tuple[Latency, ...]:
        """The whole call first, then its stages, the slowest first."""
        rows: list[Latency] = []
        for stage, seconds in self._seconds.items():
            p50, p95, p99 = (float(value) for value in np.quantile(seconds, (0.5, 0.95, 0.99)))
            rows.append(Latency(stage=stage, n=len(seconds), p50=p50, p95=p95, p99=p99, maximum=max(seconds)))
        return tuple(sorted(rows, key=lambda row: (row.stage != _WHOLE, -row.p50, row.stage)))

    def usage(self) -> tuple[StageUsage, ...]:
        """What the target spent by stage, then the judge; a spender that said nothing has one row of None."""
        serving = self._serving or {"all stages": _Spent()}
        judging = self._judging or ({"judge": _Spent()} if self._judged else {})
        return (
            *(_usage("target", stage, spent, self._answered) for stage, spent in serving.items()),
            *(_usage("judge", stage, spent, self._judged) for stage, spent in judging.items()),
        )


def observed_behaviour(trace: Trace, judged: Judged) -> Observed:
    """What the system did, as the verdicts have it, else as the system itself says."""
    if trace.answer is None or isinstance(judged, JudgeFailure):
        return "failed"
    known = judged.behaviour.observed if judged is not None else trace.answer.behaviour
    return known or "undecided"


def _nothing_shown(trace: Trace) -> bool:
    """Whether the target reported that no passage was before the model."""
    answer = trace.answer
    if answer is None or answer.context:
        return False
    if answer.supplied is not None:
        return not answer.supplied
    return bool(answer.retrievals) and not any(call.ranking for call in answer.retrievals)


def _usage(spender: str, stage: str, spent: _Spent, items: int) -> StageUsage:
    return StageUsage(
        stage=stage,
        spender="target" if spender == "target" else "judge",
        items=items,
        priced=spent.priced,
        cost=spent.cost,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
    )
