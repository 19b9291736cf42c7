"""The bytes of a file a person named: unpacked, whatever it is packed with, and no more of them than were meant."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from ragvet.errors import InputError, Problem, cause
from ragvet.text import shown

_HEAD = 1 << 12
_BUFFER = 1 << 20

_PACKINGS = {"gzip": (b"\x1f\x8b", ".gz"), "zstd": (b"\x28\xb5\x2f\xfd", ".zst")}
"""The bytes packed data begins with, and the suffix people give it."""
PACKED = frozenset(suffix for _, suffix in _PACKINGS.values())

UNPACKED_LIMIT = "RAGVET_MAX_UNPACKED_GIB"
"""The environment variable that sets how much a packed file may hold."""
_ALWAYS = 1 << 30
_TIMES = 100
"""Text shrinks to a tenth or a twentieth; what shrinks to less than a hundredth was made to fill memory."""


@contextmanager
def opened(path: str | Path) -> Generator[IO[bytes]]:
    """The bytes of a file, unpacked where it is packed (gzip, zstd); ``-`` is standard input, which is left open.

    What a file is packed with is told by its first bytes. One whose name ends in .gz or .zst must be packed.

    Raises:
        InputError: the file cannot be read, is damaged, or holds more than a packed file may; also while it is read.
    """
    name = str(path)
    try:
        with _raw(name) as stream:
            yield _unpacked(stream, name)
    except OSError as error:
        action = "Check the path and the permissions."
        raise InputError(Problem(name, cause(error), "a file that can be read", action)) from error


def head(stream: IO[bytes]) -> bytes:
    """The first bytes, which stay to be read; none where the stream cannot show them."""
    if hasattr(stream, "peek"):
        return cast("io.BufferedReader", stream).peek(_HEAD)
    if not stream.seekable():
        return b""
    start = stream.tell()
    first = stream.read(_HEAD)
    stream.seek(start)
    return first


def _raw(name: str) -> AbstractContextManager[IO[bytes]]:
    return nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb")


def _unpacked(stream: IO[bytes], name: str) -> IO[bytes]:
    packing = _packing(head(stream), Path(name).suffix.lower())
    return stream if packing is None else io.BufferedReader(_Unpacking(stream, packing, name), _BUFFER)


def _packing(first: bytes, suffix: str) -> str | None:
    by_bytes = next((packing for packing, (start, _) in _PACKINGS.items() if first.startswith(start)), None)
    by_name = next((packing for packing, (_, usual) in _PACKINGS.items() if first and suffix == usual), None)
    return by_bytes or by_name


class _Unpacking(io.RawIOBase):
    """What is packed in a stream; damage and size beyond the limit are input errors wherever they are met."""

    def __init__(self, stream: IO[bytes], packing: str, name: str) -> None:
        self._packed = _Counting(stream)
        self._packing = packing
        self._name = name
        self._given = 0
        self._limit = _limit()
        packed = io.BufferedReader(self._packed, _BUFFER)
        self._damage: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error)
        if packing == "zstd":
            zstd = _zstd()
            self._damage = (*self._damage, zstd.ZstdError)
            self._stream: IO[bytes] = zstd.open(packed, "rb")
        else:
            self._stream = cast("IO[bytes]", gzip.GzipFile(fileobj=packed))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        try:
            count = cast("io.BufferedReader", self._stream).readinto(buffer)
        except self._damage as error:
            found = f"damaged {self._packing} data ({cause(error)})"
            action = "Pack the file again, or check that it is complete."
            raise InputError(Problem(self._name, found, "a file that unpacks", action)) from error
        self._given += count
        if self._given > self._limit.after(self._packed.count):
            raise InputError(self._limit.exceeded(self._name, self._packed.count))
        return count


class _Counting(io.RawIOBase):
    """A stream that knows how much of it was read, which a pipe cannot tell."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        count = cast("io.BufferedReader", self._stream).readinto(buffer)
        self.count += count
        return count


@dataclass(frozen=True, slots=True)
class _Limit:
    """How many bytes a packed file may hold.

    Attributes:
        declared: what `UNPACKED_LIMIT` says; None: 1 GiB, or a hundred times the packed bytes where that is more.
    """

    declared: int | None

    def after(self, packed: int) -> int:
        return max(_ALWAYS, _TIMES * packed) if self.declared is None else self.declared

    def exceeded(self, name: str, packed: int) -> Problem:
        found = f"more than {self.after(packed) / (1 << 30):,.3g} GiB in packed form"
        action = f"If it is meant to be so large, unpack it first, or set {UNPACKED_LIMIT} to the GiB it may hold."
        return Problem(name, found, "no more than text unpacks to", action)


def _limit() -> _Limit:
    declared = os.environ.get(UNPACKED_LIMIT)
    if declared is None:
        return _Limit(None)
    try:
        size = int(float(declared) * (1 << 30))
    except (ValueError, OverflowError):
        size = 0
    if size <= 0:
        raise InputError(Problem(UNPACKED_LIMIT, shown(declared), "a number of GiB, as 8", "Correct the variable."))
    return _Limit(size)


def _zstd() -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd  # noqa: PLC0415 - read only when packed data is
    else:
        from backports import zstd  # noqa: PLC0415 - read only when packed data is
    return zstd
