from __future__ import annotations

import re

import polars as pl

from ragvet.retrieval._notices import Notice

_ZEROS = r"(^|[^0-9])0+([0-9])"


def look_alike_notice(kind: str, unknown: pl.Series, known: pl.Series, what: str) -> Notice:
    """The remark that unknown ids differ from known ones only by zero padding or Unicode composition."""
    pairs = _look_alikes(unknown, known) if len(unknown) and len(known) else []
    return Notice.of(
        kind,
        [f"{a!a} for {b!a}" for a, b in pairs],
        what,
        "Ids are compared exactly: write them the same way everywhere.",
    )


def _look_alikes(unknown: pl.Series, known: pl.Series) -> list[tuple[str, str]]:
    """Each unknown id that looks like a known one, with that one."""
    text = "\n".join([*unknown.to_list(), *known.to_list()])
    if text.isascii() and not re.search(_ZEROS, text):
        return []  # every id is in canonical form
    left = pl.LazyFrame({"unknown": unknown}).unique(maintain_order=True)
    right = pl.LazyFrame({"known": known}).unique(maintain_order=True)
    right = right.with_columns(_canonical("known").alias("form")).unique("form", keep="first", maintain_order=True)
    pairs = left.with_columns(_canonical("unknown").alias("form")).join(right, on="form", maintain_order="left")
    return pairs.filter(pl.col("unknown") != pl.col("known")).select("unknown", "known").collect().rows()


def _canonical(column: str) -> pl.Expr:
    """The ids composed (Unicode NFC) and without zeros before numbers."""
    return pl.col(column).str.normalize("NFC").str.replace_all(_ZEROS, "${1}${2}")
