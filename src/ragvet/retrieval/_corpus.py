from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.retrieval._streams import blocks, opened

_ID = ("_id", "doc_id", "docid", "docno", "id")


def corpus_ids(path: str | Path) -> pl.Series:
    """The ids of the documents of a corpus: JSON lines (packed or not), or a BEIR folder with its corpus.jsonl.

    Raises:
        InputError: it cannot be read, or its records have no id.
    """
    folder = Path(path)
    if folder.is_dir():
        found = sorted(folder.glob("corpus.jsonl*"))
        if not found:
            raise InputError(
                Problem(str(path), "no corpus.jsonl", "a corpus file in the folder", "Name the file itself.")
            )
        path = found[0]
    try:
        parts = list(_parts(path))
    except (ValueError, pl.exceptions.PolarsError) as error:
        raise InputError(Problem(str(path), str(error), "JSON lines", "Correct the file.")) from error
    ids = pl.concat(parts) if parts else pl.Series("item", [], pl.String)
    if not len(ids) or ids.has_nulls():
        found_ids = f"{ids.null_count():,} records without an id" if len(ids) else "no documents"
        raise InputError(Problem(str(path), found_ids, " or ".join(_ID), "Give every document its id."))
    return ids


def _parts(path: str | Path) -> Iterator[pl.Series]:
    """The ids block by block, so that the texts never stand in memory together."""
    name = None
    with opened(path) as stream:
        for block in blocks(stream):
            if not block.content.strip():
                continue
            if name is None:
                first = json.loads(block.content[: block.content.index(b"\n")])
                name = next((name for name in _ID if name in first), _ID[0])
            yield pl.read_ndjson(block.content, schema={name: pl.String})[name].alias("item")
