"""Processes that share the work of the offline judge: its rules are pure Python, and one process uses one core.

They are started as programs of their own and get what they judge as JSON. So nothing of the caller's is imported or run
a second time, whatever it is: a script without `if __name__ == "__main__"`, a notebook, `python -c`. A process that
cannot be started, or ends before its time, costs nothing but speed: what it had is judged in the caller.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from types import TracebackType
from typing import Self

from pydantic_core import PydanticSerializationError

from ragvet.judging._register import Register
from ragvet.judging.local._errands import ERRANDS, OUTCOMES, Errand, Setup, errand
from ragvet.records import Case, JudgeFailure, Trace, Verdicts

_MOST = 4
"""More would wait for the process that feeds them."""
_PATIENCE = 60.0
"""Seconds in which a process must have started; none takes longer than a few."""
_COMMAND = ("-P", "-m", "ragvet.judging.local._worker")  # -P: no file in the working directory hides a module
_OWN_GROUP = subprocess.CREATE_NEW_PROCESS_GROUP if sys.platform == "win32" else 0


def worthwhile() -> int:
    """How many processes are worth starting: none where there is one core only, or no Python to start."""
    python = Path(sys.executable or "").stem.lower()
    if getattr(sys, "frozen", False) or not python.startswith(("python", "pypy")):
        return 0
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(cores, _MOST) if cores > 1 else 0


class Workers:
    """Several processes that judge as an offline judge does; used as a context, at whose end they are gone.

    Args:
        count: of processes.
        languages: the judge's own language files.
        register: the corpus the judge looks citations up in; it stays here, what is asked for is told.
        fingerprint: of the judge; a process that comes to another one is not used.
    """

    def __init__(self, count: int, languages: Iterable[Path], register: Register | None, fingerprint: str) -> None:
        self.size = count
        self._register = register
        told = None if register is None else register.fingerprint
        setup = Setup(languages=tuple(str(path.absolute()) for path in languages), register_fingerprint=told)
        self._free = [_Process(setup, fingerprint) for _ in range(count)]
        self._started = list(self._free)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="judging")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._started:
            process.end()
        self._threads.shutdown()

    async def judge(self, items: Sequence[tuple[Case, Trace]]) -> Sequence[Verdicts | JudgeFailure | None]:
        """What was judged of each item, in their order; None: it must be judged here."""
        errands = [errand(case, trace, self._register) for case, trace in items]
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._judge, errands)

    def _judge(self, errands: Sequence[Errand]) -> Sequence[Verdicts | JudgeFailure | None]:
        try:
            process = self._free.pop()
        except IndexError:  # all of them are lost
            return [None] * len(errands)
        try:
            judged = process.judge(errands)
        except PydanticSerializationError:  # half a character pair in a trace made in Python
            judged: Sequence[Verdicts | JudgeFailure | None] = [None] * len(errands)
        except (OSError, ValueError):  # lost
            process.end()
            return [None] * len(errands)
        self._free.append(process)
        return judged


class _Process:
    """One process, started when it is first given something."""

    def __init__(self, setup: Setup, fingerprint: str) -> None:
        self._setup = setup
        self._fingerprint = fingerprint
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._starting = Lock()

    def judge(self, errands: Sequence[Errand]) -> Sequence[Verdicts | JudgeFailure | None]:
        """What became of each errand.

        Raises:
            PydanticSerializationError: an errand cannot be sent.
            OSError, ValueError: there is no such process, or none any more, or what it sent is nothing it may send.
        """
        line = ERRANDS.dump_json(tuple(errands))
        if self._process is None:
            self._process = self._start()
        outcomes = OUTCOMES.validate_json(_exchange(self._process, line))
        if len(outcomes) != len(errands):
            raise ChildProcessError("it did not answer all that it was asked")
        return [outcome.verdicts or outcome.failure for outcome in outcomes]

    def _start(self) -> subprocess.Popen[bytes]:
        with self._starting:
            if self._ended:
                raise ChildProcessError("it is no longer wanted")
            process = subprocess.Popen(  # noqa: S603  # this Python, and a module of ours
                [sys.executable, *_COMMAND],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is heard by whoever started it
                creationflags=_OWN_GROUP,
            )
            self._process = process
        patience = Timer(_PATIENCE, process.kill)
        patience.start()
        try:
            fingerprint = _exchange(process, self._setup.model_dump_json().encode())
        finally:
            patience.cancel()
        if fingerprint.strip() != self._fingerprint.encode():
            raise ChildProcessError("it judges by other rules")
        return process

    def end(self) -> None:
        """Ends the process, whatever it is doing, and frees what it held."""
        with self._starting:
            self._ended = True
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()


def _exchange(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """One line written to the process, and the line it writes back."""
    if process.stdin is None or process.stdout is None:
        raise ChildProcessError("it has no pipes")
    process.stdin.write(line + b"\n")
    process.stdin.flush()
    reply = process.stdout.readline()
    if not reply.endswith(b"\n"):
        raise ChildProcessError("it ended")
    return reply
