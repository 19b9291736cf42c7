"""Tables of any length, printed a piece at a time: aligned text for people, objects for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragvet.text import plain

if TYPE_CHECKING:
    import polars as pl

__all__ = ["print_objects", "print_rows"]

_AT_ONCE = 20_000
"""Rows that are text at the same time."""
_GAP = "  "


def print_rows(frame: pl.DataFrame) -> None:
    """The rows as aligned text under one line of names, without blanks at the end of lines; null is nothing."""
    names = [name.replace("_", " ") for name in frame.columns]
    widths = [max(len(name), _width(column)) for name, column in zip(names, frame.iter_columns(), strict=True)]
    print(_line(names, widths))
    for piece in frame.iter_slices(_AT_ONCE):
        columns = [_texts(column) for column in piece.iter_columns()]
        sys.stdout.write("".join(f"{_line(cells, widths)}\n" for cells in zip(*columns, strict=True)))


def print_objects(frame: pl.DataFrame, *, first: bool) -> None:
    """The rows as JSON objects inside a list that is open, one a line; `first`: none stands in it yet."""
    for piece in frame.iter_slices(_AT_ONCE):
        text = piece.write_ndjson().rstrip("\n").replace("\n", ",\n")
        sys.stdout.write(text if first else f",\n{text}")
        first = False


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return _GAP.join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()


def _width(column: pl.Series) -> int:
    """Of the widest text; numbers are widest where they are greatest."""
    if column.dtype.is_float():
        ends = column.drop_nulls()
        return max((len(f"{end:.4f}") for end in (ends.min(), ends.max()) if end is not None), default=0)
    return max(map(len, _texts(column.unique())), default=0)


def _texts(column: pl.Series) -> list[str]:
    if column.dtype.is_float():
        return ["" if value is None else f"{value:.4f}" for value in column.to_list()]
    return ["" if value is None else plain(str(value)) for value in column.to_list()]
