"""The sheet that people judge items on."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from ragvet.retrieval._corpus import corpus_texts
from ragvet.retrieval._notices import Notice
from ragvet.retrieval._queries import read_questions
from ragvet.text import plain

_COLUMNS = ("query_id", "item", "grade", "rank", "width", "shrinks", "question", "text")
_CELL = 32_000
"""Characters of a text: what a cell of common spreadsheets holds."""
_FORMULA = ("=", "+", "-", "@")


def with_texts(
    items: pl.DataFrame, *, corpus: str | Path | int | None = None, queries: str | Path | None = None
) -> tuple[pl.DataFrame, list[Notice]]:
    """The items of `judge_next` with what a person needs to judge them, and what could not be found.

    Args:
        items: columns query_id and item, and any others.
        corpus: the documents; adds the column `text`. None, or just their number: no text.
        queries: a file of queries or a golden set; adds the column `question`.

    Raises:
        InputError: a file cannot be read.
    """
    notices: list[Notice] = []
    if queries is not None:
        items, notice = _joined(items, "query_id", "question", read_questions(queries))
        notices.append(notice)
    if corpus is not None and not isinstance(corpus, int):
        items, notice = _joined(items, "item", "text", corpus_texts(corpus, items["item"].unique()))
        notices.append(notice)
    return items, [notice for notice in notices if notice.count]


def _joined(items: pl.DataFrame, key: str, column: str, texts: dict[str, str]) -> tuple[pl.DataFrame, Notice]:
    items = items.with_columns(pl.Series(column, [texts.get(one) or None for one in items[key]], pl.String))
    without = items.filter(pl.col(column).is_null())[key].unique(maintain_order=True)
    action = "It stays empty: check that ids are written the same way."
    return items, Notice.of(f"no-{column}", without, f"{key.removesuffix('_id')} ids without a {column}", action)


def to_sheet(items: pl.DataFrame) -> str:
    """A sheet for annotators, tab separated with an empty grade; filled in, it is qrels (`more_qrels`).

    A text stands on one line, and begins with an apostrophe where a spreadsheet would take it for a formula.
    """
    sheet = items.with_columns(pl.lit(None, pl.String).alias("grade"))
    words = [name for name in ("question", "text") if name in sheet.columns]
    sheet = sheet.with_columns(pl.col(name).map_elements(_cell, pl.String) for name in words)
    sheet = sheet.select(name for name in _COLUMNS if name in sheet.columns)
    return sheet.write_csv(separator="\t", float_precision=4, quote_style="never")


def _cell(text: str) -> str:
    line = plain(" ".join(text.split()))
    line = line if len(line) <= _CELL else f"{line[:_CELL]} …"
    return f"'{line}" if line.startswith(_FORMULA) else line
