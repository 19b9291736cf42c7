import asyncio
import gc

import numpy as np
import pytest

from ragvet.calling import Caller, CallEscaped, CallTimeout, Pace, Patience, Setback

QUICK = Patience(attempts=3, timeout=5.0, first_wait=0.001)


class Down(Exception):
    """As a server that fails, with what that means."""

    def __init__(self, message="down", **meaning):
        super().__init__(message)
        self.meaning = {"passing": True, **meaning}


def read(error):
    match error:
        case Down():
            return Setback(error, **error.meaning)
        case CallTimeout() | CallEscaped():
            return Setback(error, passing=True, overloaded=isinstance(error, CallTimeout))
        case _:
            return None


def caller(patience=QUICK, pace=None):
    return Caller(patience, pace or Pace(4), read, np.random.default_rng(1))


def script(*outcomes):
    """An attempt that goes through a list of outcomes: raised, waited for, or given."""
    left = list(outcomes)

    async def attempt():
        outcome = left.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        if outcome is None:
            await asyncio.sleep(60)
        return outcome

    return attempt


def test_what_a_call_gives_comes_with_how_often_it_was_made():
    called = asyncio.run(caller().call(script(Down(), Down(), "x")))
    assert (called.outcome, called.attempts, called.remark) == ("x", 3, "")


def test_what_will_not_pass_is_not_tried_again():
    called = asyncio.run(caller().call(script(Down(passing=False))))
    assert (str(called.outcome.error), called.attempts, called.remark) == ("down", 1, "")


def test_the_last_failure_says_which_attempt_it_was():
    called = asyncio.run(caller().call(script(Down("a"), Down("b"), Down("c"))))
    assert (str(called.outcome.error), called.remark) == ("c", "attempt 3 of 3")


def test_the_wait_doubles_within_its_jitter_and_is_never_shorter_than_asked_nor_longer_than_allowed():
    patience, random = Patience(attempts=9, timeout=1, first_wait=1.0, longest_wait=20.0), np.random.default_rng(1)
    for attempt, middle in ((1, 1.0), (2, 2.0), (3, 4.0)):
        waits = [patience.wait(attempt, None, random) for _ in range(100)]
        assert 0.5 * middle <= min(waits) < max(waits) <= 1.5 * middle
    assert patience.wait(1, 9.0, random) == 9.0
    assert patience.wait(1, 9e9, random) == 20.0
    assert patience.wait(10**6, None, random) == 20.0


def test_the_same_seed_waits_the_same():
    waits = [[QUICK.wait(n, None, np.random.default_rng(7)) for n in (1, 2, 3)] for _ in range(2)]
    assert waits[0] == waits[1]


def test_a_wait_that_passes_the_deadline_is_not_begun():
    patience = Patience(attempts=3, timeout=5.0, deadline=10.0)
    called = asyncio.run(caller(patience).call(script(Down(retry_after=3600.0))))
    assert (called.attempts, called.remark) == (1, "waiting 3.6e+03 s more would pass the deadline of 10 s")


def test_an_attempt_is_given_no_more_time_than_the_deadline_leaves():
    patience = Patience(attempts=1, timeout=60.0, deadline=0.01)
    called = asyncio.run(caller(patience).call(script(None)))
    assert isinstance(called.outcome.error, CallTimeout)
    assert called.outcome.error.seconds == pytest.approx(0.01)


def test_a_turn_that_comes_after_the_deadline_is_given_back_with_the_failure_before_it():
    async def main():
        pace, made = Pace(1), []

        async def fails():
            made.append("first")
            raise Down

        async def long():
            await asyncio.sleep(0.1)

        patience = Patience(attempts=2, timeout=1.0, first_wait=0.001, deadline=0.05)
        first = asyncio.create_task(caller(patience, pace).call(fails))
        await asyncio.sleep(0)
        await caller(QUICK, pace).call(long)
        return made, await first

    made, called = asyncio.run(main())
    assert made == ["first"]
    assert (str(called.outcome.error), called.attempts) == ("down", 1)


def test_waiting_for_the_next_attempt_takes_no_turn():
    # one turn; the first call is told to wait, and the second has the turn meanwhile
    order = []

    async def main():
        pace, asked_back = Pace(1), asyncio.Event()

        async def first():
            order.append("first")
            if len(order) == 1:
                asked_back.set()
                raise Down(retry_after=0.2)

        async def second():
            order.append("second")

        waiting = asyncio.create_task(caller(pace=pace).call(first))
        await asked_back.wait()
        await caller(pace=pace).call(second)
        await waiting

    asyncio.run(main())
    assert order == ["first", "second", "first"]


@pytest.mark.parametrize("failure", [Down(overloaded=True), None])
def test_an_overload_or_a_timeout_slows_down_and_success_speeds_up_again(failure):
    pace = Pace(8)
    patience = Patience(attempts=1, timeout=0.01)
    asyncio.run(caller(patience, pace).call(script(failure)))
    assert pace.cap == 6  # a quarter off 8
    for _ in range(8):
        asyncio.run(caller(patience, pace).call(script("x")))
    assert pace.cap == 8  # 6 + 8 × 0.25


def test_a_call_that_ignores_its_cancellation_holds_nobody_up_and_its_end_is_not_told(recwarn):
    ended = []

    async def stubborn():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.02)
        ended.append(True)
        raise RuntimeError("too late")

    async def main():
        told = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
        called = await caller(Patience(attempts=1, timeout=0.01)).call(stubborn)
        assert not ended
        await asyncio.sleep(0.05)
        gc.collect()
        return called, told

    called, told = asyncio.run(main())
    assert isinstance(called.outcome.error, CallTimeout)
    assert (ended, told) == ([True], [])


class Panic(BaseException):
    """As extensions written in Rust raise."""


@pytest.mark.parametrize(
    ("escape", "told"),
    [
        (SystemExit(3), "raised SystemExit: 3"),
        (Panic("unwrap on None"), "raised Panic: unwrap on None"),
        (asyncio.CancelledError(), "cancelled its own call"),
    ],
)
def test_what_would_end_the_event_loop_fails_the_attempt(escape, told):
    called = asyncio.run(caller(Patience(attempts=1, timeout=5.0)).call(script(escape)))
    assert isinstance(called.outcome.error, CallEscaped)
    assert str(called.outcome.error) == told


def test_an_error_nobody_reads_arrives_as_itself():
    with pytest.raises(ZeroDivisionError):
        asyncio.run(caller().call(script(ZeroDivisionError())))


def test_cancelled_it_cancels_the_attempt_and_gives_its_turn_back():
    async def main():
        pace, cancelled = Pace(1), []

        async def attempt():
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(True)
                raise

        call = asyncio.create_task(caller(pace=pace).call(attempt))
        await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        async with asyncio.timeout(1), pace:
            pass
        return cancelled

    assert asyncio.run(main()) == [True]
