"""JSON Lines as frames: read by polars for its speed, and held to the rules of the strict reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ragvet.errors import InputError, Problem
from ragvet.files import MOST_LEVELS, Block, RawFile, values_of_block
from ragvet.text import shown

_SHOWN = 20
"""Problems of one file that are listed; more of the same help nobody."""

_ONE_KIND = "values of one kind under each key"

_LONGEST = 24
"""Bytes of a key, quotation marks included, up to which keys are compared at once."""
_COLON, _QUOTE, _BACKSLASH, _NEWLINE, _LIST = b':"\\\n['
_ANY_CASE = 0xDF
"""ASCII has { where it would have a small [: without that bit both are the same."""
_SPACES = np.frombuffer(b" \t\r\n", np.uint8)


def frame_of(block: Block, source: str, fields: Sequence[str] | None = None) -> pl.DataFrame:
    """Objects, one a line, as a frame; a field that an object lacks is null.

    Args:
        block: the lines.
        source: what messages call their file.
        fields: those that are wanted, as text; None: all, with the types they have.

    Raises:
        InputError: lines that hold no JSON object, or one that can be taken two ways; each by its number.
    """
    frame = _read_fast(block.content, fields)
    if frame is not None:
        return frame
    file = RawFile(source)
    for number, value in values_of_block(block, source, file.problems):
        file.add(value, number)
    return frame_of_records(file, "one JSON object a line", fields)


def frame_of_records(file: RawFile, expected: str, fields: Sequence[str] | None = None) -> pl.DataFrame:
    """The records of a file that was read strictly, likewise.

    Raises:
        InputError: what is wrong with the file, and records that are no objects.
    """
    rows = objects(file, expected)
    if fields is None:
        try:
            return pl.DataFrame(rows, infer_schema_length=None, strict=False)
        except pl.exceptions.PolarsError as error:
            found = str(error).partition(";")[0]
            raise InputError(Problem(file.source, found, _ONE_KIND, "Correct the records.")) from error
    columns = {name: [None if row.get(name) is None else str(row[name]) for row in rows] for name in fields}
    return pl.DataFrame(columns, schema=dict.fromkeys(fields, pl.String))


def objects(file: RawFile, expected: str) -> list[dict[str, Any]]:
    """The records of such a file as they stand in it.

    Raises:
        InputError: as for `frame_of_records`.
    """
    strangers = [
        Problem(file.source, shown(record.value), expected, "Correct it.", record=record.place)
        for record in file.records
        if not isinstance(record.value, dict)
    ]
    if file.problems or strangers:
        raise InputError([*file.problems, *strangers][:_SHOWN])
    return [record.value for record in file.records]


def _read_fast(content: bytes, fields: Sequence[str] | None) -> pl.DataFrame | None:
    """The rows as polars reads them; None where it cannot, or may have passed over what is no strict JSON.

    Of several values of a key it takes one, and for half a character a zero; how deep values are it does not mind.
    """
    if b"\\ud" in content or b"\\uD" in content or _may_be_deep(content):
        return None
    try:
        if fields is None:
            frame = pl.read_ndjson(content, infer_schema_length=None)
            values = frame.height * frame.width - sum(frame.null_count().row(0))
            return frame if content.count(b":") == values or _same_keys(content) else None
        return pl.read_ndjson(content, schema=dict.fromkeys(fields, pl.String)) if _same_keys(content) else None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None


def _may_be_deep(content: bytes) -> bool:
    """Whether some line opens more lists and objects than may be nested."""
    if b"[" not in content and content.count(b"{") <= content.count(b"\n"):
        return False  # objects that hold plain values
    text = np.frombuffer(content, np.uint8)
    lines = np.searchsorted(np.flatnonzero(text == _NEWLINE), np.flatnonzero(text & _ANY_CASE == _LIST))
    return int(np.bincount(lines).max(initial=0)) > MOST_LEVELS


def _same_keys(content: bytes) -> bool:
    """Whether every line certainly has the keys of the first, spelt alike and in its order, and none of them twice.

    So machines write them. Whatever may be the end of a key is looked at; where that is no key, or keys hold escaped
    characters or are long, nothing is certain.
    """
    text = np.frombuffer(b"\n" * _LONGEST + content, np.uint8)
    ends = _ends_of_keys(text)
    if not ends.size:
        return False
    lines = np.searchsorted(np.flatnonzero(text == _NEWLINE), ends)
    many = int(np.count_nonzero(lines == lines[0]))
    if ends.size % many:
        return False
    lines = lines.reshape(-1, many)
    if np.any(lines != lines[:, :1]) or np.any(np.diff(lines[:, 0]) == 0):
        return False
    keys = _keys(text, ends)
    if keys is None:
        return False
    first = keys[:many]
    return len(np.unique(first, axis=0)) == many and bool(np.all(keys.reshape(-1, many, _LONGEST) == first))


def _ends_of_keys(text: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Where a quotation mark that may end a key stands: one not escaped, and a colon after it and white space."""
    ends: NDArray[np.intp] = np.flatnonzero(text == _COLON) - 1
    while np.any(apart := np.isin(text[ends], _SPACES) & (ends > 0)):
        ends -= apart
    ends = ends[text[ends] == _QUOTE]
    escaped = (text[ends - 1] == _BACKSLASH) & (text[ends - 2] != _BACKSLASH)
    return ends[~escaped]


def _keys(text: NDArray[np.uint8], ends: NDArray[np.intp]) -> NDArray[np.uint8] | None:
    """The bytes of each key behind zeros; None where one is long or holds a backslash."""
    keys = np.lib.stride_tricks.sliding_window_view(text, _LONGEST)[ends - _LONGEST]
    opened = np.logical_or.accumulate((keys == _QUOTE)[:, ::-1], axis=1)[:, ::-1]
    inside = np.where(opened, 0, keys)
    # what stands behind the opening mark is inside; where no mark stands in the window, the key is longer
    if not np.all(opened[:, 0]) or np.any(inside == _BACKSLASH):
        return None
    return inside
