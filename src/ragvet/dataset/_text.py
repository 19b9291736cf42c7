"""A text file as its author meant it: decompressed, decoded, without byte order mark."""

from __future__ import annotations

import gzip
import sys
import zlib
from pathlib import Path

from ragvet.errors import InputError, Problem

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def read_text(path: Path) -> str:
    """The text of `path`, decompressed by its suffix (`.gz`, `.zst`), without byte order mark.

    Raises:
        InputError: the file cannot be read or is not UTF-8.
    """
    raw = _bytes(path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(_not_utf8(path, raw, error.start)) from None


def _bytes(path: Path) -> bytes:
    try:
        raw = path.read_bytes()
    except OSError as error:
        found = "nothing" if isinstance(error, FileNotFoundError) else (error.strerror or str(error))
        raise InputError(Problem(str(path), found, "a file that can be read", "Check the path.")) from None
    try:
        if path.suffix.lower() == ".gz":
            return gzip.decompress(raw)
        if path.suffix.lower() == ".zst":
            return _unzstd(raw)
    except (OSError, EOFError, zlib.error) as error:
        problem = Problem(str(path), f"a damaged archive ({error})", f"{path.suffix} data", "Pack the file again.")
        raise InputError(problem) from None
    return raw


def _unzstd(raw: bytes) -> bytes:
    try:
        return zstd.decompress(raw)
    except zstd.ZstdError as error:
        raise OSError(str(error)) from None


def _not_utf8(path: Path, raw: bytes, offset: int) -> Problem:
    utf16 = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    found = "UTF-16 text" if utf16 else f"byte 0x{raw[offset]:02x} at offset {offset}, which is not UTF-8"
    line = raw.count(b"\n", 0, offset) + 1
    return Problem(str(path), found, "UTF-8 text", "Save the file as UTF-8.", record=f"line {line}")
