"""Tables out of files, frames and dicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TypeAlias, cast

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.files import Form, form_of, head, json_value, opened, read_stream
from ragvet.retrieval._notices import Notice
from ragvet.retrieval._records import from_document, from_jsonl, from_mapping, from_parquet, typed
from ragvet.retrieval._text import Kind, read_text

Source: TypeAlias = "str | Path | pl.DataFrame | Mapping[str, Any] | Any"
"""Where qrels or a run come from: a path (``-``: standard input), a polars or pandas frame, or a dict."""

_PARQUET = b"PAR1"


def tables(source: Source, kind: Kind, columns: str | None = None) -> Iterator[tuple[pl.DataFrame, tuple[Notice, ...]]]:
    """The source as frames with the columns query, item, and grade (qrels) or rank and/or score (run).

    There is at least one frame. With a frame comes what a reader should know about how it was read.

    Raises:
        InputError: it cannot be read, or a value is not what its column asks for.
    """
    if isinstance(source, str | Path):
        none = True
        for frame, notices in _of_file(source, kind, columns):
            none = False
            yield frame, notices
        if none:
            yield typed(pl.DataFrame(), kind, str(source)), ()
    elif isinstance(source, pl.DataFrame):
        yield typed(source, kind, f"{kind} frame", columns), ()
    elif isinstance(source, Mapping):
        yield from_mapping(cast("Mapping[str, Any]", source), kind, f"{kind} dict"), ()
    elif _is_pandas(source):
        yield typed(_from_pandas(source, kind), kind, f"{kind} frame", columns), ()
    else:
        raise InputError(
            Problem(kind, f"a {type(source).__name__}", "a path, a polars or pandas frame, or a dict", "Convert it.")
        )


def _of_file(path: str | Path, kind: Kind, columns: str | None) -> Iterator[tuple[pl.DataFrame, tuple[Notice, ...]]]:
    name = str(path)
    with opened(path) as stream:
        match _form_of_bytes(stream) if name == "-" else form_of(path):
            case "parquet":
                yield from ((frame, ()) for frame in from_parquet(path, stream, kind, columns))
            case "lines":
                yield from ((frame, ()) for frame in from_jsonl(stream, kind, name, columns))
            case "json" | "yaml" as form:
                yield from_document(read_stream(stream, form, path), kind, columns), ()
            case None:
                yield from read_text(stream, kind, name, columns)


def _form_of_bytes(stream: IO[bytes]) -> Form | None:
    """What standard input, which has no name to tell by, begins like; None: like text."""
    start = head(stream)
    if start.startswith(_PARQUET):
        return "parquet"
    line = start.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    if not line.startswith((b"{", b"[")):
        return None
    try:
        first: object = json_value(line.decode())
    except ValueError:
        return "json"
    fields = cast("dict[str, object]", first).values() if isinstance(first, dict) else [first]
    return "json" if any(isinstance(field, dict | list) for field in fields) else "lines"


def _is_pandas(source: object) -> bool:
    """Whether it is a pandas frame, told without importing pandas."""
    classes = type(source).__mro__
    return any(one.__name__ == "DataFrame" and one.__module__.split(".")[0] == "pandas" for one in classes)


def _from_pandas(frame: Any, kind: Kind) -> pl.DataFrame:
    """Column by column, so that pyarrow is not needed; whatever pandas calls missing is null."""
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        found = f"columns {', '.join(names)}"
        raise InputError(Problem(f"{kind} frame", found, "each name once", "Drop or rename the others."))
    columns = {name: frame[own] for name, own in zip(names, frame.columns, strict=True)}
    return pl.DataFrame(
        {
            name: [None if gone else value for value, gone in zip(column.tolist(), column.isna().tolist(), strict=True)]
            for name, column in columns.items()
        },
        strict=False,
    )
