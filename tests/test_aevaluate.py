"""`ragvet.aevaluate`: the same run, awaited, with the target in the loop of the caller."""

import asyncio

import pytest
from tests.runs.make import case, dataset, score_of

import ragvet
from ragvet.errors import InputError
from ragvet.runs import locate_run
from ragvet.runs._manifest import read_manifest
from ragvet.targets import RecordedTraces

GOLDEN = dataset(case("q1", "d1"), case("q2", "d2"))


@pytest.fixture(autouse=True)
def _project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_target_that_belongs_to_the_callers_loop_works():
    async def evaluated():
        loop = asyncio.get_running_loop()

        async def search(question, k):
            found = loop.create_future()
            loop.call_soon(found.set_result, ["d1"])
            assert asyncio.get_running_loop() is loop
            return await found

        return await ragvet.aevaluate(GOLDEN, search, depths=(1, 2), judge="none")

    run = asyncio.run(evaluated())
    assert run.manifest.counts.answered == 2
    assert [score_of(run, "hit@1", name)["value"] for name in ("q1", "q2")] == [1.0, 0.0]


def test_the_loop_of_the_caller_goes_on_meanwhile():
    async def evaluated():
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.001)

        ticking = asyncio.create_task(tick())
        await ragvet.aevaluate(GOLDEN, lambda question, k: ["d1"], depths=(1, 2), judge="none")
        ticking.cancel()
        return ticks

    assert asyncio.run(evaluated()) > 3


def test_recorded_answers_and_errors_are_those_of_evaluate():
    traces = RecordedTraces.of([{"case": name, "retrieved": ["d1"]} for name in ("q1", "q2")])
    run = asyncio.run(ragvet.aevaluate(GOLDEN, traces, depths=(1, 2), judge="none"))
    assert run.manifest.counts.answered == 2
    with pytest.raises(InputError, match="depths"):
        asyncio.run(ragvet.aevaluate(GOLDEN, traces, depths=5))


def test_cancelling_it_stops_the_run_and_keeps_what_was_finished():
    async def cancelled():
        begun = asyncio.Event()

        async def search(question, k):
            if question == "q2?":
                begun.set()
                await asyncio.sleep(60)
            return ["d1"]

        running = asyncio.create_task(ragvet.aevaluate(GOLDEN, search, depths=(1, 2), judge="none"))
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(cancelled())
    assert read_manifest(locate_run("latest")).status == "interrupted"
