"""Documents cut into chunks that know where they came from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ragvet.records import DocumentVersion

__all__ = ["CHUNK_SIZE", "Chunk", "chunks", "paragraphs"]

CHUNK_SIZE = 800
"""Characters a chunk aims at: whole paragraphs are joined until the next one would exceed it."""

_PARAGRAPH = re.compile(r"(?:.+\n?)+")


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is indexed: `text` is `start`:`end` of the document, so that gold evidence can be found in it."""

    chunk_id: str
    document: DocumentVersion
    start: int
    end: int
    text: str


def chunks(documents: Iterable[DocumentVersion]) -> Iterator[Chunk]:
    """Every chunk of every document, in order; ids are `document#number`, counted from 1."""
    for document in documents:
        text = document.text or ""
        for number, (start, end) in enumerate(_spans(text), start=1):
            yield Chunk(f"{document.doc_id}#{number}", document, start, end, text[start:end])


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every run of lines between blank lines."""
    return (match.span() for match in _PARAGRAPH.finditer(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = end = None
    for paragraph_start, paragraph_end in paragraphs(text):
        if start is not None and end is not None and paragraph_end - start > CHUNK_SIZE:
            yield start, end
            start = None
        start = paragraph_start if start is None else start
        end = paragraph_end
    if start is not None and end is not None:
        yield start, end
