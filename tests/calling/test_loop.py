import asyncio
import threading

import pytest

from ragvet.calling import run_to_end


async def inside(main):
    return run_to_end(main)


def both(main):
    """What `main` gives where no loop runs, and where one does, as in a notebook."""
    return run_to_end(main), asyncio.run(inside(main))


def test_what_a_coroutine_gives_is_had_outside_of_loops_and_inside_of_one():
    async def main():
        await asyncio.sleep(0)
        return threading.current_thread() is threading.main_thread()

    assert both(main) == (True, False)


@pytest.mark.parametrize("enter", [run_to_end, lambda main: asyncio.run(inside(main))])
def test_its_error_arrives_as_itself(enter):
    async def main():
        raise BrokenPipeError("disk")

    with pytest.raises(BrokenPipeError, match="disk"):
        enter(main)


def test_a_call_that_never_lets_itself_be_cancelled_does_not_keep_it_from_ending(monkeypatch):
    monkeypatch.setattr("ragvet.calling._loop._GRACE", 0.01)
    over, abandoned = threading.Event(), []

    async def stubborn():
        while not over.is_set():
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                continue

    async def main():
        abandoned.append(asyncio.create_task(stubborn()))
        await asyncio.sleep(0)
        return "done"

    assert both(main) == ("done", "done")
    over.set()
