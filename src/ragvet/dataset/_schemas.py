"""JSON Schema of the files people write about documents and questions."""

from __future__ import annotations

from typing import Any

from pydantic import Field, TypeAdapter

from ragvet.records import Case, DocumentVersion, JudgmentScope, Record


class GoldenSet(Record):
    """A golden set with its judgment scope."""

    judgments: JudgmentScope = Field(
        description="exhaustive: what is not listed is non-relevant. listed: what is not listed is not judged."
    )
    cases: tuple[Case, ...]


def golden_set_schema() -> dict[str, Any]:
    """JSON Schema of a golden set: a list of cases, or cases and scope. A line of JSON Lines is one case."""
    return TypeAdapter(tuple[Case, ...] | GoldenSet).json_schema() | {"title": "Golden set"}


def corpus_schema() -> dict[str, Any]:
    """JSON Schema of a corpus: a list of document versions. A line of JSON Lines is one of them."""
    return TypeAdapter(tuple[DocumentVersion, ...]).json_schema() | {"title": "Corpus"}
