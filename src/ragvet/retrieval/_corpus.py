"""Ids and texts of a corpus, without holding it in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.files import blocks, form_of, opened, parquet_file, read_stream, readable_parquet
from ragvet.retrieval._lines import frame_of, frame_of_records

_ID = ("_id", "doc_id", "docid", "docno", "id")
_TEXT = ("text", "contents", "content", "body", "passage")


def corpus_ids(path: str | Path) -> pl.Series:
    """The ids of the documents of a corpus: JSON lines, JSON, YAML or Parquet, or a BEIR folder.

    A folder stands for its corpus.jsonl.

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
    """Columns item and, if asked for, text, in parts where the form allows, so that texts do not fill the memory."""
    file = _corpus_file(path)
    with opened(file) as stream:
        match form_of(file):
            case "json" | "yaml" as form:
                rows = frame_of_records(read_stream(stream, form, file, "documents"), "a list of objects")
                yield _named(rows.lazy(), str(file), texts=texts)
            case "parquet":
                with readable_parquet(str(file)):
                    yield _named(pl.scan_parquet(parquet_file(file, stream)), str(file), texts=texts)
            case "lines" | None:
                yield from _of_lines(stream, str(file), texts=texts)


def _of_lines(stream: IO[bytes], source: str, *, texts: bool) -> Iterator[pl.DataFrame]:
    names: list[str] = []
    for block in blocks(stream, source):
        if not names and (first := block.first()) is not None:
            names = frame_of(first, source).columns
        if names:
            fields = _fields(names, source, texts=texts)
            yield _named(frame_of(block, source, list(fields.values())).lazy(), source, texts=texts)


def _named(rows: pl.LazyFrame, source: str, *, texts: bool) -> pl.DataFrame:
    """The rows by our names."""
    fields = _fields(rows.collect_schema().names(), source, texts=texts)
    return _titled(rows.select(pl.col(name).cast(pl.String).alias(role) for role, name in fields.items()).collect())


def _corpus_file(path: str | Path) -> Path:
    if not Path(path).is_dir():
        return Path(path)
    found = sorted(Path(path).glob("corpus.jsonl*"))
    if found:
        return found[0]
    raise InputError(Problem(str(path), "no corpus.jsonl", "a corpus file in the folder", "Name the file itself."))


def _fields(names: Sequence[str], source: str, *, texts: bool) -> dict[str, str]:
    """Role → field."""
    item = next((name for name in _ID if name in names), None)
    if item is None:
        raise InputError(Problem(source, f"fields {', '.join(names)}", " or ".join(_ID), "Give every document its id."))
    fields = {"item": item}
    if texts:
        text = next((name for name in _TEXT if name in names), None)
        if text is None:
            raise InputError(Problem(source, f"fields {', '.join(names)}", " or ".join(_TEXT), "Name the text so."))
        fields |= {"text": text, **({"title": "title"} if "title" in names else {})}
    return fields


def _titled(frame: pl.DataFrame) -> pl.DataFrame:
    """With the title before the text."""
    if "title" not in frame.columns:
        return frame
    both = pl.concat_str(pl.col("title", "text").fill_null("").str.strip_chars(), separator="\n")
    return frame.select("item", both.str.strip_chars().alias("text"))
