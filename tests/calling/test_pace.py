from __future__ import annotations

import asyncio

from ragvet.calling import Pace


def test_the_pace_never_lets_more_in_than_its_cap_and_loses_no_turn():
    async def go():
        pace, inside, most = Pace(3), 0, 0

        async def one():
            nonlocal inside, most
            async with pace:
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0)
                inside -= 1

        tasks = [asyncio.create_task(one()) for _ in range(20)]
        await asyncio.sleep(0)
        for task in tasks[5:10]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with asyncio.timeout(1), pace, pace, pace:
            pass
        return most

    assert asyncio.run(go()) == 3


def test_overload_lowers_the_cap_once_for_a_round_and_success_raises_it_again():
    pace = Pace(16)
    pace.overloaded()
    assert pace.cap == 12  # a quarter off
    for _ in range(8):
        pace.succeeded()
    assert pace.cap == 14  # 8 × 0.25
    for _ in range(100):
        pace.succeeded()
    assert pace.cap == 16
    for _ in range(100):
        pace.overloaded()
    assert pace.cap == 1


def test_answers_that_were_under_way_together_lower_the_cap_once():
    async def go():
        pace = Pace(8)
        async with pace, pace, pace, pace:
            for _ in range(4):
                pace.overloaded()
        return pace.cap

    assert asyncio.run(go()) == 6
