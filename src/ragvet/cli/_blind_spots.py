"""What the metrics of a table do not catch, beneath it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_blind_spots"]


def print_blind_spots(console: Console, blind: Mapping[str, str]) -> None:
    """Prints beneath a table what each of its metrics does not catch; metrics blind to the same share a line."""
    names: dict[str, list[str]] = {}
    for name, failure in blind.items():
        names.setdefault(failure, []).append(name)
    console.print()
    for failure, metrics in names.items():
        verb = "does" if len(metrics) == 1 else "do"
        console.print(f"{', '.join(metrics)} {verb} not catch: {failure}", markup=False, soft_wrap=True)
