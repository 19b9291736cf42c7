from __future__ import annotations

import polars as pl

from ragvet.retrieval._notices import Notice

_ZEROS = r"(^|[^0-9])0+([0-9])"


def canonical(ids: pl.Series) -> pl.Series:
    """The ids composed (Unicode NFC) and without zeros before numbers."""
    return ids.str.normalize("NFC").str.replace_all(_ZEROS, "${1}${2}")


def look_alikes(unknown: pl.Series, known: pl.Series) -> list[tuple[str, str]]:
    """Unknown ids that differ from a known one only by zero padding or Unicode composition, with that one."""
    if not len(unknown) or not len(known):
        return []
    left = pl.DataFrame({"unknown": unknown.unique(maintain_order=True)})
    right = pl.DataFrame({"known": known.unique(maintain_order=True)})
    left = left.with_columns(canonical(left["unknown"]).alias("form"))
    right = right.with_columns(canonical(right["known"]).alias("form")).unique(
        "form", keep="first", maintain_order=True
    )
    pairs = left.join(right, on="form", how="inner", maintain_order="left").filter(pl.col("unknown") != pl.col("known"))
    return pairs.select("unknown", "known").rows()


def look_alike_notice(kind: str, unknown: pl.Series, known: pl.Series, what: str) -> Notice:
    """The remark that ids nearly match."""
    pairs = look_alikes(unknown, known)
    return Notice.of(
        kind,
        [f"{a!a} for {b!a}" for a, b in pairs],
        what,
        "Ids are compared exactly: write them the same way everywhere.",
    )
