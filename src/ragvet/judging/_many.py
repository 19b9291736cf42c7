"""How several answers are judged at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import suppress

from ragvet.errors import BudgetReached, JudgeError, RagvetError
from ragvet.heap import frozen_heap
from ragvet.judging._judge_answer import judge_answer
from ragvet.judging._protocol import AnyJudge, concurrency_of, in_use
from ragvet.judging._sharing import Judged, hand_out, workers_for
from ragvet.records import Case, JudgeFailure, Trace, Usage
from ragvet.text import without_surrogates


async def judge_all(
    judge: AnyJudge, items: Sequence[tuple[Case, Trace]], *, told: Callable[[Judged], None] = lambda _: None
) -> list[Judged | None]:
    """What was judged of each item, in their order whatever order it came in; a failure takes its item's place.

    None stands where a budget ended before the item was judged; asked again, what is stored is not paid for again.

    Args:
        judge: asked about each item.
        items: cases with their traces.
        told: hears each result as it comes.
    """
    results: list[Judged | None] = [None] * len(items)

    def keep(index: int, judged: Judged) -> None:
        results[index] = judged
        told(judged)

    with frozen_heap(), suppress(BudgetReached):  # None says so, item by item
        await judge_each(judge, items, keep)
    return results


async def judge_each(judge: AnyJudge, items: Iterable[tuple[Case, Trace]], keep: Callable[[int, Judged], None]) -> None:
    """Judges every item and hands each result to `keep` as it comes, with the number of its item.

    Items are drawn only as they are needed. Whatever goes wrong with one answer is a failure of this answer.

    Raises:
        BudgetReached: the budget ended; what was under way has been finished and kept, since it is paid for.
        RagvetError: no failure of an item, e.g. a full disk.
    """
    sharing, items = workers_for(judge, items)
    left = enumerate(items)
    reached: list[BudgetReached] = []
    try:
        async with in_use(judge):
            if sharing is None:
                await _side_by_side(concurrency_of(judge), lambda: _work(judge, left, keep, reached))
            else:
                with sharing as workers:
                    await _side_by_side(
                        workers.size, lambda: hand_out(workers, left, lambda item: judged(judge, *item), keep)
                    )
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    if reached:
        raise reached[0]


async def _side_by_side(count: int, work: Callable[[], Coroutine[None, None, None]]) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(work())


async def _work(
    judge: AnyJudge,
    left: Iterator[tuple[int, tuple[Case, Trace]]],
    keep: Callable[[int, Judged], None],
    reached: list[BudgetReached],
) -> None:
    while not reached and (item := next(left, None)) is not None:
        index, (case, trace) = item
        try:
            result = await judged(judge, case, trace)
        except BudgetReached as error:
            reached.append(error)
            return
        keep(index, result)
        await asyncio.sleep(0)  # a judge that never waits must not keep others from their turn


async def judged(judge: AnyJudge, case: Case, trace: Trace) -> Judged:
    """What was judged of one answer, or the failure to judge it."""
    try:
        return await judge_answer(judge, case, trace)
    except JudgeError as error:
        failed = error
    except RagvetError:
        raise
    except Exception as error:  # noqa: BLE001 - one answer no judge can bear must not end the run
        failed = JudgeError(f"{type(error).__name__}: {error}")
    return JudgeFailure(
        case_id=trace.case_id,
        repeat=trace.repeat,
        judge=judge.fingerprint,
        error=without_surrogates(str(failed)),
        raw=None if failed.raw is None else without_surrogates(failed.raw),
        usage=None if failed.usage is None else Usage.model_validate(failed.usage),
    )
