"""Phrases of a language, looked for all at once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal, get_args

from ragvet.text import fold

PhraseKind = Literal["refused", "clarified", "routed", "referrals", "offers", "courtesy", "contrasts"]
PHRASE_KINDS: tuple[PhraseKind, ...] = get_args(PhraseKind)

_PLACEHOLDER = re.compile(r"\*|\{source\}")
_GAP = r"[^.!?。！？؟।\n]{0,40}?"
_OPENING = 4


@dataclass(frozen=True, eq=False)
class Phrase:
    """A phrase to look for in folded text: an expression, and its longest literal part for a quick first look."""

    kind: PhraseKind
    anchor: str
    expression: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when its anchor is met first: of a thousand phrases an answer meets a few."""
        return re.compile(self.expression)

    @classmethod
    def read(cls, kind: PhraseKind, phrase: str, sources: Sequence[str]) -> Phrase:
        """A phrase as people write it in a language file.

        `*` stands for a few words of the same sentence (at the start: the phrase may begin inside a word), `{source}`
        for one of `sources`.
        """
        parts = [fold(part).text.strip() for part in _PLACEHOLDER.split(phrase)]
        gaps = _PLACEHOLDER.findall(phrase)
        one_source = "(?:" + "|".join(sorted(map(re.escape, sources), key=len, reverse=True)) + ")"
        body = re.escape(parts[0])
        for gap, part in zip(gaps, parts[1:], strict=True):
            body += (_GAP if body else "") if gap == "*" else rf"\s?{one_source}\s?"
            body += re.escape(part)
        if phrase[0] != "*" and fold(phrase[0]).text.isascii():
            body = rf"(?<!\w){body}"
        if fold(phrase[-1]).text.isascii():
            body = rf"{body}(?!\w)"
        return cls(kind, max(parts, key=len), body)


class Phrases:
    """Many phrases, arranged so that a text is held only against the few whose opening stands in it."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._short: list[Phrase] = []
        self._by_opening: defaultdict[str, list[Phrase]] = defaultdict(list)
        for phrase in phrases:
            opening = phrase.anchor[:_OPENING]
            (self._by_opening[opening] if len(opening) == _OPENING else self._short).append(phrase)

    def find(self, folded: str) -> Iterator[tuple[int, int, PhraseKind]]:
        """Every place in the folded text that holds one of the phrases, as (start, end, kind), in no order."""
        windows = map("".join, zip(*(folded[start:] for start in range(_OPENING)), strict=False))
        opened = (phrase for opening in self._by_opening.keys() & windows for phrase in self._by_opening[opening])
        for phrase in chain(self._short, opened):
            if phrase.anchor in folded:
                for match in phrase.pattern.finditer(folded):
                    yield *match.span(), phrase.kind
