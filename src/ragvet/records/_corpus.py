"""What the system under test may draw from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ragvet.records._record import Day, Record


class DocumentVersion(Record):
    """One version of one document. `text` may be absent where only the register is known."""

    doc_id: str = Field(min_length=1)
    version: str | None = None
    title: str | None = None
    text: str | None = None
    owner: str | None = None
    authority: str | None = None
    rights: str | None = None
    valid_from: Day | None = None
    valid_until: Day | None = None
    status: Literal["draft", "current", "superseded", "archived"] | None = None
    audience: tuple[str, ...] | None = Field(default=None, description="Groups that may read it; None: not stated.")
