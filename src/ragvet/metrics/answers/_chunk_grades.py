"""The join of an answer with its ranking: which chunks carry annotated passages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ragvet.records.lattice import any_of

__all__ = ["ChunkGrades"]


@dataclass(frozen=True, slots=True)
class ChunkGrades:
    """Grades of the chunks one trace retrieved or supplied, as in the `rankings` frame.

    Attributes:
        grades: chunk id → grade; 0 is judged non-relevant, -1 is unjudged. A chunk that is absent was not joined.
        within_depth: the chunks ranked high enough to be supplied: those before the model where the target does not
            report what it supplied. None: no depth is declared, and all that was retrieved counts.
        permitted: chunk id → whether the caller may read its document; None: nobody can tell.
    """

    grades: Mapping[str, int] = field(default_factory=dict[str, int])
    within_depth: frozenset[str] | None = None
    permitted: Mapping[str, bool | None] = field(default_factory=dict[str, "bool | None"])

    def relevant(self, chunk_id: str) -> bool | None:
        """Whether the chunk is relevant; None: nobody judged it."""
        grade = self.grades.get(chunk_id, -1)
        return None if grade < 0 else grade > 0

    def gold(self, chunk_id: str) -> bool | None:
        """Whether the chunk carries an annotated passage; None: it was not joined with the ranking."""
        return self.grades[chunk_id] > 0 if chunk_id in self.grades else None

    def gold_among(self, chunk_ids: Iterable[str]) -> bool | None:
        """Whether any of the chunks carries an annotated passage: False for no chunks."""
        return any_of(map(self.gold, chunk_ids))
