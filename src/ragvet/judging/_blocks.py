"""The blocks of a Markdown answer: paragraphs, list items, table rows, code, headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ragvet.text import without_surrogates

BlockKind = Literal["prose", "item", "row", "code", "heading"]

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,15})\b[^<>]{0,2000}>|<!--[^\n]{0,2000}?-->")
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]{0,500}>[^<>]{0,500}</h\1>", re.IGNORECASE)
_BREAKING_TAGS = frozenset(
    {"address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer", "header", "hr", "li", "main", "ol"}
    | {"p", "pre", "section", "table", "tbody", "td", "th", "tr", "ul"}
)
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?:[ \t]+|$)")
_BOLD_LINE = re.compile(r"[ \t]*(\*\*|__)(?!\s)[^*_\n]{1,120}\1:?[ \t]*$")
_RULE = re.compile(r"[ \t]{0,3}(?:[-*_=][ \t]*){3,}$")
_BULLET = re.compile(
    r"[ \t>]*(?:[-*+•‣◦–·]|\(?(?:\d{1,3}|[A-Za-z])[.)]|[٠-٩۰-۹०-९]{1,3}[.)]|\d{1,3}、)[ \t]+(?:\[[ xX]\][ \t]+)?"
)
_QUOTE_MARK = re.compile(r"[ \t]*(?:>[ \t]?)+")
_SEPARATOR_ROW = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$")
_DEFINITION = re.compile(r"[ \t]{0,3}\[[^\]\n]{1,80}\]:[ \t]*\S")
_ENDED = re.compile(r"[.!?:;。！？：；؟।…][\"'”’»)\]*_]*[ \t]*$")
_SENTENCE_END = re.compile(r"(?:[.!]|[。！।۔])[\"'”’»)*_]*[ \t]*#*[ \t]*$")
_FEWEST_WORDS = 3
_STARTS = (_FENCE, _HEADING, _BOLD_LINE, _RULE, _DEFINITION, _BULLET)
_WRAPPED = 60


@dataclass(slots=True)
class Block:
    """A stretch of text that stands for itself: a paragraph, a list item, a table row, a code fence, a heading."""

    kind: BlockKind
    start: int
    end: int
    breaks: list[int] = field(default_factory=list[int])
    """Line ends inside the block at which a statement ends."""


def mask_markup(text: str) -> str:
    """`text` at the same length, HTML tags blanked (block tags by line feeds) and lone surrogates replaced."""
    text = without_surrogates(text).replace("\r\n", " \n").replace("\r", "\n")
    text = text.replace("\u2028", "\n").replace("\u2029", "\n").replace("\x0b", "\n").replace("\x0c", "\n")
    if "<" not in text:
        return text
    text = _HTML_HEADING.sub(lambda match: "\n" * len(match.group()), text)
    return _TAG.sub(_blank_tag, text)


def _blank_tag(match: re.Match[str]) -> str:
    breaking = (match.group(2) or "").lower() in _BREAKING_TAGS
    return ("\n" if breaking else " ") * len(match.group())


def split_blocks(masked: str) -> Iterator[Block]:
    """The blocks of a Markdown or plain text, in order, headings among them; rules and link definitions left out."""
    lines = list(_lines(masked))
    open_block: Block | None = None
    table = False
    number = 0
    while number < len(lines):
        start, end = lines[number]
        line = masked[start:end]
        table = "|" in line and (table or _is_table_row(line, masked, lines, number))
        if open_block and not table and _goes_on(line):
            _continue(open_block, masked, start, end)
        else:
            if open_block:
                yield open_block
            open_block = None
            if _FENCE.match(line):
                number = _fence_end(masked, lines, number)
                yield Block("code", start, lines[number][1])
            elif table:
                yield from _row(masked, lines, number)
            elif heading := _HEADING.match(line) or _BOLD_LINE.match(line):
                if not _is_sentence(line):
                    yield Block("heading", start, end)
                else:
                    yield Block("prose", start + (heading.end() if heading.re is _HEADING else 0), end)
            elif _goes_on(line) or _BULLET.match(line):
                open_block = _opened(line, start, end)
        number += 1
    if open_block:
        yield open_block


def _is_sentence(line: str) -> bool:
    """Whether a line in bold or with the mark of a heading states something: it ends as a sentence does."""
    return bool(_SENTENCE_END.search(line)) and (len(line.split()) >= _FEWEST_WORDS or not line.isascii())


def _goes_on(line: str) -> bool:
    """Whether a line belongs to the paragraph above it, if there is one: no blank line, and the start of nothing."""
    return bool(line.strip()) and not any(pattern.match(line) for pattern in _STARTS)


def _fence_end(text: str, lines: list[tuple[int, int]], number: int) -> int:
    """The line that closes the code fence opened on line `number`, or the last line."""
    opening = _FENCE.match(text, *lines[number])
    for later in range(number + 1, len(lines)):
        closing = _FENCE.match(text, *lines[later])
        if opening and closing and closing.group(1).startswith(opening.group(1)):
            return later
    return len(lines) - 1


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _is_table_row(line: str, text: str, lines: list[tuple[int, int]], number: int) -> bool:
    stripped = line.strip()
    if stripped.startswith("|") and stripped.endswith("|") and len(stripped) > 1:
        return True
    following = text[slice(*lines[number + 1])] if number + 1 < len(lines) else ""
    return bool(_SEPARATOR_ROW.match(following) or _SEPARATOR_ROW.match(line))


def _row(text: str, lines: list[tuple[int, int]], number: int) -> Iterator[Block]:
    """The block of one table line; the header row counts as a heading, the separator as nothing."""
    start, end = lines[number]
    if _SEPARATOR_ROW.match(text[start:end]):
        return
    following = text[slice(*lines[number + 1])] if number + 1 < len(lines) else ""
    line = text[start:end]
    start += len(line) - len(line.lstrip(" \t|"))
    end -= len(line) - len(line.rstrip(" \t|"))
    if end > start:
        yield Block("heading" if _SEPARATOR_ROW.match(following) else "row", start, end)


def _opened(line: str, start: int, end: int) -> Block:
    bullet = _BULLET.match(line)
    if bullet:
        return Block("item", start + bullet.end(), end)
    quoted = _QUOTE_MARK.match(line)
    return Block("prose", start + (quoted.end() if quoted else 0), end)


def _continue(block: Block, text: str, start: int, end: int) -> None:
    """Add a line to the block; a line that was full to the margin or goes on in lower case is one sentence with it."""
    previous = text[block.breaks[-1] + 1 if block.breaks else block.start : start - 1]
    last_line = previous[previous.rfind("\n") + 1 :]
    first = text[start:end].lstrip()[:1]
    wrapped = (len(last_line) >= _WRAPPED or first.islower()) and not _ENDED.search(last_line)
    if not wrapped:
        block.breaks.append(start - 1)
    block.end = end
