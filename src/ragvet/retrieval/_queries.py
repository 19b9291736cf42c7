from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ragvet.errors import InputError, Problem
from ragvet.retrieval._streams import opened, plain_suffix

_ID = ("_id", "id", "query_id", "qid", "case_id")
_QUESTION = ("question", "text", "query", "title")


@dataclass(frozen=True, slots=True)
class Query:
    """One query of a file: its id and whatever else is said of it."""

    id: str
    fields: Mapping[str, Any]

    def field(self, name: str) -> Any:
        """The field of that name, which may stand inside `metadata` or `labels`; None where there is none."""
        for holder in (self.fields, self.fields.get("metadata"), self.fields.get("labels")):
            if isinstance(holder, dict) and cast("dict[str, Any]", holder).get(name) is not None:
                return cast("dict[str, Any]", holder)[name]
        return None


def read_queries(path: str | Path) -> list[Query]:
    """The queries of a file, or the cases of a golden set, as far as they have an id.

    JSON lines, a JSON array, a golden set with its declarations, or tab separated: with a header, or without one id and
    question. A BEIR folder stands for its queries.jsonl.

    Raises:
        InputError: it cannot be read.
    """
    file = Path(path) / "queries.jsonl" if Path(path).is_dir() else Path(path)
    with opened(file) as stream:
        content = stream.read()
    try:
        rows = _rows(content.decode("utf-8-sig"), plain_suffix(file))
    except (ValueError, csv.Error) as error:
        raise InputError(Problem(str(file), str(error), "JSON lines, a JSON array or a TSV", "Correct it.")) from error
    ids = [next((row[name] for name in _ID if row.get(name) is not None), None) for row in rows]
    return [Query(str(query), row) for query, row in zip(ids, rows, strict=True) if query is not None]


def read_questions(path: str | Path) -> dict[str, str]:
    """The wording of every query by its id; read as `read_queries` does.

    Raises:
        InputError: it cannot be read, or no query has a wording.
    """
    worded = {query.id: next((query.fields[name] for name in _QUESTION if query.fields.get(name)), None)
              for query in read_queries(path)}  # fmt: skip
    questions = {query: str(question) for query, question in worded.items() if question is not None}
    if not questions:
        expected = f"an id ({', '.join(_ID)}) and a question ({', '.join(_QUESTION)})"
        raise InputError(Problem(str(path), "no query with a wording", expected, "Name the fields so."))
    return questions


def _rows(text: str, suffix: str) -> list[dict[str, Any]]:
    if suffix in {".tsv", ".csv"}:
        return _table(text, "\t" if suffix == ".tsv" else ",")
    whole = _parsed(text)
    if isinstance(whole, dict) and "cases" in whole:
        whole = cast("dict[str, Any]", whole)["cases"]
    lines = (json.loads(line) for line in _lines(text))
    values = cast("list[object]", whole) if isinstance(whole, list) else list(lines)
    if not all(isinstance(value, dict) for value in values):
        raise ValueError("values that are no objects")
    return cast("list[dict[str, Any]]", values)


def _parsed(text: str) -> object:
    """The text as one JSON value; None where it is several, or none."""
    try:
        return json.loads(text)
    except ValueError:
        if text.lstrip().startswith("["):
            raise
        return None


def _lines(text: str) -> Iterator[str]:
    """Lines that say something; `str.splitlines` would also break at what may stand inside a text, such as U+2028."""
    return (line.removesuffix("\r") for line in text.split("\n") if line.strip())


def _table(text: str, separator: str) -> list[dict[str, Any]]:
    """The rows of a table by its header; only with commas do quotation marks hold a field together."""
    if separator == ",":
        lines = [line for line in csv.reader(io.StringIO(text, newline="")) if line]
    else:
        lines = [line.split(separator) for line in _lines(text)]
    if lines and not set(_ID) & set(lines[0]) and all(len(line) == 2 for line in lines):  # noqa: PLR2004 - as MS MARCO's
        lines.insert(0, [_ID[0], _QUESTION[0]])
    return [dict(zip(lines[0], line, strict=False)) for line in lines[1:]]
