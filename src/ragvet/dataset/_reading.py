"""From a path to raw records, by the file's suffix."""

from __future__ import annotations

from pathlib import Path

from ragvet.dataset._json import read_json, read_json_lines
from ragvet.dataset._raw import RawFile
from ragvet.dataset._text import read_text
from ragvet.dataset._yaml import read_yaml
from ragvet.errors import InputError, Problem

_PACKED = frozenset({".gz", ".zst"})
_READABLE = {".json": "json", ".jsonl": "lines", ".ndjson": "lines", ".yaml": "yaml", ".yml": "yaml"}


def kind_of(path: Path) -> str:
    """The suffix that says what is in the file: `.jsonl` for `cases.jsonl.gz`."""
    return Path(path.stem).suffix.lower() if path.suffix.lower() in _PACKED else path.suffix.lower()


def read_records(path: Path, *, records_key: str, header_keys: frozenset[str] = frozenset()) -> RawFile:
    """The records of a JSON, JSON Lines or YAML file, each with its line, and what is wrong with its syntax.

    Args:
        path: the file; `.gz` and `.zst` are unpacked.
        records_key: where an object or mapping stands at the top, the key its records are under.
        header_keys: what else may stand beside that key, or alone on the first line of a JSON Lines file.

    Raises:
        InputError: the file cannot be read as text at all.
    """
    kind = _READABLE.get(kind_of(path))
    if kind is None and path.exists():
        if path.is_dir():
            raise InputError(Problem(str(path), "a folder", "a file", "Name the file inside it."))
        found = f"the suffix {path.suffix!r}" if path.suffix else "no suffix"
        action = "Name the file by what it holds; a table becomes JSON in a few lines (docs/coming-from.md)."
        raise InputError(Problem(str(path), found, f"one of {', '.join(_READABLE)} (or .gz, .zst of them)", action))
    text = read_text(path)
    file = RawFile(str(path))
    if not text.strip():
        file.problem("an empty file", "at least one record", "Write the records, or name another file.")
        return file
    if kind == "json":
        read_json(text, file, records_key)
    elif kind == "lines":
        read_json_lines(text, file, header_keys)
    else:
        read_yaml(text, file, records_key)
    return file
