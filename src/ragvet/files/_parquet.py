"""Rows of Parquet files as records, and what is said of a file that is damaged."""

from __future__ import annotations

import io
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from ragvet.errors import InputError, Problem
from ragvet.files._text import content_of

_ROWS = 1000
"""Rows turned into records at once."""


def parquet_file(path: Path | str, stream: IO[bytes]) -> Path | IO[bytes]:
    """What polars is to read: the file itself, or its bytes where it is packed or on standard input."""
    on_disk = str(path) != "-" and isinstance(getattr(stream, "raw", None), io.FileIO)
    return Path(path) if on_disk else io.BytesIO(content_of(stream))


def parquet_rows(path: Path | str, stream: IO[bytes]) -> Iterator[dict[str, Any]]:
    """Each row as a record; Parquet gives every row all fields, here one without value is absent.

    Raises:
        InputError: the file is no Parquet, or damaged.
    """
    import polars as pl  # noqa: PLC0415 - heavy, and needed for Parquet alone

    with readable_parquet(str(path)):
        frames = pl.scan_parquet(parquet_file(path, stream)).collect_batches(chunk_size=_ROWS, maintain_order=True)
        for frame in frames:
            for row in frame.iter_rows(named=True):
                yield _without_nulls(row)


@contextmanager
def readable_parquet(source: str) -> Generator[None]:
    """Whatever goes wrong inside says that the file is no readable Parquet: damage makes the reader panic as well.

    Raises:
        InputError: it went wrong.
    """
    import polars as pl  # noqa: PLC0415 - heavy, and needed for Parquet alone

    try:
        yield
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        found = f"no readable Parquet ({(str(error).splitlines() or [type(error).__name__])[0]})"
        action = "Write it again, or check that it is complete."
        raise InputError(Problem(source, found, "a Parquet file", action)) from None


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {name: _without_nulls(inner) for name, inner in fields.items() if inner is not None}
    if isinstance(value, list):
        return [_without_nulls(inner) for inner in cast("list[Any]", value)]
    return value
