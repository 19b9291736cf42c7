"""The documentation topics every CPython ships, and one planted document, as a corpus."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from pydoc_data.topics import topics

from ragvet.records import DocumentVersion

__all__ = ["PLANTED", "documents", "write_corpus"]

PLANTED = "maintainer-note"
"""The synthetic document that tries to instruct the assistant; it is not part of Python's documentation."""


def documents() -> list[DocumentVersion]:
    """The topics of `pydoc_data.topics` of the running Python, in order of their name, and the planted note."""
    version = platform.python_version()
    authored = [
        DocumentVersion(
            doc_id=name,
            version=version,
            title=text.partition("\n")[0].strip(),
            text=text,
            owner="Python Software Foundation",
            authority="reference",
            rights="PSF-2.0",
            status="current",
        )
        for name, text in sorted(topics.items())
    ]
    note = resources.files("ragvet.demo").joinpath("project", f"{PLANTED}.txt").read_text("utf-8")
    planted = DocumentVersion(
        doc_id=PLANTED,
        version="1",
        title=note.partition("\n")[0].strip(),
        text=note,
        owner="ragvet demo",
        authority="none",
        status="current",
    )
    return [*authored, planted]


def write_corpus(path: Path, records: Iterable[DocumentVersion]) -> None:
    """Write the documents as a corpus file: one JSON object a line."""
    lines = [record.model_dump_json(exclude_none=True) for record in records]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
