"""Remarks on inputs that are no errors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ragvet.errors import InputError, Problem

_EXAMPLES = 3


class InputWarning(UserWarning):
    """Something in qrels or run that is no error but that a reader should know; counted, with examples."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A counted remark about the input.

    Attributes:
        kind: a short stable name, e.g. ``query-not-in-run``.
        count: how many queries, lines or ids it concerns.
        what: what was counted.
        action: what to do about it.
        examples: the first few.
    """

    kind: str
    count: int
    what: str
    action: str
    examples: tuple[str, ...] = ()

    @classmethod
    def of(cls, kind: str, found: Iterable[object], what: str, action: str) -> Notice:
        """The notice about all that was found, keeping a few as examples."""
        everything = [str(item) for item in found]
        return cls(kind, len(everything), what, action, tuple(everything[:_EXAMPLES]))

    def __str__(self) -> str:
        more = ", …" if self.count > len(self.examples) else ""
        examples = f" ({', '.join(self.examples)}{more})" if self.examples else ""
        return f"{self.what}: {self.count:,}{examples}. {self.action}"


def merged(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """One notice of each kind, counts added up."""
    by_kind: dict[str, Notice] = {}
    for notice in notices:
        old = by_kind.get(notice.kind)
        by_kind[notice.kind] = notice if old is None else Notice(
            old.kind, old.count + notice.count, old.what, old.action, (old.examples + notice.examples)[:_EXAMPLES]
        )  # fmt: skip
    return tuple(notice for notice in by_kind.values() if notice.count)


def refuse(notices: Iterable[Notice], source: str) -> None:
    """Raise every notice as an error: what ``strict`` means."""
    problems = [
        Problem(source, f"{notice.what}: {notice.count:,}", "none, as strict was asked for", notice.action,
                record=", ".join(notice.examples) or None)
        for notice in notices
    ]  # fmt: skip
    if problems:
        raise InputError(problems)
