from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from ragvet.errors import BudgetReached, JudgeError
from ragvet.judging._protocol import Judge
from ragvet.records import Case, JudgeFailure, Trace, Usage, Verdicts

Judged = Verdicts | JudgeFailure


async def judge_all(
    judge: Judge,
    items: Sequence[tuple[Case, Trace]],
    *,
    concurrency: int = 16,
    told: Callable[[Judged], None] = lambda _: None,
) -> list[Judged | None]:
    """What was judged of each item, in their order whatever order it came in; a failure takes its item's place.

    None stands where a budget ended before the item was judged; asked again, what is stored is not paid for again.

    Args:
        judge: asked about each item.
        items: cases with their traces.
        concurrency: answers judged at once.
        told: hears each result as it comes.
    """
    results: list[Judged | None] = [None] * len(items)
    left = iter(range(len(items)))
    stopped = False

    async def work() -> None:
        nonlocal stopped
        for index in left:
            if stopped:
                return
            case, trace = items[index]
            try:
                judged = await _judged(judge, case, trace)
            except BudgetReached:
                stopped = True
                return
            results[index] = judged
            told(judged)
            await asyncio.sleep(0)  # a judge that never waits must not keep others from their turn

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(items))):
                group.create_task(work())
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return results


async def _judged(judge: Judge, case: Case, trace: Trace) -> Judged:
    try:
        return await judge.judge(case, trace)
    except JudgeError as error:
        return JudgeFailure(
            case_id=trace.case_id,
            repeat=trace.repeat,
            judge=judge.fingerprint,
            error=str(error),
            raw=error.raw,
            usage=None if error.usage is None else Usage.model_validate(error.usage),
        )
