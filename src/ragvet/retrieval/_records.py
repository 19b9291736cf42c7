"""Rows that say themselves what they hold: JSON lines, JSON, Parquet, dicts and frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, cast

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.files import RawFile, blocks, parquet_file, readable_parquet
from ragvet.retrieval._columns import Role, declared, role_of
from ragvet.retrieval._lines import frame_of, frame_of_records
from ragvet.retrieval._text import EXPECTED, TYPES, Kind

_ROWS = 1 << 22
"""Rows of a Parquet file read at once."""


def from_parquet(path: str | Path, stream: IO[bytes], kind: Kind, columns: str | None) -> Iterator[pl.DataFrame]:
    """The rows of a Parquet file, of its columns only those that are needed.

    Raises:
        InputError: it cannot be read, or a value is not what its column asks for.
    """
    source = str(path)
    with readable_parquet(source):
        rows = pl.scan_parquet(parquet_file(path, stream))
        names = rows.collect_schema().names()
        named = {} if columns else _named(names, kind, None)
        if {"query", "item"} <= set(named):
            rows = rows.select(named.values())
        height = int(rows.select(pl.len()).collect().item())
        for start in range(0, max(height, 1), _ROWS):
            yield typed(rows.slice(start, _ROWS).collect(), kind, source, columns, before=start)


def from_jsonl(stream: IO[bytes], kind: Kind, source: str, columns: str | None) -> Iterator[pl.DataFrame]:
    """The rows of JSON lines, some ten thousand lines at a time.

    Raises:
        InputError: it cannot be read, or a value is not what its column asks for.
    """
    before = 0
    for block in blocks(stream, source):
        frame = frame_of(block, source)
        if frame.height:
            yield typed(frame, kind, source, columns, before=before)
            before += frame.height


def from_document(file: RawFile, kind: Kind, columns: str | None) -> pl.DataFrame:
    """The rows of ``{query: {item: number}}``, or of a list of records, in JSON or YAML, which are read whole.

    Raises:
        InputError: its syntax is wrong, or a value is not what it stands for.
    """
    if file.header and not file.problems:
        return from_mapping(file.header, kind, file.source)
    rows = frame_of_records(file, "an object: query → {item: number}, or a list of objects")
    return typed(rows, kind, file.source, columns)


def from_mapping(source: Mapping[str, Any], kind: Kind, name: str) -> pl.DataFrame:
    """``{query: {item: grade or score}}``; for a run also ``{query: [item, …]}``, best first."""
    queries: list[str] = []
    items: list[str] = []
    numbers: list[Any] = []
    ranked = kind == "run" and all(_is_list(entry) for entry in source.values())
    problems: list[Problem] = []
    for query, entry in source.items():
        if ranked:
            pairs: Iterable[tuple[Any, Any]] = ((item, rank) for rank, item in enumerate(entry, start=1))
        elif isinstance(entry, Mapping):
            pairs = cast("Mapping[Any, Any]", entry).items()
        else:
            expected = "{item: grade}" if kind == "qrels" else "{item: score} or, for every query, [item, …]"
            problems.append(Problem(name, f"a {type(entry).__name__}", expected, "Change it.", record=str(query)))
            continue
        before = len(items)
        for item, number in pairs:
            items.append(item)
            numbers.append(number)
        queries.extend([query] * (len(items) - before))
    if problems:
        raise InputError(problems)
    role = "grade" if kind == "qrels" else "rank" if ranked else "score"
    try:
        frame = pl.DataFrame({"query": queries, "item": items, role: numbers}, strict=False)
    except UnicodeEncodeError as error:
        raise InputError(Problem(name, f"an id that is no text: {error.object!a}", "ids", "Correct it.")) from error
    return typed(frame, kind, name)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def typed(frame: pl.DataFrame, kind: Kind, source: str, columns: str | None = None, *, before: int = 0) -> pl.DataFrame:
    """The columns by our names and with our types; of two columns for the same, the first.

    Args:
        frame: as it was read.
        kind: what the rows are.
        source: what messages call it.
        columns: what its columns hold, where their names do not say so.
        before: rows of the source before these.

    Raises:
        InputError: a column is missing, or a value cannot be read.
    """
    if not frame.width:
        return pl.DataFrame(schema={role: TYPES[role] for role in _needed(kind)})
    named = _named(frame.columns, kind, columns)
    wanted: list[Role] = ["query", "item", *(("grade",) if kind == "qrels" else ("rank", "score"))]
    if not set(_needed(kind)) <= set(named) or (kind == "run" and not {"rank", "score"} & set(named)):
        expected = "query_id, doc_id, relevance" if kind == "qrels" else "query_id, doc_id, rank and/or score"
        raise InputError(Problem(source, f"columns {', '.join(frame.columns)}", expected, "Rename the columns."))
    problems: list[Problem] = []
    result: list[pl.Series] = []
    for role in wanted:
        if role in named:
            column = frame[named[role]]
            values = _cast(column, role)
            bad = (values.is_null() | (~values.is_finite() if role == "score" else False)).arg_true().to_list()
            problems += [
                Problem(
                    source,
                    repr(column[row]),
                    EXPECTED[role],
                    "Correct it.",
                    record=f"record {before + row + 1}",
                    field=named[role],
                )
                for row in bad[:20]
            ]
            result.append(values)
    if problems:
        raise InputError(problems)
    return pl.DataFrame(result)


def _named(names: Sequence[str], kind: Kind, columns: str | None) -> dict[Role, str]:
    """The column that holds each role."""
    roles: Sequence[Role | None]
    roles = declared(columns, kind).roles if columns else [role_of(name, kind) for name in names]
    named: dict[Role, str] = {}
    for name, role in zip(names, roles, strict=False):
        if role is not None and role != "skip":
            named.setdefault(role, name)
    return named


def _needed(kind: Kind) -> list[Role]:
    return ["query", "item", "grade"] if kind == "qrels" else ["query", "item"]


def _cast(column: pl.Series, role: Role) -> pl.Series:
    target = TYPES[role]
    if role != "score" and column.dtype.is_float():  # as pandas makes of whole numbers beside a missing one
        whole = column.cast(pl.Int64, strict=False)
        column = pl.select(pl.when(whole.cast(pl.Float64) == column).then(whole)).to_series()
    try:
        return column.cast(target, strict=False).alias(role)
    except pl.exceptions.PolarsError:  # a type that holds no such value at all
        return pl.repeat(None, len(column), dtype=target, eager=True).alias(role)
