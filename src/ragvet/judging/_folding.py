from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")
_SURROGATES = re.compile("[\ud800-\udfff]")
ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\uff07", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\uff0d", "-"),
    }
)
_INVISIBLE = frozenset({"Cf", "Cc"})


@dataclass(frozen=True, slots=True)
class Folded:
    """A text with case, accents, typography and white space levelled, and the way back to the original.

    Character `i` of `text` comes from character `origin[i]` of the original; `origin` has one entry more than `text`,
    the length of the original.
    """

    text: str
    origin: Sequence[int]
    length: int

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the folded characters [start, end) stand in the original, combining marks included."""
        if end <= start:
            return self.origin[start], self.origin[start]
        stop = self.origin[end] if end < len(self.text) else self.length
        return self.origin[start], stop


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    if character.isspace():
        return " "
    if "\ud800" <= character <= "\udfff":
        return "\ufffd"
    if unicodedata.category(character) in _INVISIBLE or character == "\u0640":  # format characters, Arabic tatweel
        return ""
    decomposed = unicodedata.normalize("NFKD", character.translate(ALIKE)).casefold()
    return "".join(mark for mark in decomposed if not _is_accent(mark))


def _is_accent(character: str) -> bool:
    return "\u0300" <= character <= "\u036f" or "\u064b" <= character <= "\u0652" or character == "\u0670"


@lru_cache(maxsize=128)
def fold(text: str) -> Folded:
    """`text` as matching sees it: no case, no accents, plain quotes and dashes, single spaces, nothing invisible."""
    pieces: list[str] = []
    origin: list[int] = []
    position = 0
    for run in _PLAIN.finditer(text):
        _fold_others(text, position, run.start(), pieces, origin)
        pieces.append(run.group().lower())
        origin.extend(range(run.start(), run.end()))
        position = run.end()
    _fold_others(text, position, len(text), pieces, origin)
    origin.append(len(text))
    return Folded("".join(pieces), origin, len(text))


def _fold_others(text: str, start: int, end: int, pieces: list[str], origin: list[int]) -> None:
    """Append the characters [start, end) of `text`, none of them plain ASCII, white space collapsed."""
    for position in range(start, end):
        folded = _fold_character(text[position])
        if folded == " " and pieces and pieces[-1].endswith(" "):
            continue
        if folded:
            pieces.append(folded)
            origin.extend([position] * len(folded))


def without_surrogates(text: str) -> str:
    """`text` with each lone surrogate replaced by U+FFFD: same length, and safe to encode."""
    return _SURROGATES.sub("\ufffd", text)
