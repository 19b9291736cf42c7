"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import shlex
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from ragvet.errors import BundleError, cause

__all__ = ["append_bytes", "disk_errors", "replace_file", "replace_frame", "replace_text"]

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def disk_errors(path: Path) -> Generator[None]:
    """Turns what the disk refuses into a `BundleError` that says what to do."""
    try:
        yield
    except (OSError, pl.exceptions.ComputeError) as error:
        code = error.errno if isinstance(error, OSError) else None
        if code in _FULL or any(os.strerror(full) in str(error) for full in _FULL):
            raise BundleError(
                f"{path}: no space left to write it. What was finished before is kept: "
                f"free some space and continue with: ragvet run --resume {shlex.quote(str(path.parent))}"
            ) from error
        if code in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise BundleError(
                f"{path}: no permission to write it. Choose a folder you may write with --runs."
            ) from error
        raise BundleError(f"{path}: cannot be written: {cause(error)}") from error


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Writes `path` so that a reader sees the old file or the whole new one, never half of it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with disk_errors(path):
        try:
            write(temporary)
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)


def replace_text(path: Path, text: str) -> None:
    """Writes a text file as UTF-8, whole or not at all."""
    replace_file(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def replace_frame(path: Path, frame: pl.LazyFrame | pl.DataFrame, *, rows_per_group: int | None = None) -> None:
    """Writes a Parquet file, whole or not at all; a lazy frame is streamed."""
    replace_file(path, lambda temporary: frame.lazy().sink_parquet(temporary, row_group_size=rows_per_group))


def append_bytes(descriptor: int, line: bytes) -> None:
    """Appends all of `line`, however many writes the system makes of it.

    Raises:
        OSError: the disk is full; some of the line may stand there.
    """
    view = memoryview(line)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync_folder(folder: Path) -> None:
    """Makes a rename survive a power cut, where the system can do that."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
