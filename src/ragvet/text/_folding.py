"""Text as matching sees it, with the way back."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Folded", "fold", "fold_text", "plain_typography", "without_surrogates"]

_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")
_SURROGATES = re.compile("[\ud800-\udfff]")
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\uff07", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\uff0d", "-"),
    }
)
_INVISIBLE = frozenset({"Cf", "Cc"})
_TATWEEL = "\u0640"
"""Arabic stretching, which says nothing."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A text with case, accents, typography and white space levelled, and the way back to the original.

    Character `i` of `text` comes from character `origin[i]` of the original; `origin` has one entry more than `text`,
    the length of the original.
    """

    text: str
    origin: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the folded characters [start, end) stand in the original, combining marks included."""
        if end <= start:
            return self.origin[start], self.origin[start]
        return self.origin[start], max(self.origin[end], self.origin[end - 1] + 1)


class _FoldedCharacters(dict[int, str]):
    """Code point → what is left of it; worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_character(chr(code))
        return folded


_FOLDED = _FoldedCharacters()


def _fold_character(character: str) -> str:
    if character.isspace():
        return " "
    if "\ud800" <= character <= "\udfff":
        return "\ufffd"
    if unicodedata.category(character) in _INVISIBLE or character == _TATWEEL:
        return ""
    decomposed = unicodedata.normalize("NFKD", plain_typography(character)).casefold()
    kept = "".join(mark for mark in decomposed if not _is_accent(mark))
    return kept.strip() or kept[:1]


def _is_accent(character: str) -> bool:
    return "\u0300" <= character <= "\u036f" or "\u064b" <= character <= "\u0652" or character == "\u0670"


@lru_cache(maxsize=128)
def fold(text: str) -> Folded:
    """`text` as matching sees it: no case, no accents, plain quotes and dashes, single spaces, nothing invisible."""
    if text.isascii():
        folded = text.translate(_FOLDED)
        if len(folded) == len(text) and "  " not in folded:
            return Folded(folded, range(len(text) + 1))
    pieces: list[str] = []
    origin = array("I")
    position = 0
    for run in _PLAIN.finditer(text):
        _fold_others(text, position, run.start(), pieces, origin)
        pieces.append(run.group().lower())
        origin.extend(range(run.start(), run.end()))
        position = run.end()
    _fold_others(text, position, len(text), pieces, origin)
    origin.append(len(text))
    return Folded("".join(pieces), origin)


def _fold_others(text: str, start: int, end: int, pieces: list[str], origin: array[int]) -> None:
    """Append the characters [start, end) of `text`, none of them plain ASCII, white space collapsed."""
    for position in range(start, end):
        folded = _FOLDED[ord(text[position])]
        if folded == " " and pieces and pieces[-1].endswith(" "):
            continue
        if folded:
            pieces.append(folded)
            origin.extend([position] * len(folded))


def fold_text(text: str) -> str:
    """The text of `fold` alone, without spaces at its ends."""
    return " ".join(text.translate(_FOLDED).split())


def plain_typography(text: str) -> str:
    """`text` with typographic quotes and dashes as plain ones: same length."""
    return text.translate(_ALIKE)


def without_surrogates(text: str) -> str:
    """`text` with each lone surrogate replaced by U+FFFD: same length, and safe to encode."""
    return _SURROGATES.sub("\ufffd", text)
