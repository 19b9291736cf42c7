"""Where commands print."""

from __future__ import annotations

import re
import sys
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["terminal"]

_TRAILING = re.compile(r" +(?=\n)")


def terminal(*, soft_wrap: bool = False, piped_width: int | None = None) -> Console:
    """Where a command prints for people; lines that go into a pipe have no blanks at their end.

    Args:
        soft_wrap: whether long lines are left whole.
        piped_width: columns of tables that go into a pipe, which nobody has to read at 80.
    """
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False, soft_wrap=soft_wrap)
    trimmed = cast("IO[str]", _Trimmed())
    return Console(file=trimmed, highlight=False, soft_wrap=soft_wrap or piped_width is not None, width=piped_width)


class _Trimmed:
    """Standard output, without the blanks that fill up the last column of a table."""

    def __init__(self) -> None:
        self.encoding = sys.stdout.encoding

    def write(self, text: str) -> int:
        """Write whole lines, as rich does."""
        return sys.stdout.write(_TRAILING.sub("", text))

    def flush(self) -> None:
        """Pass on what stands in the buffer."""
        sys.stdout.flush()

    def isatty(self) -> bool:
        """A terminal would get the blanks: they clear what stood there."""
        return False
