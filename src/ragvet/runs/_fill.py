"""The capture of a run, case by case, into its journal."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import numpy as np
from pydantic_core import PydanticSerializationError

from ragvet.errors import TargetReplyInvalid
from ragvet.records import Case, Trace, TraceError
from ragvet.runs._admission import Admission
from ragvet.runs._capture import Capture
from ragvet.runs._journal import Journal, Key
from ragvet.runs._plan import Plan
from ragvet.runs._progress import Progress
from ragvet.targets import RecordedTraces, Target

__all__ = ["Filling"]

_ITEMS_PER_TURN = 64
"""Recorded traces taken before the event loop gets a turn, so that Ctrl-C is heard."""

_Item = tuple[Case, int]


@dataclass(frozen=True)
class Filling:
    """Fills the journal of a run: captures every item that has no outcome yet."""

    journal: Journal
    plan: Plan
    progress: Progress

    async def complete(self) -> None:
        """Returns when every item is captured."""
        items = list(self.plan.items())
        left = [item for item in items if not self.journal.has_trace(_key(item))]
        self.progress.stage("capture", len(items), len(items) - len(left))
        admission = Admission(self.plan.corpus, self.plan.dataset.cases)
        if isinstance(self.plan.target, RecordedTraces):
            await self._take(self.plan.target, left, admission)
        else:
            await self._capture(self.plan.target, left, admission)

    async def _capture(self, target: Target, items: list[_Item], admission: Admission) -> None:
        random = np.random.default_rng(self.plan.seed)
        capture = Capture(target, self.plan.retrieval.deep_k, self.plan.policy, admission.check, random)
        try:
            await capture.traces(items, self._keep)
        finally:
            await target.close()

    async def _take(self, recorded: RecordedTraces, items: list[_Item], admission: Admission) -> None:
        """Recorded traces are taken as they are; a case the file does not hold fails."""
        wanted = {_key(item): item[0] for item in items}
        cases = {case.id: case for case in wanted.values()}
        for number, trace in enumerate(recorded.read(cases)):
            if number % _ITEMS_PER_TURN == 0:
                await asyncio.sleep(0)
            if wanted.pop(trace.key, None) is not None:
                self._keep(_admitted(trace, admission))
        for (case_id, repeat), case in wanted.items():
            error = TraceError(kind="NotRecorded", message=f"{recorded.name} holds no trace of it")
            self._keep(Trace(case_id=case_id, repeat=repeat, question=case.question, error=error))

    def _keep(self, trace: Trace) -> None:
        try:
            self.journal.add_trace(trace)
        except PydanticSerializationError as error:  # half a character pair, or an object in `filters`
            message = f"returned something that cannot be kept as JSON: {error}"
            failure = TraceError(kind="TargetReplyInvalid", message=message)
            self.journal.add_trace(trace.model_copy(update={"answer": None, "error": failure}))
        self.progress.advance()


def _key(item: _Item) -> Key:
    return item[0].id, item[1]


def _admitted(trace: Trace, admission: Admission) -> Trace:
    if trace.answer is None:
        return trace
    try:
        admission.check(trace.answer)
    except TargetReplyInvalid as error:
        failure = TraceError(kind=type(error).__name__, message=str(error))
        return trace.model_copy(update={"answer": None, "error": failure})
    return trace
