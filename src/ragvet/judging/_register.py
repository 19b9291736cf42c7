"""What is known about documents outside the trace."""

from __future__ import annotations

from typing import Protocol

from ragvet.records import DocumentVersion


class Register(Protocol):
    """What is known about the documents outside the trace; a `Corpus` is one."""

    @property
    def fingerprint(self) -> str:
        """Of the content: it is part of the fingerprint of a judge that looks citations up here."""
        ...

    def get(self, doc_id: str, version: str | None = None) -> DocumentVersion | None:
        """The version asked for, or the only or newest one; None: no such document or version."""
        ...

    def __contains__(self, doc_id: object) -> bool: ...
