from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.retrieval._streams import blocks, opened

_ID = ("_id", "doc_id", "docid", "docno", "id")
_TEXT = ("text", "contents", "content", "body", "passage")


def corpus_ids(path: str | Path) -> pl.Series:
    """The ids of the documents of a corpus: JSON lines (packed or not), or a BEIR folder with its corpus.jsonl.

    Raises:
        InputError: it cannot be read, or its records have no id.
    """
    parts = [part["item"] for part in _parts(path, texts=False)]
    ids = pl.concat(parts) if parts else pl.Series("item", [], pl.String)
    if not len(ids) or ids.has_nulls():
        found_ids = f"{ids.null_count():,} records without an id" if len(ids) else "no documents"
        raise InputError(Problem(str(path), found_ids, " or ".join(_ID), "Give every document its id."))
    return ids


def corpus_texts(path: str | Path, wanted: pl.Series) -> dict[str, str]:
    """Title and text of the wanted documents, as far as the corpus has them; read as `corpus_ids` does.

    Raises:
        InputError: it cannot be read, or its records have no text.
    """
    found = [part.filter(part["item"].is_in(wanted.implode())) for part in _parts(path, texts=True)]
    return dict(pl.concat(found).rows()) if found else {}


def _parts(path: str | Path, *, texts: bool) -> Iterator[pl.DataFrame]:
    """Columns item and, if asked for, text, block by block, so that the texts never stand in memory together."""
    file = _corpus_file(path)
    fields: dict[str, str] = {}
    try:
        with opened(file) as stream:
            for block in blocks(stream):
                if not block.content.strip():
                    continue
                if not fields:
                    fields = _fields(block.content, str(file), texts=texts)
                frame = pl.read_ndjson(block.content, schema=dict.fromkeys(fields.values(), pl.String))
                columns = [pl.col(name).alias(role) for role, name in fields.items()]
                yield _titled(frame.select(columns))
    except (ValueError, pl.exceptions.PolarsError) as error:
        raise InputError(Problem(str(file), str(error), "JSON lines", "Correct the file.")) from error


def _corpus_file(path: str | Path) -> Path:
    if not Path(path).is_dir():
        return Path(path)
    found = sorted(Path(path).glob("corpus.jsonl*"))
    if found:
        return found[0]
    raise InputError(Problem(str(path), "no corpus.jsonl", "a corpus file in the folder", "Name the file itself."))


def _fields(content: bytes, source: str, *, texts: bool) -> dict[str, str]:
    """Role → field, by the first record."""
    value = json.loads(content.lstrip().partition(b"\n")[0])
    if not isinstance(value, dict):
        raise ValueError("a value that is no object")  # noqa: TRY004 - one path for all faults of the file
    first = cast("dict[str, Any]", value)
    fields = {"item": next((name for name in _ID if name in first), _ID[0])}
    if texts:
        text = next((name for name in _TEXT if name in first), None)
        if text is None:
            raise InputError(Problem(source, f"fields {', '.join(first)}", " or ".join(_TEXT), "Name the text so."))
        fields |= {"text": text, **({"title": "title"} if "title" in first else {})}
    return fields


def _titled(frame: pl.DataFrame) -> pl.DataFrame:
    """With the title before the text."""
    if "title" not in frame.columns:
        return frame
    both = pl.concat_str(pl.col("title", "text").fill_null("").str.strip_chars(), separator="\n")
    return frame.select("item", both.str.strip_chars().alias("text"))
