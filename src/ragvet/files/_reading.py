"""From a path to records as they stand in the file, by what its name says it holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal

from ragvet.errors import InputError, Problem
from ragvet.files._json import read_json, read_json_lines, values_of_lines
from ragvet.files._opening import PACKED, opened
from ragvet.files._parquet import parquet_rows
from ragvet.files._records import RawFile, RawRecord
from ragvet.files._strict import HALF_A_CHARACTER, is_torn
from ragvet.files._text import text_of
from ragvet.files._yaml import read_yaml

Form = Literal["lines", "json", "yaml", "parquet"]
_FORMS: dict[str, Form] = {
    ".jsonl": "lines", ".ndjson": "lines", ".json": "json", ".yaml": "yaml", ".yml": "yaml", ".parquet": "parquet",
    ".pq": "parquet",
}  # fmt: skip

_EMPTY = ("an empty file", "at least one record", "Write the records, or name another file.")
_WHOLE = ("whole characters", "Write the text again whole.")


def plain_suffix(path: Path | str) -> str:
    """The suffix below the packing, in small letters: ``.jsonl`` for ``cases.JSONL.gz``."""
    name = Path(path)
    return (Path(name.stem) if name.suffix.lower() in PACKED else name).suffix.lower()


def form_of(path: Path | str) -> Form | None:
    """What the name of a file says it holds; None where it says nothing we know."""
    return _FORMS.get(plain_suffix(path))


def read_records(
    path: Path | str, *, records_key: str | None = None, header_keys: frozenset[str] = frozenset()
) -> RawFile:
    """The records of a JSON, JSON Lines, YAML or Parquet file, each with its place, and what is wrong with its syntax.

    Texts may hold half a character, which JSON can spell: whoever validates the records says in which field.

    Args:
        path: the file, packed or not.
        records_key: where an object or mapping stands at the top, the key its records are under.
        header_keys: what else may stand beside that key, or alone on the first line of a JSON Lines file.

    Raises:
        InputError: the file cannot be read as text at all.
    """
    form = require_form(path)
    with opened(path) as stream:
        if form == "lines":
            file = RawFile(str(path))
            read_json_lines(stream, file, header_keys)
            _insist_on_lines(file)
            return file
        return _read(stream, form, path, records_key, torn=True)


def read_stream(stream: IO[bytes], form: Form, path: Path | str, records_key: str | None = None) -> RawFile:
    """The records of an open file, or the one object or mapping it is as its header; half a character is a problem.

    Raises:
        InputError: the file cannot be read as text at all.
    """
    if form == "lines":
        file = RawFile(str(path))
        for number, value in values_of_lines(stream, file.source, file.problems):
            file.add(value, number)
        _insist_on_lines(file)
        return file
    return _read(stream, form, path, records_key, torn=False)


def scan_records(
    path: Path | str, problems: list[Problem], *, records_key: str, otherwise: Form | None = None
) -> Iterator[RawRecord]:
    """The records of such a file one after the other; what is wrong with its syntax goes to `problems`.

    JSON Lines and Parquet are read in parts, so that they need not fit into memory.

    Args:
        path: the file, packed or not.
        problems: where every fault is noted.
        records_key: where an object or mapping stands at the top, the key its records are under.
        otherwise: what a file holds whose name says nothing; None: it is refused.

    Raises:
        InputError: as for `read_records`.
    """
    form = form_of(path) or otherwise or require_form(path)
    with opened(path) as stream:
        if form == "parquet":
            rows = enumerate(parquet_rows(path, stream), start=1)
            yield from (RawRecord(row, None, number) for number, row in rows)
        elif form == "lines":
            values = enumerate(values_of_lines(stream, str(path), problems), start=1)
            yield from (RawRecord(value, line, number) for number, (line, value) in values)
        else:
            file = read_stream(stream, form, path, records_key)
            for key in file.header:
                file.problem(f"the key {key!r} beside the {records_key}", f"{records_key} alone", "Remove it.")
            problems += file.problems
            yield from file.records


def _read(stream: IO[bytes], form: Form, path: Path | str, records_key: str | None, *, torn: bool) -> RawFile:
    """A file that is read whole, or Parquet; where `torn` is not allowed, half a character is a problem."""
    file = RawFile(str(path))
    if form == "parquet":
        for row in parquet_rows(path, stream):
            file.add(row, None)
        return file
    text = text_of(stream, file.source)
    if text.strip():
        (read_yaml if form == "yaml" else read_json)(text, file, records_key)
    else:
        file.problem(*_EMPTY)
    if not torn and "\\" in text:
        _refuse_torn(file)
    return file


def _refuse_torn(file: RawFile) -> None:
    if is_torn(file.header):
        file.problem(HALF_A_CHARACTER, *_WHOLE)
    for record in file.records:
        if is_torn(record.value):
            file.problem(HALF_A_CHARACTER, *_WHOLE, record.place)


def _insist_on_lines(file: RawFile) -> None:
    if not (file.records or file.header or file.problems):
        file.problem(*_EMPTY)


def require_form(path: Path | str) -> Form:
    """What the file holds by its name.

    Raises:
        InputError: there is no such file, or its name says nothing we know.
    """
    form = form_of(path)
    if form is not None:
        return form
    name = Path(path)
    if name.is_dir():
        raise InputError(Problem(str(path), "a folder", "a file", "Name the file inside it."))
    if not name.exists():
        raise InputError(Problem(str(path), "no such file or folder", "a file that can be read", "Check the path."))
    found = f"the suffix {name.suffix!r}" if name.suffix else "no suffix"
    action = "Name the file by what it holds; a table becomes JSON in a few lines (docs/coming-from.md)."
    raise InputError(Problem(str(path), found, f"one of {', '.join(_FORMS)} (or .gz, .zst of them)", action))
