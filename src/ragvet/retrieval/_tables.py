from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias, cast

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.retrieval._records import from_json, from_jsonl, from_mapping, from_parquet, typed
from ragvet.retrieval._streams import head, opened, plain_suffix
from ragvet.retrieval._text import Kind, read_text

Source: TypeAlias = "str | Path | pl.DataFrame | Mapping[str, Any] | Any"
"""Where qrels or a run come from: a path (``-``: standard input), a polars or pandas frame, or a dict."""

_Form = Literal["text", "jsonl", "json", "parquet"]
_FORMS: dict[str, _Form] = {
    ".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json"
}  # fmt: skip
_PARQUET = b"PAR1"


def tables(source: Source, kind: Kind, columns: str | None = None) -> Iterator[tuple[pl.DataFrame, str | None]]:
    """The source as frames with the columns query, item, and grade (qrels) or rank and/or score (run).

    There is at least one frame. With a frame comes what a reader should know about how it was read.

    Raises:
        InputError: it cannot be read, or a value is not what its column asks for.
    """
    if isinstance(source, str | Path):
        none = True
        for frame, note in _of_file(source, kind, columns):
            none = False
            yield frame, note
        if none:
            yield typed(pl.DataFrame(), kind, str(source)), None
    elif isinstance(source, pl.DataFrame):
        yield typed(source, kind, f"{kind} frame", columns), None
    elif isinstance(source, Mapping):
        yield from_mapping(cast("Mapping[str, Any]", source), kind, f"{kind} dict"), None
    elif _is_pandas(source):
        yield typed(_from_pandas(source, kind), kind, f"{kind} frame", columns), None
    else:
        raise InputError(
            Problem(kind, f"a {type(source).__name__}", "a path, a polars or pandas frame, or a dict", "Convert it.")
        )


def _of_file(path: str | Path, kind: Kind, columns: str | None) -> Iterator[tuple[pl.DataFrame, str | None]]:
    name = str(path)
    with opened(path) as stream:
        match _form_of_bytes(stream) if name == "-" else _FORMS.get(plain_suffix(path), "text"):
            case "parquet":
                whole = Path(path).suffix not in {".parquet", ".pq"}  # packed, or on standard input
                file = io.BytesIO(stream.read()) if whole else Path(path)
                yield from ((frame, None) for frame in from_parquet(file, kind, name, columns))
            case "jsonl":
                yield from ((frame, None) for frame in from_jsonl(stream, kind, name, columns))
            case "json":
                yield from_json(stream, kind, name), None
            case "text":
                yield from read_text(stream, kind, name, columns)


def _form_of_bytes(stream: IO[bytes]) -> _Form:
    """What standard input, which has no name to tell by, begins like."""
    start = head(stream)
    if start.startswith(_PARQUET):
        return "parquet"
    line = start.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    if not line.startswith((b"{", b"[")):
        return "text"
    try:
        first: object = json.loads(line)
    except ValueError:
        return "json"
    fields = cast("dict[str, object]", first).values() if isinstance(first, dict) else [first]
    return "json" if any(isinstance(field, dict | list) for field in fields) else "jsonl"


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
