"""Answers that a run can take: what must fit the corpus and the golden set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragvet.dataset import Corpus
from ragvet.errors import TargetReplyInvalid
from ragvet.records import Answer, Case, RetrievedItem

__all__ = ["Admission"]

_NAMED = 5
"""Unknown ids a message names."""


class Admission:
    """Checks an answer against the corpus: a document that is not there cannot have been retrieved.

    A bare id stands for a document, unless the golden set marks evidence by chunk ids: chunks are the system's own, and
    nobody else knows which ones there are.
    """

    def __init__(self, corpus: Corpus | None, cases: Iterable[Case]) -> None:
        self._corpus = corpus
        self._bare_ids_are_documents = not any(
            passage.chunk_ids for case in cases for passage in case.reference_passages
        )

    def check(self, answer: Answer) -> None:
        """Returns if every document is known.

        Raises:
            TargetReplyInvalid: some are not; the message names them.
        """
        if self._corpus is None:
            return
        names = {self._document(item) for item in _items(answer)}
        unknown = sorted(name for name in names if name is not None and name not in self._corpus)
        moved = [self._corpus.moved(name) for name in unknown]
        if unknown and all(moved):
            patterns = sorted({(found.folders, found.added) for found in moved if found is not None})
            raise TargetReplyInvalid(
                "retrieved documents that the corpus knows "
                + ", or ".join(f"with{'out' if added else ''} {folders!r} in front" for folders, added in patterns)
                + ": return its doc_id, which in a folder is the path from there"
            )
        if unknown:
            named = ", ".join(_with_resembling(name, self._corpus) for name in unknown[:_NAMED])
            more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
            raise TargetReplyInvalid(
                f"retrieved documents the corpus does not know: {named}{more}. "
                "A bare id stands for a document; for chunks return items with doc_id and text"
            )

    def _document(self, item: RetrievedItem) -> str | None:
        """The document an item claims to come from; None where it does not say."""
        if item.doc_id is not None:
            return item.doc_id
        bare = item.text is None and self._bare_ids_are_documents
        return item.chunk_id if bare else None


def _items(answer: Answer) -> Iterator[RetrievedItem]:
    for call in answer.retrievals:
        yield from call.items
        yield from call.reranked or ()
    yield from answer.supplied or ()


def _with_resembling(name: str, corpus: Corpus) -> str:
    near = corpus.resembling(name)
    return repr(name) if near is None else f"{name!r} (did it mean {near!r}?)"
