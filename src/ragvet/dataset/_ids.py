"""Which known id was meant by one that is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ragvet.text import canonical_id, nearest

_FUZZY_LIMIT = 20_000
"""Up to this many known ids, spelling mistakes are searched for; beyond, only differences of form are."""


class Moved(NamedTuple):
    """An unknown id that is a known one but for the folders in front of one of them."""

    known: str
    folders: str
    """What stands in front, with the slash at its end."""
    added: bool
    """Whether it stands in front of the unknown id; False: in front of the known one."""


class KnownIds:
    """Known ids, ready to be asked which of them an unknown one resembles."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = tuple(ids)
        self._by_form: dict[str, str] = {}
        for known in self._ids:
            self._by_form.setdefault(canonical_id(known), known)

    def resembling(self, unknown: str) -> str | None:
        """The known id that `unknown` most likely stands for; None where none is close."""
        same_form = self._by_form.get(canonical_id(unknown))
        if same_form is not None or len(self._ids) > _FUZZY_LIMIT:
            return same_form
        return nearest(unknown, self._ids)

    def moved(self, unknown: str) -> Moved | None:
        """The one known id that `unknown` is but for folders in front: `kb/terms.md` and `terms.md`; else None."""
        for folders, rest in _split(unknown):
            if rest in self._exact:
                return Moved(rest, folders, added=True)
        known = self._by_end.get(unknown)
        return None if known is None else Moved(known, known.removesuffix(unknown), added=False)

    @cached_property
    def _exact(self) -> frozenset[str]:
        return frozenset(self._ids)

    @cached_property
    def _by_end(self) -> dict[str, str | None]:
        """What is left of known ids without some of their folders → the id; None where several end so."""
        ends: dict[str, str | None] = {}
        for known in self._ids:
            for _, end in _split(known):
                ends[end] = None if end in ends else known
        return ends


def _split(path: str) -> Iterator[tuple[str, str]]:
    """The folders in front of a path, from the first on, and what is left of it."""
    return ((path[: at + 1], path[at + 1 :]) for at, letter in enumerate(path) if letter == "/" and at + 1 < len(path))
