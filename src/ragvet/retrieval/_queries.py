"""Queries and their wording."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ragvet.errors import InputError, Problem
from ragvet.files import (
    Block,
    Form,
    form_of,
    head,
    json_value,
    lone_return,
    opened,
    plain_suffix,
    read_stream,
    read_text,
)
from ragvet.retrieval._lines import objects

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

    JSON lines, a JSON array, YAML, Parquet, a golden set with its declarations, or tab separated: with a header, or
    without one id and question. A BEIR folder stands for its queries.jsonl.

    Raises:
        InputError: it cannot be read.
    """
    file = Path(path) / "queries.jsonl" if Path(path).is_dir() else Path(path)
    suffix = plain_suffix(file)
    rows = _table(file, "\t" if suffix == ".tsv" else ",") if suffix in {".tsv", ".csv"} else _records(file)
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


def _records(path: Path) -> list[dict[str, Any]]:
    with opened(path) as stream:
        file = read_stream(stream, _form(path, head(stream)), path, "cases")
    if not file.records and file.header and not file.problems:
        file.add(file.header, None)  # one query alone
    return objects(file, "one object for every query")


def _form(path: Path, start: bytes) -> Form:
    """What the name says; JSON and JSON lines are told apart by how they begin, as people name one like the other."""
    form = form_of(path)
    if form in {"yaml", "parquet"}:
        return form
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"["):
        return "json"
    line, end, _ = text.partition(b"\n")
    try:
        first: object = json_value(line.decode())
    except ValueError:
        return form or ("lines" if not end else "json")
    return "json" if isinstance(first, dict) and "cases" in first else "lines"


def _table(path: Path, separator: str) -> list[dict[str, Any]]:
    """The rows of a table by its header; only with commas do quotation marks hold a field together."""
    text = read_text(path)
    if separator == ",":
        try:
            lines = [line for line in csv.reader(io.StringIO(text, newline="")) if line]
        except csv.Error as error:
            raise InputError(Problem(str(path), str(error), "a table", "Correct it.")) from error
    else:
        block = Block(text.encode(), 1)
        if (returns := lone_return(block, str(path))) is not None:
            raise InputError(returns)
        lines = [line.decode().removesuffix("\r").split(separator) for _, line in block.lines()]
    if lines and not set(_ID) & set(lines[0]) and all(len(line) == 2 for line in lines):  # noqa: PLR2004 - as MS MARCO's
        lines.insert(0, [_ID[0], _QUESTION[0]])
    return [dict(zip(lines[0], line, strict=False)) for line in lines[1:]]
