"""Rules about the golden set itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ragvet.dataset._corpus import Corpus
from ragvet.dataset._dataset import Dataset
from ragvet.dataset._likeness import near_duplicates
from ragvet.errors import Problem
from ragvet.records import Split
from ragvet.text import canonical_id, shown


def undeclared_scope(dataset: Dataset, _corpus: Corpus | None) -> Iterator[Problem]:
    """Nobody has said what it means that a document is not listed; there is no default."""
    if dataset.judgments is None:
        yield Problem(
            dataset.source,
            "nothing",
            "exhaustive (whatever is not listed is non-relevant) or listed (whatever is not listed is not judged)",
            'Write {"judgments": "listed", "cases": [ … ]} in the golden set, or judgments = "listed" under [dataset] '
            "in ragvet.toml; `ragvet check` takes --judgments as well. Not sure? Then listed.",
            field="judgments",
        )


def split_groups(dataset: Dataset, _corpus: Corpus | None) -> Iterator[Problem]:
    """Groups of belonging-together questions that stand in several splits."""
    splits: dict[str, dict[Split, None]] = defaultdict(dict)
    for case in dataset:
        if case.group is not None and case.split is not None:
            splits[case.group][case.split] = None
    for group, among in splits.items():
        if len(among) > 1:
            yield Problem(
                dataset.source,
                f"cases in {', '.join(among)}",
                "one split for a group",
                "Move the group into one split: what was tuned on one of its questions is not tested by another.",
                record=f"group {shown(group)}",
                field="split",
            )


def near_duplicate_questions(dataset: Dataset, _corpus: Corpus | None) -> Iterator[Problem]:
    """Questions that ask almost the same in different splits, or without sharing a group."""
    for case, other in near_duplicates(dataset.cases):
        crossing = case.split != other.split
        yield Problem(
            dataset.source,
            f"almost the words of {shown(other.id)}{f', which is in split {other.split}' if crossing else ''}",
            "near-duplicates in one split" if crossing else "near-duplicates in one group",
            "Move one of them, or drop it." if crossing else "Give both the same group, or drop one.",
            record=dataset.place(case),
            field="question",
        )


def similar_ids(dataset: Dataset, _corpus: Corpus | None) -> Iterator[Problem]:
    """Case ids that differ only by case, unicode form, outer spaces or leading zeros."""
    first: dict[str, str] = {}
    for case in dataset:
        other = first.setdefault(canonical_id(case.id), case.id)
        if other != case.id:
            yield Problem(
                dataset.source,
                f"an id that differs from {shown(other)} only in form",
                "ids that cannot be mistaken for each other",
                "Rename one of them.",
                record=dataset.place(case),
                field="id",
            )
