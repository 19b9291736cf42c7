"""Qrels and runs as lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import IO, Literal

import polars as pl

from ragvet.errors import InputError, Problem
from ragvet.files import Block, blocks, lone_return, not_utf8
from ragvet.retrieval._columns import TREC, Layout, Role, declared, detect
from ragvet.retrieval._notices import Notice

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

_WHOLE: tuple[Role, ...] = ("grade", "rank")
_WHOLE_NUMBER = r"^[+-]?[0-9]{1,18}(\.0*)?$"

_SHOWN = 20
"""Problems of one file that are listed; more of the same help nobody."""


def read_text(
    stream: IO[bytes], kind: Kind, source: str, columns: str | None
) -> Iterator[tuple[pl.DataFrame, tuple[Notice, ...]]]:
    """The columns of a TREC-like text file, some ten thousand lines at a time, with what is remarkable about them.

    Fields are separated by any white space; empty lines and comments are passed over. A comment begins with #; a line
    that does so and holds a whole row, as of a query named #tag, is a row.

    Raises:
        InputError: lines that do not hold what they should, by number.
    """
    layout = None if columns is None else declared(columns, kind)
    for block in blocks(stream, source):
        if (returns := lone_return(block, source)) is not None:
            raise InputError(returns)
        notices: list[Notice] = []
        first = layout is None
        if layout is None:
            layout = _detected(block, kind, source)
            if layout is None:
                continue
            if layout.note:
                action = "State the columns if that is wrong."
                notices.append(Notice("layout", 1, f"{layout.note}, files", action))
        lines, marked = _without_comments(block, layout)
        if marked:
            what, action = "rows that begin with #", "They count; a comment is # and a space."
            notices.append(Notice.of("marked-row", marked, what, action))
        yield _parse(lines, layout, source, header=layout.header and first), tuple(notices)


def _detected(block: Block, kind: Kind, source: str) -> Layout | None:
    """The layout by the first line that does not begin with #, else by the first row that does; None without either."""
    line = _first_line(block.content)
    if line is not None:
        return detect(_decoded(line, source, block), kind, source)
    trec = TREC[kind]
    return trec if any(_is_row(line, trec) for _, line in block.lines()) else None


def _without_comments(block: Block, layout: Layout) -> tuple[Block, list[str]]:
    """The block with comments emptied, and the first fields of rows that begin as one."""
    content = block.content
    if b"#" not in content or not (content.startswith(b"#") or b"\n#" in content):
        return block, []
    marked: list[str] = []

    def kept(match: re.Match[bytes]) -> bytes:
        if not _is_row(match[0], layout):
            return b""
        marked.append(match[0].split()[0].decode())
        return match[0]

    return Block(re.sub(rb"^#[^\n]*", kept, content, flags=re.MULTILINE), block.first_line), marked


def _is_row(line: bytes, layout: Layout) -> bool:
    """Whether a line that begins with # is a whole row nevertheless."""
    if line[1:2].isspace() or line[1:2] == b"#":
        return False
    try:
        fields = [field.decode() for field in _fields(line, layout)]
    except UnicodeDecodeError:
        return False
    return not any(_wrong_fields(fields, layout, "", 0))


def _parse(block: Block, layout: Layout, source: str, *, header: bool) -> pl.DataFrame:
    first = block.first()
    line = _first_line(block.content) if header or first is None else first.content.removesuffix(b"\n")
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
    frame = _scanned(content, separator, layout, TYPES)
    if frame is None:  # pandas writes 1.0 for a whole number where another is missing
        frame = _scanned(content, separator, layout, {role: type_ for role, type_ in TYPES.items() if role == "score"})
        frame = None if frame is None else _whole_numbers(frame)
    if frame is None:
        return None
    if separator == b"\t" and "grade" in frame.columns:  # a sheet that is filled in in part
        frame = frame.with_columns(pl.col("grade").fill_null(NOT_GRADED))
    complete = not any(frame.null_count().row(0))
    finite = "score" not in frame.columns or bool(frame["score"].is_finite().all())
    return frame if complete and finite else None


def _scanned(
    content: bytes, separator: bytes, layout: Layout, types: Mapping[Role, pl.DataType]
) -> pl.DataFrame | None:
    """The fields that are wanted; None where they are not of those types, text without one."""
    schema = {f"{role}{place}": types.get(role, pl.String()) for place, role in enumerate(layout.roles)}
    wanted = [pl.col(f"{role}{place}").alias(role) for place, role in enumerate(layout.roles) if role != "skip"]
    lines = pl.scan_csv(
        content,
        has_header=False,
        separator=separator.decode(),
        quote_char=None,
        schema=schema,
        truncate_ragged_lines=layout.tail,
        extra_columns="ignore" if layout.tail else "raise",
    )
    try:
        return lines.select(wanted).collect()
    except pl.exceptions.PolarsError:
        return None


def _whole_numbers(frame: pl.DataFrame) -> pl.DataFrame | None:
    """The frame with its grades and ranks read from text; None where one is no whole number."""
    numbers = [role for role in _WHOLE if role in frame.columns]
    texts = frame.select(pl.col(numbers).str.strip_chars())
    if not all(texts[role].fill_null("0").str.contains(_WHOLE_NUMBER).all() for role in numbers):
        return None
    return frame.with_columns(texts.select(pl.all().str.replace(r"\.0*$", "").cast(pl.Int64, strict=False)))


def _schema(layout: Layout) -> dict[str, pl.DataType]:
    return {role: TYPES[role] for role in layout.roles if role != "skip"}


def _squeezed(content: bytes) -> bytes:
    """The lines with one space between fields and none around them, without empty ones."""
    content = content.translate(bytes.maketrans(b"\t\r\v\f", b"    "))
    while b"  " in content:
        content = content.replace(b"  ", b" ")
    content = content.replace(b" \n", b"\n").replace(b"\n ", b"\n")
    return re.sub(rb"^\n", b"", content.lstrip(b" "), flags=re.MULTILINE)


def _first_line(content: bytes) -> bytes | None:
    """The first line that is not empty and does not begin with #."""
    match = re.search(rb"^[ \t\r\v\f]*[^#\s][^\n]*", content, re.MULTILINE)
    return None if match is None else match[0]


def _decoded(line: bytes, source: str, block: Block) -> list[str]:
    try:
        return [field.decode() for field in line.split()]
    except UnicodeDecodeError as error:
        raise InputError(not_utf8(source, error, block.first_line)) from error


def _problems(block: Block, layout: Layout, source: str) -> list[Problem]:
    """What is wrong with each line of a block that could not be read."""
    problems: list[Problem] = []
    for number, line in enumerate(block.content.split(b"\n"), start=block.first_line):
        if not line.strip():
            continue
        try:
            fields = [field.decode() for field in _fields(line, layout)]
        except UnicodeDecodeError as error:
            problems.append(not_utf8(source, error, number))
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
        return re.fullmatch(_WHOLE_NUMBER, field) is not None
    if role == "score":
        try:
            return "_" not in field and abs(float(field)) < float("inf")
        except ValueError:
            return False
    return role == "skip" or bool(field)
