"""How the gold passages of a case stand to the corpus, to the caller and to the date of the question."""

from __future__ import annotations

from dataclasses import dataclass

from ragvet.dataset._corpus import Corpus
from ragvet.dataset._stale import stale_passages
from ragvet.records import Case

__all__ = ["Standing", "standing"]


@dataclass(frozen=True, slots=True)
class Standing:
    """Indexes of the gold passages of a case of which something is known to be amiss.

    Attributes:
        stale: the corpus no longer bears them out: an annotation to renew. They count neither for nor against a target.
        denied: the caller may not read their document: nothing a target should find.
        lapsed: their document is not in force on the date of the question.
    """

    stale: frozenset[int] = frozenset()
    denied: frozenset[int] = frozenset()
    lapsed: frozenset[int] = frozenset()


def standing(case: Case, corpus: Corpus | None) -> Standing:
    """What the corpus says about the gold passages of a case; without a corpus nothing is known to be amiss."""
    if corpus is None:
        return Standing()
    documents = [corpus.get(passage.doc_id, passage.doc_version) for passage in case.reference_passages]
    held = [(index, document) for index, document in enumerate(documents) if document is not None]
    return Standing(
        stale=frozenset(stale_passages(case.reference_passages, corpus)),
        denied=frozenset(index for index, document in held if document.readable_by(case.identity) is False),
        lapsed=frozenset(index for index, document in held if document.in_force(case.effective_date) is False),
    )
