"""Extractive answers: the sentences of the best chunks that share most with the question, each with its citation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import sentencex

from ragvet.demo._chunks import Chunk, paragraphs
from ragvet.demo._index import Index, words
from ragvet.records import Citation

__all__ = ["MOST_SENTENCES", "Extract", "extract"]

MOST_SENTENCES = 3

_split = cast("Callable[[str, str], list[str]]", sentencex.segment)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] it ships without types
_SHORTEST = 4  # words; headings and fragments answer nothing
_TYPICAL = 40  # words; a sentence of this length is marked down by half for its length


@dataclass(frozen=True, slots=True)
class Extract:
    """An answer text with the citations of its sentences."""

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    source: int  # place of its chunk among those supplied
    match: float


def extract(question: str, supplied: Sequence[Chunk], index: Index) -> Extract:
    """The best sentences of the supplied chunks, in the order of the chunks, marked [1], [2] … by chunk."""
    ranked = sorted(_matches(question, supplied, index), key=lambda sentence: -sentence.match)
    first = {
        sentence.text: sentence for sentence in reversed(ranked)
    }  # the documents repeat each other: once is enough
    chosen = sorted(first.values(), key=lambda sentence: -sentence.match)[:MOST_SENTENCES]
    text = ""
    citations: list[Citation] = []
    for sentence in sorted(chosen, key=lambda sentence: sentence.source):
        text += " " if text else ""
        marker = f"[{sentence.source + 1}]"
        citations.append(_citation(supplied[sentence.source], marker, len(text), len(text) + len(sentence.text)))
        text += f"{sentence.text} {marker}"
    return Extract(text, tuple(citations))


def _matches(question: str, supplied: Sequence[Chunk], index: Index) -> Iterator[_Sentence]:
    """Every sentence with a word of the question, and how well it matches: rare words count most, length against."""
    asked = {word: index.rarity(word) for word in words(question)}
    for place, chunk in enumerate(supplied):
        for sentence in _sentences(chunk.text):
            known = set(words(sentence))
            shared = sum(weight for word, weight in asked.items() if word in known)
            if shared > 0 and len(known) >= _SHORTEST:
                yield _Sentence(sentence, place, shared / (1 + len(known) / _TYPICAL))


def _sentences(text: str) -> Iterator[str]:
    for start, end in paragraphs(text):
        yield from (sentence.strip() for sentence in _split("en", " ".join(text[start:end].split())))


def _citation(chunk: Chunk, marker: str, start: int, end: int) -> Citation:
    return Citation(
        chunk_id=chunk.chunk_id,
        doc_id=chunk.document.doc_id,
        doc_version=chunk.document.version,
        marker=marker,
        start=start,
        end=end,
    )
