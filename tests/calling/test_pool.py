import asyncio

import pytest

from ragvet.calling import in_parallel


def test_no_more_calls_run_at_once_than_allowed():
    running, most = 0, 0

    async def work(_):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    asyncio.run(in_parallel(range(50), work, concurrency=3))
    assert (running, most) == (0, 3)


def test_an_error_of_the_work_stops_all_of_it_and_arrives_as_itself():
    done = []

    async def work(number):
        await asyncio.sleep(0)
        if number == 5:
            raise BrokenPipeError("disk")
        done.append(number)

    with pytest.raises(BrokenPipeError, match="disk"):
        asyncio.run(in_parallel(range(1000), work, concurrency=2))
    assert len(done) < 10


def test_items_are_drawn_only_as_they_are_needed():
    drawn, done = [], []

    def items():
        for number in range(100):
            drawn.append(number)
            yield number

    async def work(number):
        assert len(drawn) - len(done) <= 3
        await asyncio.sleep(0)
        done.append(number)

    asyncio.run(in_parallel(items(), work, concurrency=3))
    assert done == list(range(100))


def test_work_that_never_waits_lets_others_have_their_turn():
    order = []

    async def work(number):
        order.append(number)

    async def main():
        other = asyncio.create_task(asyncio.sleep(0, order.append("other")))
        other.add_done_callback(lambda _: order.append("heard"))
        await in_parallel(range(100), work, concurrency=1)

    asyncio.run(main())
    assert order.index("heard") < 10


def test_cancelled_it_cancels_the_work_and_ends():
    cancelled = []

    async def work(number):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(number)
            raise

    async def main():
        pool = asyncio.create_task(in_parallel(range(10), work, concurrency=2))
        await asyncio.sleep(0.01)
        pool.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pool

    asyncio.run(main())
    assert sorted(cancelled) == [0, 1]
