"""The corpus: a frozen set of document versions, from a register file or a folder of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ragvet.dataset._fingerprint import fingerprint
from ragvet.dataset._ids import KnownIds, Moved
from ragvet.dataset._places import PlacedText
from ragvet.dataset._validation import validate
from ragvet.errors import InputError, Problem
from ragvet.files import RawFile, plain_suffix, read_records, read_text
from ragvet.heap import rare_collections
from ragvet.records import DocumentVersion
from ragvet.text import shown

_TEXT_FILES = frozenset({".md", ".markdown", ".txt", ".rst"})


@dataclass(frozen=True)
class Corpus:
    """Document versions the system under test may draw from.

    Attributes:
        documents: in the order of the source.
        source: where they come from, as the user named it.
    """

    documents: tuple[DocumentVersion, ...]
    source: str = "documents"

    @classmethod
    def of(cls, documents: Iterable[DocumentVersion | Mapping[str, Any]]) -> Corpus:
        """A corpus made in Python, held to the same rules as a file.

        Raises:
            InputError: with every problem found.
        """
        file = RawFile("documents")
        for document in documents:
            file.add(document, None)
        return _build(file)

    @property
    def fingerprint(self) -> str:
        """Hash of what the documents say; file format, key order and document order do not matter."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self.documents, {})

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[DocumentVersion]:
        return iter(self.documents)

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._versions

    def versions(self, doc_id: str) -> tuple[DocumentVersion, ...]:
        """All versions of a document, in the order of the source; none where it is unknown."""
        return self._versions.get(doc_id, ())

    def get(self, doc_id: str, version: str | None = None) -> DocumentVersion | None:
        """The document version; without `version` the only one, else the last with status current, else the last.

        A document the corpus keeps without a version answers for any: versions count only where both sides state one.
        """
        versions = self._versions.get(doc_id, ())
        if version is not None:
            held = {document.version: document for document in versions}
            return held.get(version) or held.get(None)
        current = [document for document in versions if document.status == "current"]
        return (current or versions or (None,))[-1]

    def resembling(self, doc_id: str) -> str | None:
        """The known id that an unknown one most likely stands for; None where none is close."""
        return self._known.resembling(doc_id)

    def moved(self, doc_id: str) -> Moved | None:
        """The known id that an unknown one is but for the folders in front of one of them; None where none is."""
        return self._known.moved(doc_id)

    def placed_text(self, document: DocumentVersion) -> PlacedText:
        """The document's text, ready for looking up spans; kept, as many cases ask about the same documents."""
        key = (document.doc_id, document.version)
        if key not in self._texts:
            self._texts[key] = PlacedText(document.text or "")
        return self._texts[key]

    @cached_property
    def _texts(self) -> dict[tuple[str, str | None], PlacedText]:
        return {}

    @cached_property
    def _versions(self) -> dict[str, tuple[DocumentVersion, ...]]:
        grouped: dict[str, list[DocumentVersion]] = {}
        for document in self.documents:
            grouped.setdefault(document.doc_id, []).append(document)
        return {doc_id: tuple(versions) for doc_id, versions in grouped.items()}

    @cached_property
    def _known(self) -> KnownIds:
        return KnownIds(self._versions)


def load_corpus(path: str | Path) -> Corpus:
    r"""The corpus in a JSON Lines (also JSON, YAML) or Parquet file, packed or not, or a folder of texts.

    In a folder every `.md`, `.markdown`, `.rst` and `.txt` file is one document, whatever its depth; its id is its path
    inside the folder, with slashes. Hidden files and folders are left out. Line ends become ``\n``.

    Raises:
        InputError: with every problem found.
    """
    path = Path(path)
    if path.is_dir():
        return _build(_read_folder(path))
    if plain_suffix(path) in _TEXT_FILES:
        found, action = "a single text file", "Name the folder it is in."
        raise InputError(Problem(str(path), found, "a folder of texts, or a register file", action))
    with rare_collections():
        return _build(read_records(path, records_key="documents"))


def _read_folder(folder: Path) -> RawFile:
    file = RawFile(str(folder))
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.suffix.lower() not in _TEXT_FILES or any(part.startswith(".") for part in inside.parts):
            continue
        if not path.is_file():
            continue
        try:
            text = read_text(path).replace("\r\n", "\n").replace("\r", "\n")
        except InputError as error:
            file.problems += error.problems
            continue
        file.add({"doc_id": inside.as_posix(), "text": text}, None)
    return file


def _build(file: RawFile) -> Corpus:
    for key in file.header:
        file.problem(f"the key {key!r} beside the documents", "documents alone", "Remove it.")
    placed, invalid = validate(DocumentVersion, file.records, file.source, id_field="doc_id")
    if not file.records and not file.problems:
        file.problem("no documents", "at least one document", "Check that this is the right path.")
    problems = [*file.problems, *invalid]
    first: dict[tuple[str, str | None], str] = {}
    for document, record in placed:
        key = (document.doc_id, document.version)
        name = record.name("doc_id")
        if key in first:
            which = shown(document.doc_id) if document.version is None else f"{shown(key[0])}, version {shown(key[1])},"
            problems.append(
                Problem(
                    file.source,
                    f"{which} already given by {first[key]}",
                    "each document version once",
                    "Remove the copy, or give it a version of its own.",
                    record=name,
                    field="doc_id",
                )
            )
        first.setdefault(key, name)
    if problems:
        raise InputError(problems)
    return Corpus(tuple(document for document, _ in placed), file.source)
