"""The statements of an answer, each with its span."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from ragvet.judging._blocks import Block, mask_markup, split_blocks
from ragvet.judging._data import is_data
from ragvet.judging._languages import Language, Languages, language_of, load_languages
from ragvet.judging._sentences import sentence_spans
from ragvet.judging._statements import NEEDS_EVIDENCE, statement_kinds
from ragvet.records import Claim
from ragvet.text import fold

_MARKER = r"(?:\[\^?[^\]\s]{1,60}(?:,\s*[^\]\s]{1,60}){0,9}\]|【[^】\n]{1,60}】)"
_MARKERS = re.compile(rf"{_MARKER}(?:\s*{_MARKER})*")
_LEADING_MARKERS = re.compile(rf"\s*{_MARKERS.pattern}")
_OPENING_WORD = re.compile(r"\s+[\"'“„«(*_`]{0,4}(\w+)")
_ANNOUNCED = re.compile(r"[:;：；][\"'”’»)*_`]*\s*$")
_ENUMERATOR = re.compile(r"(?<=\s)\(?(\d{1,2})[.)]\s+(?=\S)")
_CLOSED = re.compile(r"[.!?:;)\"'”*_`]\s+$")
_REACH = 20
_WORD = re.compile(r"[^\W_]")
_LONGEST_HEADING = 60


def split_claims(text: str, *, language: str | None = None, languages: Languages | None = None) -> tuple[Claim, ...]:
    """The statements of `text` in order, each with its exact span: sentences, list items, table rows, code fences.

    `claim.text == text[claim.start:claim.end]` (a lone surrogate reads as U+FFFD). Headings that do not end as a
    sentence does, rules, table headers and link definitions are no claims, nor is an answer that is JSON.
    A citation marker belongs to the sentence it follows. Ids are c1, c2, … in order.

    Args:
        text: an answer; Markdown and HTML are understood, their markup is no part of any decision.
        language: a code such as `de`; by default found from the text.
        languages: the language files in use; by default those of the package.
    """
    languages = languages or load_languages()
    return _split(text, language or language_of(mask_markup(text), languages), languages)


@lru_cache(maxsize=16)  # the rules on behaviour and on claims look at the same answer, one after the other
def _split(text: str, language: str, languages: Languages) -> tuple[Claim, ...]:
    if is_data(text):
        return ()
    masked = mask_markup(text)
    spans = [
        (start, end, not listed)
        for block, listed in stating_blocks(masked, languages)
        for start, end in _statements(block, masked, languages.get(language))
    ]
    kind_of = statement_kinds(masked, languages)
    return tuple(
        Claim(
            id=f"c{number}",
            text=text[start:end] if text.isascii() else _safe(text, masked, start, end),
            start=start,
            end=end,
            needs_evidence=stated and kind_of(start, end) in NEEDS_EVIDENCE,
        )
        for number, (start, end, stated) in enumerate(spans, start=1)
    )


def stating_blocks(masked: str, languages: Languages) -> Iterator[tuple[Block, bool]]:
    """Every block that is no heading, and whether it belongs to a list of sources at the end of the answer."""
    listed = False
    for block in split_blocks(masked):
        first_line = masked[block.start : block.end].partition("\n")[0]
        if _is_source_heading(first_line, languages):
            listed = True
            if block.end > block.start + len(first_line):
                yield Block("item", block.start + len(first_line), block.end, block.breaks[1:]), True
        elif block.kind == "heading":
            listed = False
        else:
            yield block, listed


def _safe(text: str, masked: str, start: int, end: int) -> str:
    """The words of the claim as written; a character that no encoding can write is replaced."""
    return "".join(m if m == "\ufffd" else c for c, m in zip(text[start:end], masked[start:end], strict=True))


def _is_source_heading(line: str, languages: Languages) -> bool:
    if len(line) > _LONGEST_HEADING:
        return False
    words = fold(line).text.strip(" #*_:-：")
    return any(words in one.source_headings for one in languages.by_code.values())


def _statements(block: Block, text: str, language: Language) -> Iterator[tuple[int, int]]:
    if block.kind in ("code", "row"):
        yield from _trimmed(text, block.start, block.end)
        return
    edges = [block.start, *(position + 1 for position in block.breaks), block.end]
    for line in pairwise(edges):
        for start, end in _enumerated(text, *line, 2 if block.kind == "item" else 1):
            yield from _sentences(text, start, end, language)


def _enumerated(text: str, start: int, end: int, number: int) -> Iterator[tuple[int, int]]:
    """text[start:end] cut at "1.", "2.", ... of a list that runs on in one line, their numbers left out.

    `number` is the one to begin with: 1, or 2 where the line is a list item and the first number stands before it.
    """
    found: list[re.Match[str]] = []
    for match in _ENUMERATOR.finditer(text, start, end):
        here, before = int(match.group(1)), text[max(start, match.start() - _REACH) : match.start()]
        goes_on = bool(found) and here == number
        begins = here == number and _CLOSED.search(before)
        begins_anew = here == 1 and before.rstrip().endswith((":", "："))
        if goes_on or begins or begins_anew:
            found.append(match)
            number = here + 1
    if number > 2:  # noqa: PLR2004  # a list has two items at least
        for match in found:
            yield start, match.start()
            start = match.end()
    yield start, end


def _sentences(text: str, start: int, end: int, language: Language) -> Iterator[tuple[int, int]]:
    """Sentence spans of text[start:end]; what holds no word, and leading citation markers, join the one before."""
    found: list[list[int]] = []
    for opening, ending in sentence_spans(text[start:end].replace("\n", " "), language.code):
        first, last = start + opening, start + ending
        if found:
            markers = _LEADING_MARKERS.match(text, first, last)
            if markers:
                found[-1][1] = first = markers.end()
        if first < last and _WORD.search(text, first, last):
            found.append([first, last])
        elif found:
            found[-1][1] = last
    for first, last in found:
        for part in _parted(text, first, last, language):
            yield from _trimmed(text, *part)


def _parted(text: str, first: int, last: int, language: Language) -> Iterator[tuple[int, int]]:
    """A sentence cut after markers that end another one: they follow a colon, or "The" or "In" follows them."""
    for markers in _MARKERS.finditer(text, first, last):
        opening = _OPENING_WORD.match(text, markers.end(), last)
        if opening is None or not opening.group(1)[0].isupper():
            continue
        announced = _ANNOUNCED.search(text, max(first, markers.start() - _REACH), markers.start())
        if announced or opening.group(1).casefold() in language.function_words:
            yield first, markers.end()
            first = markers.end()
    yield first, last


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if _WORD.search(text, start, end):
        yield start, end
