"""Gold passages that the corpus no longer bears out."""

from __future__ import annotations

from collections.abc import Sequence

from ragvet.dataset._corpus import Corpus
from ragvet.dataset._places import find_uncut
from ragvet.records import DocumentVersion, Passage
from ragvet.text import fold_text, shown


def stale_passages(passages: Sequence[Passage], corpus: Corpus) -> dict[int, str]:
    """Index of each passage the corpus no longer bears out → why: its version is gone, its words are, or its range is.

    Such a passage is an annotation to renew, not a failure of the system under test. A passage of a document the
    corpus does not know at all is an error of the golden set instead; one without text cannot be checked.
    """
    reasons = ((index, stale_reason(passage, corpus)) for index, passage in enumerate(passages))
    return {index: reason for index, reason in reasons if reason is not None}


def stale_reason(passage: Passage, corpus: Corpus) -> str | None:
    """Why the corpus no longer bears the passage out; None where it does, or where nobody can tell."""
    document = corpus.get(passage.doc_id, passage.doc_version)
    if document is None:
        versions = [shown(document.version) for document in corpus.versions(passage.doc_id)]
        known = f"{', '.join(versions[:5])}{' …' if len(versions) > 5 else ''}"  # noqa: PLR2004 - enough to recognise
        return f"version {shown(passage.doc_version)} of a document of which there is {known}" if versions else None
    return None if document.text is None else _changed(passage, document, corpus)


def _changed(passage: Passage, document: DocumentVersion, corpus: Corpus) -> str | None:
    text = document.text or ""
    if passage.start is not None and passage.end is not None:
        if passage.end > len(text):
            return f"a range up to {passage.end} in a text of {len(text)} characters"
        there = text[passage.start : passage.end]
        if passage.quote is not None and find_uncut(fold_text(passage.quote), fold_text(there)) < 0:
            return f"{shown(there)} at {passage.start}-{passage.end}, where the quote says {shown(passage.quote)}"
        return None
    if passage.quote is not None and corpus.placed_text(document).find(passage.quote) is None:
        return f"a quote the document does not contain: {shown(passage.quote)}"
    return None
