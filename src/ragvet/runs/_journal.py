"""What a run has finished so far, kept line by line so that nothing is lost."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, Self, cast

from pydantic_core import from_json

from ragvet.errors import BundleError
from ragvet.records import JudgeFailure, Trace, Verdicts
from ragvet.runs._storage import append_bytes, disk_errors

__all__ = ["JOURNAL", "Journal", "Key"]

JOURNAL = "journal.jsonl"
"""Its name in a run's folder."""

Key = tuple[str, int]
"""Case id and repeat: what identifies an item of a run."""

_SYNC_EVERY = 1.0
"""Seconds between forced writes to the disk. A killed process loses nothing; a power cut at most this much."""


class Journal:
    """Finished items, appended one a line and readable again by key.

    A line is `{"trace": …}`, `{"verdicts": …}` or `{"failure": …}`. The last line of a key wins, and a new trace
    takes the verdicts of the old one with it. A line cut short by a crash is cut off when the journal is opened.
    """

    def __init__(self, path: Path, *, empty: bool = False) -> None:
        self.path = path
        if empty:
            path.unlink(missing_ok=True)
        self._traces: dict[Key, tuple[int, int]] = {}
        self._judged: dict[Key, tuple[int, int]] = {}
        self._failed: dict[Key, str] = {}
        self._judge_failed: set[Key] = set()
        self.has_texts = False
        """Whether any answer holds a text or says what it did; False: the target only retrieves."""
        self._synced = time.monotonic()
        with disk_errors(path):
            flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(path, flags, 0o600)
            self._reader = path.open("rb", buffering=0)
            try:
                self._end = self._recover()
            except BaseException:
                self._let_go()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forces what was written to the disk and lets go of the file."""
        try:
            with disk_errors(self.path):
                os.fsync(self._descriptor)
        finally:
            self._let_go()

    @property
    def failed(self) -> dict[Key, str]:
        """The items whose trace is a failure, with its kind."""
        return dict(self._failed)

    @property
    def judged(self) -> int:
        """How many items the judge has answered, or failed, for."""
        return len(self._judged)

    def forget_failed(self) -> None:
        """Makes everything that failed, at the target or at the judge, count as not done yet."""
        for key in self._failed:
            del self._traces[key]
        for key in self._judge_failed:
            del self._judged[key]
        self._failed.clear()
        self._judge_failed.clear()

    def has_trace(self, key: Key) -> bool:
        """Whether the target was called for this item, with an answer or a failure."""
        return key in self._traces

    def has_judged(self, key: Key) -> bool:
        """Whether the judge has answered, or failed, for this item."""
        return key in self._judged

    def add_trace(self, trace: Trace) -> None:
        """Keeps a trace."""
        place = self._append(b'{"trace":' + trace.model_dump_json(exclude_defaults=True).encode() + b"}\n")
        answer = trace.answer
        self.has_texts |= answer is not None and (answer.text is not None or answer.behaviour is not None)
        self._note_trace(trace.key, place, None if trace.error is None else trace.error.kind)

    def add_judged(self, judged: Verdicts | JudgeFailure) -> None:
        """Keeps what a judge said about a trace, or that it failed."""
        kind = b"failure" if isinstance(judged, JudgeFailure) else b"verdicts"
        place = self._append(b'{"%b":' % kind + judged.model_dump_json(exclude_defaults=True).encode() + b"}\n")
        self._note_judged(judged.key, place, failed=isinstance(judged, JudgeFailure))

    def trace_json(self, key: Key) -> bytes:
        """The trace of an item as JSON.

        Raises:
            KeyError: it has none yet.
        """
        return self._read(self._traces[key])[len(b'{"trace":') : -len(b"}\n")]

    def judged_fields(self, key: Key) -> dict[str, Any] | None:
        """The verdicts of an item, or the judge's failure, as fields without their defaults; None: it is not judged."""
        if key not in self._judged:
            return None
        ((_, fields),) = cast("dict[str, dict[str, Any]]", from_json(self._read(self._judged[key]))).items()
        return fields

    def _let_go(self) -> None:
        os.close(self._descriptor)
        self._reader.close()

    def _append(self, line: bytes) -> tuple[int, int]:
        place = (self._end, len(line))
        try:
            append_bytes(self._descriptor, line)
            self._end += len(line)
            if time.monotonic() - self._synced >= _SYNC_EVERY:
                os.fsync(self._descriptor)
                self._synced = time.monotonic()
        except OSError:
            self._cut(place[0])
            with disk_errors(self.path):
                raise
        return place

    def _cut(self, end: int) -> None:
        """Takes back a line that did not fit; opening the journal again would do the same."""
        self._end = end
        os.ftruncate(self._descriptor, end)
        os.lseek(self._descriptor, end, os.SEEK_SET)

    def _read(self, place: tuple[int, int]) -> bytes:
        offset, length = place
        with disk_errors(self.path):
            self._reader.seek(offset)
            line = self._reader.read(length)
        if len(line) != length:
            raise BundleError(f"{self.path}: was changed by someone else while the run was going on; start a new run")
        return line

    def _recover(self) -> int:
        """Reads what an earlier sitting left and returns where to write on."""
        end = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                self._note_line(number, line, (end, len(line)))
                end += len(line)
        self._cut(end)
        return end

    def _note_line(self, number: int, line: bytes, place: tuple[int, int]) -> None:
        try:
            ((kind, record),) = cast("dict[str, dict[str, Any]]", from_json(line)).items()
            key = (record["case_id"], record.get("repeat", 0))
            if kind == "trace":
                answer: dict[str, Any] = record.get("answer") or {}
                error = record.get("error")
                self.has_texts |= answer.get("text") is not None or answer.get("behaviour") is not None
                self._note_trace(key, place, None if error is None else error["kind"])
            else:
                self._note_judged(key, place, failed=kind == "failure")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BundleError(
                f"{self.path}, line {number}: is damaged ({error}). Remove that line: its item will be asked for again"
            ) from error

    def _note_trace(self, key: Key, place: tuple[int, int], error: str | None) -> None:
        self._traces[key] = place
        self._judged.pop(key, None)
        self._judge_failed.discard(key)
        self._failed.pop(key, None)
        if error is not None:
            self._failed[key] = error

    def _note_judged(self, key: Key, place: tuple[int, int], *, failed: bool) -> None:
        self._judged[key] = place
        self._judge_failed.discard(key)
        if failed:
            self._judge_failed.add(key)
