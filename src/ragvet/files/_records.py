"""Records as they stand in a file, each with its line, before anybody asks what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ragvet.errors import Problem
from ragvet.text import plain


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One record of a file: what stands there and the line it begins on."""

    value: Any
    line: int | None = None
    number: int = 1

    @property
    def place(self) -> str:
        """Where it stands: its line, or its number where lines say nothing."""
        return f"record {self.number}" if self.line is None else f"line {self.line}"

    def name(self, id_field: str = "id") -> str:
        """How a person finds the record: its id where it has a usable one, and where it stands."""
        record_id = self.id(id_field)
        return self.place if record_id is None else f"{plain(record_id)} ({self.place})"

    def id(self, id_field: str = "id") -> str | None:
        """Its id; None where it has no usable one."""
        if isinstance(self.value, Mapping):
            record_id = cast("Mapping[str, Any]", self.value).get(id_field)
        else:
            record_id = getattr(self.value, id_field, None)
        return record_id if isinstance(record_id, str) and record_id else None


@dataclass(slots=True)
class RawFile:
    """What a file holds: its records, the declarations beside them, and what is wrong with its syntax."""

    source: str
    records: list[RawRecord] = field(default_factory=list[RawRecord])
    header: dict[str, Any] = field(default_factory=dict[str, Any])
    problems: list[Problem] = field(default_factory=list[Problem])

    def add(self, value: Any, line: int | None) -> None:
        """Append one record."""
        self.records.append(RawRecord(value, line, len(self.records) + 1))

    def problem(self, found: str, expected: str, action: str, record: str | None = None) -> None:
        """Note one thing that is wrong with the file itself."""
        self.problems.append(Problem(self.source, found, expected, action, record=record))
