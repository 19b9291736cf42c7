"""A process that judges answers for another one: `python -m ragvet.judging.local._worker`, fed through its pipes.

It reads lines of JSON: first a `Setup`, then errands by the dozen. It writes a line for each: first the fingerprint it
judges under, then the outcomes. Where nothing more comes in, it ends; so it does not outlive who started it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import BinaryIO

from ragvet.judging._many import judged
from ragvet.judging.local._errands import ERRANDS, OUTCOMES, Errand, Outcome, Setup, ToldRegister
from ragvet.judging.local._judge import OfflineJudge
from ragvet.records import JudgeFailure


async def serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Judges what comes in until nothing more comes."""
    setup = Setup.model_validate_json(incoming.readline())
    register = None if setup.register_fingerprint is None else ToldRegister(setup.register_fingerprint)
    judge = OfflineJudge(languages=map(Path, setup.languages), register=register)
    _send(outgoing, judge.fingerprint.encode())
    while line := incoming.readline():
        outcomes = [await _run(errand, judge, register) for errand in ERRANDS.validate_json(line)]
        _send(outgoing, OUTCOMES.dump_json(tuple(outcomes)))


async def _run(errand: Errand, judge: OfflineJudge, register: ToldRegister | None) -> Outcome:
    if register is not None and errand.facts is not None:
        register.tell(errand.facts)
    try:
        result = await judged(judge, errand.case, errand.trace)
    except Exception:  # noqa: BLE001 - whoever sent it judges it again and meets the error itself
        return Outcome()
    return Outcome(failure=result) if isinstance(result, JudgeFailure) else Outcome(verdicts=result)


def _send(outgoing: BinaryIO, line: bytes) -> None:
    outgoing.write(line + b"\n")
    outgoing.flush()


def main() -> None:
    """Serves over standard input and output; what anything else prints goes to standard error."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as outgoing:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        asyncio.run(serve(sys.stdin.buffer, outgoing))


if __name__ == "__main__":
    main()
