"""What the system under test may draw from."""

from __future__ import annotations

from datetime import date
from typing import Literal, Self

from pydantic import Field, model_validator

from ragvet.records._case import Identity
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
    status: Literal["draft", "current", "superseded", "archived", "withdrawn"] | None = None
    audience: tuple[str, ...] | None = Field(default=None, description="Groups that may read it; None: not stated.")

    @model_validator(mode="after")
    def _in_this_order(self) -> Self:
        if self.valid_from is not None and self.valid_until is not None and self.valid_until < self.valid_from:
            raise ValueError(f"valid_until ({self.valid_until}) no earlier than valid_from ({self.valid_from})")
        return self

    def in_force(self, on: date | None) -> bool | None:
        """Whether the version held on that day; None: nobody can tell.

        Dates decide where the version has any and the day is known: a superseded version that was valid on that day is
        the right one. Else the status decides.
        """
        if on is not None and (self.valid_from is not None or self.valid_until is not None):
            return (self.valid_from or date.min) <= on <= (self.valid_until or date.max)
        return None if self.status is None else self.status == "current"

    def readable_by(self, identity: Identity | None) -> bool | None:
        """Whether the caller may read it; None: nothing is stated about the one or the other."""
        if self.audience is None or identity is None:
            return None
        return identity.id in self.audience or not set(identity.groups).isdisjoint(self.audience)
