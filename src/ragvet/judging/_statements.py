"""What a statement does: state a fact, refuse, hand over, ask, talk."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from ragvet.judging._languages import Languages
from ragvet.judging._phrases import PhraseKind
from ragvet.text import fold

StatementKind = Literal["fact", "referral", "refused", "clarified", "routed", "question", "talk"]
NEEDS_EVIDENCE: frozenset[StatementKind] = frozenset({"fact", "referral"})
"""What says something about the world. Questions, refusals, hand-overs, offers and greetings do not."""

_WORD = re.compile(r"\w+")
_NUMERAL = re.compile(r"\d")
_QUESTION = re.compile(r"[?？؟]['\"”’»)*_\]]*\s*$")
_LEAD_IN_WORDS = 12
_TALK_WORDS = 2
_CONTRAST_WORDS = 4
_LONGEST_PHRASE = 400


@lru_cache(maxsize=16)  # claims and behaviour are found in the same answer, one after the other
def statement_kinds(text: str, languages: Languages) -> Callable[[int, int], StatementKind]:
    """A function that says what text[start:end], one statement, does. All phrases are looked for once, here."""
    folded = fold(text)
    found: list[tuple[int, int, PhraseKind]] = sorted(
        (*folded.span(start, end), kind) for start, end, kind in languages.phrases.find(folded.text)
    )

    def kind_of(start: int, end: int) -> StatementKind:
        first = bisect_left(found, start, key=lambda phrase: phrase[0])
        last = bisect_left(found, end, key=lambda phrase: phrase[0])
        return _kind(text[start:end], start, found[first:last])

    return kind_of


def _kind(statement: str, offset: int, phrases: list[tuple[int, int, PhraseKind]]) -> StatementKind:
    bare = statement.strip().rstrip("*_ ")
    kinds = {kind for _, _, kind in phrases}
    asks = _QUESTION.search(bare) is not None
    refers = "referrals" in kinds and (_opens(phrases, "referrals", offset) or not statement.isascii())
    cases: tuple[tuple[bool, StatementKind], ...] = (
        ("routed" in kinds, "routed"),
        ("refused" in kinds and not _goes_on(statement, offset, phrases), "refused"),
        ("clarified" in kinds and (asks or _opens(phrases, "clarified", offset)), "clarified"),
        (asks, "question"),
        ("offers" in kinds or _is_lead_in(bare), "talk"),
        (refers, "referral"),
        ("courtesy" in kinds and _is_courtesy(statement, offset, phrases), "talk"),
    )
    for holds, kind in cases:
        if holds:
            return kind
    return "fact"


def _goes_on(statement: str, offset: int, phrases: list[tuple[int, int, PhraseKind]]) -> bool:
    """Whether a contrast parts a refusal from something stated: "I am not sure, but the fee is waived in June."."""
    refusal = min(start for start, _, kind in phrases if kind == "refused")
    for start, end, kind in phrases:
        stated = statement[end - offset :] if start > refusal else statement[: start - offset]
        if kind == "contrasts" and len(_WORD.findall(stated)) >= _CONTRAST_WORDS:
            return True
    return False


def _opens(phrases: list[tuple[int, int, PhraseKind]], kind: PhraseKind, offset: int) -> bool:
    return any(start - offset <= 2 for start, _, which in phrases if which == kind)  # noqa: PLR2004  # emphasis marks


def _is_lead_in(bare: str) -> bool:
    short = len(bare) < _LONGEST_PHRASE and len(bare.split()) <= _LEAD_IN_WORDS
    return bare.endswith((":", "：")) and short and not _NUMERAL.search(bare)


def _is_courtesy(statement: str, offset: int, phrases: list[tuple[int, int, PhraseKind]]) -> bool:
    rest = statement
    for start, end, kind in phrases:
        if kind == "courtesy":
            first, last = start - offset, end - offset
            rest = rest[:first] + " " * (last - first) + rest[last:]
    words = _WORD.findall(rest)
    return sum(len(word) > 1 for word in words) <= _TALK_WORDS and not _NUMERAL.search(rest)
