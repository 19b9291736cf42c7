from __future__ import annotations

import re

import polars as pl

from ragvet.retrieval._notices import Notice
from ragvet.text import canonical_id

_ZEROS = re.compile(r"0(?<![0-9]0)[0-9]")
"""A zero with no digit before and one after; it begins with a fixed letter, which the search can skip to."""


def look_alike_notice(kind: str, unknown: pl.Series, known: pl.Series, what: str) -> Notice:
    """The remark that unknown ids are known ones but for case, zero padding or Unicode form."""
    pairs = _look_alikes(unknown, known) if len(unknown) and len(known) else []
    return Notice.of(
        kind,
        [f"{a!a} for {b!a}" for a, b in pairs],
        f"{what} but for case, zero padding or Unicode form",
        "Ids are compared exactly: write them the same way everywhere.",
    )


def _look_alikes(unknown: pl.Series, known: pl.Series) -> list[tuple[str, str]]:
    """Each unknown id that looks like a known one, with that one."""
    text = "\n".join([*unknown.to_list(), *(() if known is unknown else known.to_list())])
    if text.isascii() and text == text.lower() and not _ZEROS.search(text):
        return []  # every id is in canonical form
    by_form: dict[str, str] = {}
    for one in known.unique(maintain_order=True):
        by_form.setdefault(canonical_id(one), one)
    forms = ((one, by_form.get(canonical_id(one))) for one in unknown.unique(maintain_order=True))
    return [(one, found) for one, found in forms if found is not None and found != one]
