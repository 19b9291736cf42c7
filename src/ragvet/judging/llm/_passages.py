"""The judged texts under the short ids the model knows them by, cut to what fits one request and never shortened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ragvet.records import Setting, ShownText

NamedText = tuple[str, str]
"""Id and text of one judged text."""

T = TypeVar("T")

_BREAK = re.compile(r"\n\s*|(?<=[.!?。！？।])\s*")


@dataclass(frozen=True, slots=True)
class PassagePart:
    """A passage, or a piece of one that is too long for a request."""

    id: str
    source: ShownText
    text: str

    @property
    def named(self) -> NamedText:
        """The part as shown, its title before it."""
        return self.id, f"Title: {self.source.title}\n{self.text}" if self.source.title else self.text


def passage_parts(passages: Iterable[ShownText], longest: int) -> tuple[PassagePart, ...]:
    """Every passage as p1, p2, …; one longer than `longest` characters in pieces without overlap, nothing left out."""
    cut = [(passage, text) for passage in passages for text in pieces(passage.text, longest)]
    return tuple(PassagePart(f"p{number}", passage, text) for number, (passage, text) in enumerate(cut, start=1))


def pieces(text: str, longest: int) -> Iterator[str]:
    """`text` in pieces of at most `longest` characters, cut at line or sentence ends or spaces; joined they are it."""
    start = 0
    while len(text) - start > longest:
        middle, last = start + max(longest // 2, 1), start + longest
        ends = [match.end() for match in _BREAK.finditer(text, middle, last)]
        end = ends[-1] if ends else text.rfind(" ", middle, last) + 1 or last
        yield text[start:end]
        start = end
    yield text[start:]


def passage_groups(parts: Sequence[PassagePart], most: int) -> Iterator[tuple[PassagePart, ...]]:
    """The parts in order, in runs of at most `most` characters, at least one part each."""
    run: list[PassagePart] = []
    size = 0
    for part in parts:
        length = len(part.named[1])
        if run and size + length > most:
            yield tuple(run)
            run, size = [], 0
        run.append(part)
        size += length
    if run:
        yield tuple(run)


def batches(rows: Sequence[T], size: int) -> list[Sequence[T]]:
    """`rows` in order, `size` at a time."""
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def setting_texts(setting: Setting) -> tuple[NamedText, ...]:
    """The question, and the conversation it stands in where there is one."""
    history = "\n".join(f"{turn.role}: {turn.content}" for turn in setting.history)
    return (("history", history), ("question", setting.question)) if history else (("question", setting.question),)
