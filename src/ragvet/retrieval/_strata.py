"""Which stratum a query is of."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.retrieval._queries import read_queries


def read_strata(path: str | Path, field: str) -> pl.DataFrame:
    """The stratum of every query, columns query_id and stratum, from a file of queries or a golden set.

    The field may stand inside `metadata` or `labels`, as in BEIR's queries.jsonl.

    Raises:
        InputError: it cannot be read, or no query has the field.
    """
    rows = read_queries(path)
    found = {row.id: stratum for row in rows if (stratum := row.field(field)) is not None}
    if not found:
        fields = ", ".join(sorted({name for row in rows[:100] for name in row.fields}))
        raise InputError(Problem(str(path), f"fields {fields}", f"an id and {field!r}", "Choose one of the fields."))
    return pl.DataFrame({"query_id": list(found), "stratum": [str(value) for value in found.values()]})
