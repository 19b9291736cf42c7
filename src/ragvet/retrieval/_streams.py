from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from ragvet.errors import InputError, Problem, cause

BLOCK = 1 << 24
"""Bytes parsed at once: enough for all processors, little enough to stay off the memory bill."""

_HEAD = 1 << 12
_BOM = b"\xef\xbb\xbf"
_NEWLINE = ord("\n")
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True, slots=True)
class Block:
    """Some complete lines of a file.

    Attributes:
        content: the bytes, ending with a newline.
        first_line: the number of the first line, from 1.
    """

    content: bytes
    first_line: int


@contextmanager
def opened(path: str | Path) -> Generator[IO[bytes]]:
    """The bytes of a file, unpacked if it ends in .gz or .zst; ``-`` is standard input, unpacked if it is packed.

    Raises:
        InputError: the file cannot be read.
    """
    name = str(path)
    try:
        with _standard_input() if name == "-" else _open(Path(path)) as stream:
            yield stream
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            Problem(name, cause(error), "a readable file", "Check the path, the permissions and that it is complete.")
        ) from error
    except Exception as error:
        if type(error).__name__ != "ZstdError":
            raise
        raise InputError(Problem(name, str(error), "a zstd file", "Check that it is complete.")) from error


def _open(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    if path.suffix == ".zst":
        return cast("IO[bytes]", _zstd().open(path, "rb"))
    return path.open("rb")


def _standard_input() -> AbstractContextManager[IO[bytes]]:
    """It has no name to tell the packing by, but its first bytes do; it is left open."""
    stream = sys.stdin.buffer
    start = head(stream)
    if start.startswith(_GZIP):
        return cast("IO[bytes]", gzip.open(stream, "rb"))
    if start.startswith(_ZSTD):
        return cast("IO[bytes]", _zstd().open(stream, "rb"))
    return nullcontext(stream)


def head(stream: IO[bytes]) -> bytes:
    """The first bytes, which stay to be read; none where the stream cannot show them."""
    if hasattr(stream, "peek"):
        return cast("BufferedReader", stream).peek(_HEAD)
    if not stream.seekable():
        return b""
    start = stream.tell()
    first = stream.read(_HEAD)
    stream.seek(start)
    return first


def _zstd() -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd  # noqa: PLC0415 - read only when a .zst file is
    else:
        from backports import zstd  # noqa: PLC0415 - read only when a .zst file is
    return zstd


def blocks(stream: IO[bytes]) -> Iterator[Block]:
    """The file in blocks of whole lines; a byte order mark at its start is dropped."""
    line = 1
    while content := stream.read(BLOCK):
        if line == 1:
            content = content.removeprefix(_BOM)
        content += stream.readline()
        yield Block(content if content.endswith(b"\n") else content + b"\n", line)
        line += int(np.count_nonzero(np.frombuffer(content, np.uint8) == _NEWLINE))


def plain_suffix(path: str | Path) -> str:
    """The suffix below the packing: ``.jsonl`` for ``run.jsonl.gz``."""
    name = Path(path)
    return Path(name.stem).suffix if name.suffix in {".gz", ".zst"} else name.suffix
