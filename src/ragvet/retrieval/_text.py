from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Literal

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.retrieval._columns import Layout, Role, declared, detect
from ragvet.retrieval._streams import Block, blocks

Kind = Literal["qrels", "run"]

TYPES: dict[Role, pl.DataType] = {
    "query": pl.String(), "item": pl.String(), "grade": pl.Int64(), "rank": pl.Int64(), "score": pl.Float64()
}  # fmt: skip
EXPECTED = {
    "grade": "a whole number",
    "rank": "a whole number",
    "score": "a finite number",
    "query": "an id",
    "item": "an id",
}
NOT_GRADED = -1
"""What TREC writes for a pooled document that nobody has judged; an empty grade says the same."""

_SHOWN = 20
"""Problems of one file that are listed; more of the same help nobody."""


def read_text(
    stream: IO[bytes], kind: Kind, source: str, columns: str | None
) -> Iterator[tuple[pl.DataFrame, str | None]]:
    """The columns of a TREC-like text file, some ten thousand lines at a time, with a note on the layout at first.

    Fields are separated by any white space; empty lines and lines that begin with # are passed over.

    Raises:
        InputError: lines that do not hold what they should, by number.
    """
    layout = None if columns is None else declared(columns, kind)
    for block in blocks(stream):
        first = layout is None
        if layout is None:
            line = _first_line(block.content)
            if line is None:
                continue
            layout = detect(_decoded(line, source, block), kind, source)
        yield _parse(block, layout, source, header=layout.header and first), layout.note if first else None


def _parse(block: Block, layout: Layout, source: str, *, header: bool) -> pl.DataFrame:
    line = _first_line(block.content)
    if line is None:
        return pl.DataFrame(schema=_schema(layout))
    if header:
        end = block.content.index(line) + len(line) + 1
        rest = Block(block.content[end:], block.first_line + block.content.count(b"\n", 0, end))
        return _parse(rest, layout, source, header=False)
    separator = b"\t" if line.count(b"\t") >= len(layout.roles) - 1 else b" "
    frame = _csv(block.content, separator, layout)
    if frame is None:
        frame = _csv(_squeezed(block.content), b" ", layout)
    if frame is None:
        raise InputError(_problems(block, layout, source))
    return frame


def _csv(content: bytes, separator: bytes, layout: Layout) -> pl.DataFrame | None:
    """The fields of lines with one separator between them; None where the lines are not like that."""
    if not layout.tail and content.count(separator) != (len(layout.roles) - 1) * content.count(b"\n"):
        return None  # polars would drop surplus fields
    schema = {f"{role}{place}": TYPES.get(role, pl.String()) for place, role in enumerate(layout.roles)}
    wanted = [pl.col(f"{role}{place}").alias(role) for place, role in enumerate(layout.roles) if role != "skip"]
    commented = b"#" in content and (content.startswith(b"#") or b"\n#" in content)
    lines = pl.scan_csv(
        content,
        has_header=False,
        separator=separator.decode(),
        quote_char=None,
        schema=schema,
        comment_prefix="#" if commented else None,
        truncate_ragged_lines=layout.tail,
        extra_columns="ignore" if layout.tail else "raise",
    )
    try:
        frame = lines.select(wanted).collect()
    except pl.exceptions.PolarsError:
        return None
    if separator == b"\t" and "grade" in frame.columns:  # a sheet that is filled in in part
        frame = frame.with_columns(pl.col("grade").fill_null(NOT_GRADED))
    complete = not any(frame.null_count().row(0))
    finite = "score" not in frame.columns or bool(frame["score"].is_finite().all())
    return frame if complete and finite else None


def _schema(layout: Layout) -> dict[str, pl.DataType]:
    return {role: TYPES[role] for role in layout.roles if role != "skip"}


def _squeezed(content: bytes) -> bytes:
    """The lines with one space between fields and none around them, without empty ones and comments."""
    content = content.translate(bytes.maketrans(b"\t\r\v\f", b"    "))
    while b"  " in content:
        content = content.replace(b"  ", b" ")
    content = content.replace(b" \n", b"\n").replace(b"\n ", b"\n")
    return re.sub(rb"^(#[^\n]*)?\n", b"", content.lstrip(b" "), flags=re.MULTILINE)


def _first_line(content: bytes) -> bytes | None:
    """The first line that is neither empty nor a comment."""
    match = re.search(rb"^[ \t\r\v\f]*[^#\s][^\n]*", content, re.MULTILINE)
    return None if match is None else match[0]


def _decoded(line: bytes, source: str, block: Block) -> list[str]:
    try:
        return [field.decode() for field in line.split()]
    except UnicodeDecodeError as error:
        raise InputError(_not_text(source, block.first_line, error)) from error


def _problems(block: Block, layout: Layout, source: str) -> list[Problem]:
    """What is wrong with each line of a block that could not be read."""
    problems: list[Problem] = []
    for number, line in enumerate(block.content.split(b"\n"), start=block.first_line):
        if not line.strip() or line.startswith(b"#"):
            continue
        try:
            fields = [field.decode() for field in _fields(line, layout)]
        except UnicodeDecodeError as error:
            problems.append(_not_text(source, number, error))
        else:
            problems.extend(_wrong_fields(fields, layout, source, number))
        if len(problems) >= _SHOWN:
            break
    place = f"from line {block.first_line}"
    return problems or [Problem(source, "lines in no known form", " ".join(layout.roles), "Check them.", record=place)]


def _fields(line: bytes, layout: Layout) -> list[bytes]:
    """The fields of a line; between as many tabs as it should have, a field may be empty."""
    if line.count(b"\t") == len(layout.roles) - 1:
        return [field.strip() for field in line.split(b"\t")]
    return line.split()


def _wrong_fields(fields: list[str], layout: Layout, source: str, number: int) -> Iterator[Problem]:
    roles, record = layout.roles, f"line {number}"
    many = len(fields) > len(roles) and not layout.tail
    if len(fields) < len(roles) or many:
        shape = " ".join(roles).replace("skip", "(anything)")
        action = "Ids hold no white space; use JSONL or Parquet if yours do." if many else "Complete the line."
        yield Problem(source, f"{len(fields)} fields", f"{len(roles)}: {shape}", action, record=record)
        return
    for role, field in zip(roles, fields, strict=False):
        if not _readable(role, field):
            yield Problem(source, repr(field), EXPECTED[role], f"Correct the {role}.", record=record, field=role)


def _readable(role: Role, field: str) -> bool:
    if role == "grade" and not field:
        return True
    if role in {"grade", "rank"}:
        return re.fullmatch(r"[+-]?\d{1,18}", field, re.ASCII) is not None
    if role == "score":
        try:
            return "_" not in field and abs(float(field)) < float("inf")
        except ValueError:
            return False
    return role == "skip" or bool(field)


def _not_text(source: str, number: int, error: UnicodeDecodeError) -> Problem:
    found = f"bytes that are not UTF-8 ({error.object[error.start : error.end]!r})"
    return Problem(source, found, "UTF-8 text", "Convert the file to UTF-8.", record=f"line {number}")
