"""Which questions take their wording from the evidence; retrieval finds those more easily than people's own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ragvet.dataset._corpus import Corpus
from ragvet.dataset._likeness import words_of
from ragvet.records import Case, Passage

SHORTEST = 5
"""Least number of words in a row for a question to copy its evidence; they must also be half of the question."""


def copying(cases: Iterable[Case], corpus: Corpus | None) -> dict[str, bool]:
    """Case id → whether half of the question's words, and at least five, stand in a row in a relevant passage.

    The text looked at is the passage's quote, else its whole document. Cases without any, and questions of fewer than
    five words, are left out: nothing can be said of them.
    """
    documents: dict[tuple[str, str | None], str] = {}

    def evidence(passage: Passage) -> str | None:
        if passage.quote is not None:
            return _joined(passage.quote)
        document = None if corpus is None else corpus.get(passage.doc_id, passage.doc_version)
        if document is None or document.text is None:
            return None
        key = (document.doc_id, document.version)
        if key not in documents:
            documents[key] = _joined(document.text)
        return documents[key]

    found: dict[str, bool] = {}
    for case in cases:
        question = words_of(case.question)
        texts = [evidence(passage) for passage in case.reference_passages if passage.grade > 0]
        known = [text for text in texts if text is not None]
        if len(question) >= SHORTEST and known:
            found[case.id] = any(_copies(question, text) for text in known)
    return found


def _joined(text: str) -> str:
    return f" {' '.join(words_of(text))} "


def _copies(question: Sequence[str], evidence: str) -> bool:
    run = max(SHORTEST, math.ceil(len(question) / 2))
    return any(f" {' '.join(question[start : start + run])} " in evidence for start in range(len(question) - run + 1))
