"""What can be read of cases that cannot be used: their evidence is checked along with that of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError

from ragvet.files import RawRecord
from ragvet.records import Case, Passage

UNREADABLE = Passage.model_construct(doc_id="")
"""Keeps the place of a passage that cannot be read; no passage that can has an empty document id."""


def salvaged(raw: Sequence[RawRecord], good: Sequence[tuple[Case, RawRecord]]) -> list[tuple[Case, RawRecord]]:
    """The evidence of every record that is no good case, each as far as it can be read."""
    used = {id(record) for _, record in good}
    return [
        (_case(cast("Mapping[str, Any]", record.value), record), record)
        for record in raw
        if id(record) not in used and isinstance(record.value, Mapping)
    ]


def _case(value: Mapping[str, Any], record: RawRecord) -> Case:
    passages = value.get("reference_passages")
    listed = cast("list[Any]", passages) if isinstance(passages, list) else [] if passages is None else [None]
    return Case.model_construct(
        id=record.id() or record.name(),
        question="",
        category="",
        expected_behaviour="refuse",
        reference_passages=tuple(_passage(passage) for passage in listed),
    )


def _passage(value: Any) -> Passage:
    try:
        return Passage.model_validate(value)
    except ValidationError:
        return UNREADABLE
