from __future__ import annotations

from pathlib import Path

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.retrieval._streams import opened

_ID = ("_id", "doc_id", "docid", "docno", "id")


def corpus_ids(path: str | Path) -> pl.Series:
    """The ids of the documents of a corpus: JSON lines (packed or not), or a BEIR folder with its corpus.jsonl.

    Raises:
        InputError: it cannot be read, or its records have no id.
    """
    folder = Path(path)
    if folder.is_dir():
        found = [
            folder / name
            for name in ("corpus.jsonl", "corpus.jsonl.gz", "corpus.jsonl.zst")
            if (folder / name).exists()
        ]
        if not found:
            raise InputError(
                Problem(str(path), "no corpus.jsonl", "a corpus file in the folder", "Name the file itself.")
            )
        path = found[0]
    with opened(path) as stream:
        content = stream.read().removeprefix(b"\xef\xbb\xbf")
    try:
        lines = pl.scan_ndjson(content, infer_schema_length=100)
        name = next((name for name in _ID if name in lines.collect_schema()), None)
        if name is None:
            raise InputError(Problem(str(path), "records without an id", " or ".join(_ID), "Rename the id field."))
        return lines.select(pl.col(name).cast(pl.String).alias("item")).collect().to_series()
    except pl.exceptions.PolarsError as error:
        raise InputError(Problem(str(path), str(error), "JSON lines", "Correct the file.")) from error
