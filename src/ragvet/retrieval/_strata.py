from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.retrieval._streams import opened, plain_suffix

_ID = ("_id", "id", "query_id", "qid", "case_id")


def read_strata(path: str | Path, field: str) -> pl.DataFrame:
    """The stratum of every query, columns query_id and stratum, from a file of queries or a golden set.

    JSON lines, a JSON array, or tab separated with a header; the field may stand inside `metadata` or `labels`, as in
    BEIR's queries.jsonl. A BEIR folder stands for its queries.jsonl.

    Raises:
        InputError: it cannot be read, or no query has the field.
    """
    file = Path(path) / "queries.jsonl" if Path(path).is_dir() else Path(path)
    with opened(file) as stream:
        content = stream.read()
    try:
        rows = _rows(content.decode("utf-8-sig"), plain_suffix(file))
    except ValueError as error:
        raise InputError(Problem(str(file), str(error), "JSON lines, a JSON array or a TSV", "Correct it.")) from error
    found = [(_id(row), _stratum(row, field)) for row in rows]
    named = {str(query): str(stratum) for query, stratum in found if query is not None and stratum is not None}
    if not named:
        fields = ", ".join(sorted({name for row in rows[:100] for name in row}))
        raise InputError(Problem(str(file), f"fields {fields}", f"an id and {field!r}", "Choose one of the fields."))
    return pl.DataFrame({"query_id": list(named), "stratum": list(named.values())})


def _rows(text: str, suffix: str) -> list[dict[str, Any]]:
    if suffix in {".tsv", ".csv"}:
        lines = [line.split("\t" if suffix == ".tsv" else ",") for line in text.splitlines() if line.strip()]
        return [dict(zip(lines[0], line, strict=False)) for line in lines[1:]]
    values = (
        json.loads(text)
        if text.lstrip().startswith("[")
        else [json.loads(line) for line in text.splitlines() if line.strip()]
    )
    if not all(isinstance(value, dict) for value in values):
        raise ValueError("values that are no objects")
    return cast("list[dict[str, Any]]", values)


def _id(row: dict[str, Any]) -> Any:
    return next((row[name] for name in _ID if row.get(name) is not None), None)


def _stratum(row: dict[str, Any], field: str) -> Any:
    for holder in (row, row.get("metadata"), row.get("labels")):
        if isinstance(holder, dict) and cast("dict[str, Any]", holder).get(field) is not None:
            return cast("dict[str, Any]", holder)[field]
    return None
