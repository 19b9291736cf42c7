"""The join of an answer with its ranking: which chunks carry gold evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ragvet.metrics.answers._kleene import any_of

__all__ = ["Evidence"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Grades of the chunks one trace retrieved or supplied, as in the `rankings` frame.

    Attributes:
        grades: chunk id → grade; 0 is judged non-relevant, -1 (or absent) is unjudged.
    """

    grades: Mapping[str, int] = field(default_factory=dict[str, int])

    def relevant(self, chunk_id: str) -> bool | None:
        """Whether the chunk carries gold evidence; None: nobody judged it."""
        grade = self.grades.get(chunk_id, -1)
        return None if grade < 0 else grade > 0

    def among(self, chunk_ids: Iterable[str]) -> bool | None:
        """Whether any chunk carries gold evidence: False for no chunks, None where that hangs on unjudged ones."""
        return any_of(map(self.relevant, chunk_ids))
