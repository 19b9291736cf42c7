"""Asking a target every case: whatever happens is a trace."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ragvet.calling import Called, Caller, CallEscaped, CallTimeout, Pace, Patience, Setback, in_parallel, raised
from ragvet.errors import TargetError, TargetRefused, TargetReplyInvalid, TargetTimeout
from ragvet.records import Answer, Case, Trace, TraceError
from ragvet.runs._config import CallPolicy
from ragvet.targets import HttpTarget, PythonTarget, Target, read_answer

__all__ = ["Capture"]

_LONGEST_MESSAGE = 2000
"""Characters of an error that are kept."""
_LONGEST_WAIT = 120.0
"""Seconds: no retry waits longer, whatever the server asks for."""
_FINAL = (TargetTimeout, TargetReplyInvalid, TargetRefused)
"""Asking again would give the same, or hide that the system is too slow."""
_DRAWN_PER_TURN = 2
"""Cases under way or waiting for their next attempt, for each call that may be under way: who waits keeps nobody from
their turn, and yet not every case is asked of a server that is down before the first one is asked again."""


@dataclass(frozen=True)
class Capture:
    """Asks a target and turns whatever happens into traces.

    Attributes:
        target: the system under test.
        k: passages it is asked for.
        policy: deadline, retries and concurrency.
        admit: raises a `TargetError` for an answer that cannot be right, e.g. with documents the corpus lacks.
        random: jitter of the waits between retries.
    """

    target: Target
    k: int
    policy: CallPolicy
    admit: Callable[[Answer], None]
    random: np.random.Generator

    async def traces(self, items: Sequence[tuple[Case, int]], keep: Callable[[Trace], None]) -> None:
        """Hands the trace of every case and repeat to `keep` as it comes; a failure is a trace with its cause."""
        policy = self.policy
        patience = Patience(policy.retries + 1, policy.deadline, policy.backoff, _LONGEST_WAIT)
        caller = Caller(patience, Pace(policy.concurrency), _read_failure, self.random)

        async def one(item: tuple[Case, int]) -> None:
            case, repeat = item
            keep(_trace(case, repeat, await caller.call(lambda: self._answer(case))))

        await in_parallel(items, one, concurrency=min(_DRAWN_PER_TURN * policy.concurrency, len(items)))

    async def _answer(self, case: Case) -> Answer:
        """One attempt."""
        began, deadline = time.perf_counter(), self.policy.deadline
        try:
            asked = case if isinstance(self.target, PythonTarget | HttpTarget) else case.model_copy(deep=True)
            answer = read_answer(await self.target.answer(asked, self.k))
        except TargetError:
            raise
        except Exception as error:
            raise TargetError(raised(error)) from error
        took = time.perf_counter() - began
        if took > deadline:  # nothing could end it: while the event loop stands still, so does its clock
            raise TargetTimeout(
                f"answered after {took:.3g} s, and {deadline:g} s are allowed. An async target must not block: "
                "await what waits, or make the function sync, so that it runs in a thread"
            )
        self.admit(answer)
        return answer


def _read_failure(error: Exception) -> Setback | None:
    """What an error of an attempt means for the next one."""
    match error:
        case TargetError():
            overloaded = error.overloaded or isinstance(error, TargetTimeout)
            return Setback(error, not isinstance(error, _FINAL), overloaded, error.retry_after)
        case CallTimeout():
            return _read_failure(TargetTimeout(f"did not answer within {error.seconds:g} s; the call was abandoned"))
        case CallEscaped():
            return _read_failure(TargetError(str(error)))
        case _:
            return None


def _trace(case: Case, repeat: int, called: Called[Answer]) -> Trace:
    outcome = called.outcome
    failed = isinstance(outcome, Setback)
    return Trace(
        case_id=case.id,
        repeat=repeat,
        question=case.question,
        identity=case.identity,
        answer=None if failed else outcome,
        error=TraceError(kind=type(outcome.error).__name__, message=_kept(str(outcome.error))) if failed else None,
        attempts=called.attempts,
        started_at=called.started_at,
        latency=called.seconds,
    )


def _kept(message: str) -> str:
    """The message as a trace keeps it: whole characters, and not all of a prompt that was too long for a model."""
    text = message.encode("utf-8", "backslashreplace").decode("utf-8")
    more = len(text) - _LONGEST_MESSAGE
    return text if more <= 0 else f"{text[:_LONGEST_MESSAGE]} … and {more:,} characters more"
