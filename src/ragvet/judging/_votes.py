"""How the rulings of several judges on one question become one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ragvet.judging._context import CONTEXT_ID
from ragvet.records import (
    AddressedRuling,
    AgreementRuling,
    ConflictsRuling,
    CoverageRuling,
    PassageRuling,
    Question,
    Ruling,
    SourceConflict,
    SupportRuling,
)
from ragvet.records.lattice import OPEN, of_passages, vote

STAGE = "panel"


def combined(question: Question, said: Sequence[Ruling | None], needed: int) -> Ruling | None:
    """The ruling that at least `needed` judges carry, else that it is undecided; None where no judge decides it."""
    if not any(said):
        return None
    match question.kind:
        case "support" | "citation" | "reference":
            return _support(question, [one if isinstance(one, SupportRuling) else None for one in said], needed)
        case "coverage":
            return _coverage([one if isinstance(one, CoverageRuling) else None for one in said], needed)
        case "agreement":
            return _agreement([one if isinstance(one, AgreementRuling) else None for one in said], needed)
        case "addressed" | "relevance":
            told = [one.addresses if isinstance(one, AddressedRuling) else None for one in said]
            return AddressedRuling(vote(told, needed), STAGE)
        case "conflicts":
            looked = [one.conflicts for one in said if isinstance(one, ConflictsRuling) and one.conflicts is not None]
            return ConflictsRuling(_conflicts(looked, needed), STAGE)


def _support(question: Question, said: Sequence[SupportRuling | None], needed: int) -> SupportRuling:
    """The rows of those who carried the vote, one for each passage; all of them undecided where nobody did."""
    votes = ["undecided" if one is None else of_passages(row.verdict for row in one.passages).told for one in said]
    won = vote([None if told in OPEN else told for told in votes], needed)
    rows: dict[str, PassageRuling] = {}
    for one, told in zip(said, votes, strict=True):
        for row in () if one is None else one.passages:
            if won is None or (told == won and row.verdict == won):
                rows.setdefault(row.passage, row)
    if won is not None:
        return SupportRuling(tuple(rows.values()), STAGE)
    somewhere = question.texts[0].id if len(question.texts) == 1 else CONTEXT_ID
    split = _split(votes)
    undecided = [replace(row, verdict="undecided", quote=None, reason=split, score=None) for row in rows.values()]
    return SupportRuling(tuple(undecided) or (PassageRuling(somewhere, "undecided", reason=split),), STAGE)


def _coverage(said: Sequence[CoverageRuling | None], needed: int) -> CoverageRuling:
    votes = ["undecided" if one is None else one.verdict for one in said]
    won = vote([None if told == "undecided" else told for told in votes], needed)
    chosen = next((one for one in said if one is not None and one.verdict == won), None)
    return CoverageRuling("undecided", None, _split(votes), STAGE) if chosen is None else replace(chosen, stage=STAGE)


def _agreement(said: Sequence[AgreementRuling | None], needed: int) -> AgreementRuling:
    votes = ["undecided" if one is None else one.verdict for one in said]
    won = vote([None if told == "undecided" else told for told in votes], needed)
    chosen = next((one for one in said if one is not None and one.verdict == won), None)
    return AgreementRuling("undecided", _split(votes), STAGE) if chosen is None else replace(chosen, stage=STAGE)


def _conflicts(looked: Sequence[tuple[SourceConflict, ...]], needed: int) -> tuple[SourceConflict, ...] | None:
    """Conflicts between two passages that enough judges saw; None where too few looked for any."""
    if len(looked) < needed:
        return None
    seen = Counter(pair for found in looked for pair in {frozenset(conflict.passages) for conflict in found})
    agreed: dict[frozenset[str], SourceConflict] = {}
    for conflict in (conflict for found in looked for conflict in found):
        pair = frozenset(conflict.passages)
        if seen[pair] >= needed and pair not in agreed:
            told = [one.surfaced for found in looked for one in found if frozenset(one.passages) == pair]
            agreed[pair] = conflict.model_copy(update={"surfaced": vote(told, needed)})
    return tuple(agreed.values())


def _split(votes: Sequence[str]) -> str:
    return f"the panel is split: {', '.join(votes)}"
