"""One entry of a policy, whatever it is about: a bound, and who agreed to it, when and why."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, SerializeAsAny, model_validator

from ragvet.records import Record

__all__ = ["NO_GAP", "NO_THRESHOLD", "OWN", "STRATUM", "Entry", "Placed", "Table", "Words"]

Words = Annotated[str, Field(min_length=1, pattern=r"\S")]
Table = Literal["rule", "critical"]

NO_THRESHOLD = "min or max, or both: a rule without a threshold asks for nothing"
NO_GAP = "min no greater than max"
OWN = frozenset({"subject", "metric", "statistic", "min", "max", "why"})
"""What an entry says for itself; everything else may stand once for all of them, in `[defaults]`."""

STRATUM = '"all", "every", "every label" (e.g. "every category") or "label=value"'


class Entry(Record):
    """One bound with the terms under which it decides. There is no default: every number is somebody's decision."""

    model_config = ConfigDict(strict=True)

    subject: str = Field(description="what it is about: a score, what must have been tested …")
    min: float | None = Field(default=None, description="the smallest value that passes")
    max: float | None = Field(default=None, description="the largest value that passes")
    agreed_by: Words = Field(description="who agreed to it")
    agreed_on: date = Field(description="the day it was agreed, before measuring, e.g. 2026-03-01 without quotes")
    why: Words = Field(description="why this number, in a sentence")

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.min is None and self.max is None:
            raise ValueError(NO_THRESHOLD)
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"{NO_GAP}, not {self.min:g} and {self.max:g}")
        return self

    @property
    def threshold(self) -> str:
        """As it reads: ≥ 0.9."""
        return " and ".join(
            f"{sign} {bound:g}" for sign, bound in (("≥", self.min), ("≤", self.max)) if bound is not None
        )

    @property
    def about(self) -> str:
        """What is measured, in a word or two, as it stands in messages."""
        return self.subject


class Placed(Record):
    """An entry and where it stands.

    Attributes:
        table: the table it is an entry of; what stands under `[[critical]]` leads, and is never averaged away.
        number: which of them, counted from 1.
        defaults: the fields it takes from `[defaults]`.
    """

    table: Table
    number: int
    entry: SerializeAsAny[Entry]
    defaults: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """`rule 3 (faithfulness)`: its place in the file and what it is about."""
        return f"{self.table} {self.number} ({self.entry.about})"
