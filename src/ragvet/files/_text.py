"""Bytes as the lines and the text their author meant: without byte order mark, and UTF-8 or refused by place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ragvet.errors import InputError, Problem
from ragvet.files._opening import opened

BLOCK = 1 << 24
"""Bytes handled at once: enough for all processors, little enough to stay off the memory bill."""

_BOM = b"\xef\xbb\xbf"
_LINE = re.compile(rb"^.*\S.*$", re.MULTILINE)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Block:
    """Some complete lines of a file.

    Attributes:
        content: the bytes, ending with a newline.
        first_line: the number of the first line, from 1.
    """

    content: bytes
    first_line: int

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines that are not blank, each with its number.

        Only a line feed ends a line: `str.splitlines` would also break at what may stand inside a text, as U+2028.
        """
        for number, line in enumerate(self.content.split(b"\n"), start=self.first_line):
            if line and not line.isspace():
                yield number, line

    def first(self) -> Block | None:
        """The first of those lines alone; None where there is none."""
        found = _LINE.search(self.content)
        if found is None:
            return None
        return Block(found[0] + b"\n", self.first_line + self.content.count(b"\n", 0, found.start()))


def blocks(stream: IO[bytes], source: str) -> Iterator[Block]:
    """The file in blocks of whole lines; a byte order mark at its start is dropped.

    Raises:
        InputError: the text is UTF-16.
    """
    line = 1
    while content := stream.read(BLOCK):
        if line == 1:
            content = _after_mark(content, source)
        content += stream.readline()
        yield Block(content if content.endswith(b"\n") else content + b"\n", line)
        line += content.count(b"\n")


def lone_return(block: Block, source: str) -> Problem | None:
    """What is wrong with lines that end in a carriage return alone, as old Macs wrote them; None where none does."""
    content = block.content
    if b"\r" not in content or content.count(b"\r") == content.count(b"\r\n"):
        return None
    lines = enumerate(content.split(b"\n"), start=block.first_line)
    number = next(number for number, line in lines if b"\r" in line.removesuffix(b"\r"))
    action = "Save the file with line ends of Unix or Windows."
    return Problem(source, "a carriage return alone", "lines that end in LF or CRLF", action, record=f"line {number}")


def read_text(path: Path | str) -> str:
    """The text of a file, unpacked, without byte order mark.

    Raises:
        InputError: the file cannot be read or is not UTF-8.
    """
    with opened(path) as stream:
        return text_of(stream, str(path))


def text_of(stream: IO[bytes], source: str) -> str:
    """The text of an open file, without byte order mark.

    Raises:
        InputError: it is not UTF-8.
    """
    raw = content_of(stream)
    try:
        return _after_mark(raw, source).decode()
    except UnicodeDecodeError as error:
        raise InputError(not_utf8(source, error, raw.count(b"\n", 0, error.start) + 1)) from None


def content_of(stream: IO[bytes]) -> bytes:
    """All bytes of an open file."""
    return b"".join(iter(lambda: stream.read(BLOCK), b""))


def not_utf8(source: str, error: UnicodeDecodeError, line: int) -> Problem:
    """What is wrong with text in another encoding."""
    found = f"byte 0x{error.object[error.start]:02x}, which is not UTF-8"
    return Problem(source, found, "UTF-8 text", "Save the file as UTF-8.", record=f"line {line}")


def _after_mark(content: bytes, source: str) -> bytes:
    if content.startswith(_UTF16):
        raise InputError(Problem(source, "UTF-16 text", "UTF-8 text", "Save the file as UTF-8."))
    return content.removeprefix(_BOM)
