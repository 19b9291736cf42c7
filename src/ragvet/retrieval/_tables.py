from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.retrieval._columns import Role, declared, role_of
from ragvet.retrieval._streams import opened, plain_suffix
from ragvet.retrieval._text import EXPECTED, TYPES, Kind, read_text

Source: TypeAlias = "str | Path | pl.DataFrame | Mapping[str, Any] | Any"
"""Where qrels or a run come from: a path (``-``: standard input), a polars or pandas frame, or a dict."""


def tables(source: Source, kind: Kind, columns: str | None = None) -> Iterator[tuple[pl.DataFrame, str | None]]:
    """The source as frames with the columns query, item, and grade (qrels) or rank and/or score (run).

    Raises:
        InputError: it cannot be read, or a value is not what its column asks for.
    """
    if isinstance(source, str | Path):
        suffix = plain_suffix(source)
        if suffix in {".parquet", ".pq"}:
            yield _typed(_parquet(Path(source)), kind, str(source), columns), None
        elif suffix in {".jsonl", ".ndjson"}:
            yield _typed(_jsonl(source), kind, str(source), columns), None
        elif suffix == ".json":
            yield _from_mapping(_json(source), kind, str(source)), None
        else:
            yield from read_text(source, kind, columns)
    elif isinstance(source, pl.DataFrame):
        yield _typed(source, kind, f"{kind} frame", columns), None
    elif isinstance(source, Mapping):
        yield _from_mapping(cast("Mapping[str, Any]", source), kind, f"{kind} dict"), None
    elif _is_pandas(source):
        yield _typed(_from_pandas(source, kind), kind, f"{kind} frame", columns), None
    else:
        raise InputError(
            Problem(kind, f"a {type(source).__name__}", "a path, a polars or pandas frame, or a dict", "Convert it.")
        )


def _parquet(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(Problem(str(path), str(error), "a Parquet file", "Check the file.")) from error


def _jsonl(path: str | Path) -> pl.DataFrame:
    with opened(path) as stream:
        content = stream.read().removeprefix(b"\xef\xbb\xbf")
    if not content.strip():
        return pl.DataFrame()
    try:
        return pl.read_ndjson(content, infer_schema_length=None)
    except pl.exceptions.PolarsError as error:
        raise InputError(_broken_json(content, str(path), error)) from error


def _broken_json(content: bytes, source: str, error: Exception) -> list[Problem]:
    problems: list[Problem] = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        try:
            if line.strip() and not isinstance(json.loads(line), dict):
                raise ValueError("a value that is no object")  # noqa: TRY301 - one path for both faults
        except ValueError as fault:
            problems.append(
                Problem(source, str(fault), "one JSON object a line", "Correct it.", record=f"line {number}")
            )
    return problems[:20] or [Problem(source, str(error), "JSON lines with the same fields", "Correct the file.")]


def _json(path: str | Path) -> Mapping[str, Any]:
    with opened(path) as stream:
        content = stream.read()
    try:
        value = json.loads(content.decode("utf-8-sig"))
    except ValueError as error:
        raise InputError(Problem(str(path), str(error), "JSON", "Correct the file.")) from error
    if not isinstance(value, dict):
        found = f"a {type(value).__name__}"
        raise InputError(Problem(str(path), found, "an object: query → {item: number}", "Use JSON lines for rows."))
    return cast("Mapping[str, Any]", value)


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


def _from_mapping(source: Mapping[str, Any], kind: Kind, name: str) -> pl.DataFrame:
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
    return _typed(frame, kind, name, None)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _typed(frame: pl.DataFrame, kind: Kind, source: str, columns: str | None) -> pl.DataFrame:
    """The columns by our names and with our types.

    Raises:
        InputError: a column is missing or stands twice, or a value cannot be read.
    """
    if not frame.width:
        return pl.DataFrame(schema={role: TYPES[role] for role in _needed(kind)})
    roles: Sequence[Role | None]
    roles = declared(columns, kind).roles if columns else [role_of(name, kind) for name in frame.columns]
    named: dict[Role, str] = {}
    for name, role in zip(frame.columns, roles, strict=False):
        if role is not None and role != "skip" and role not in named:
            named[role] = name
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
                    record=f"record {row + 1}",
                    field=named[role],
                )
                for row in bad[:20]
            ]
            result.append(values)
    if problems:
        raise InputError(problems)
    return pl.DataFrame(result)


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
