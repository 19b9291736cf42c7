"""Which known id was meant by one that is not known."""

from __future__ import annotations

from collections.abc import Iterable

from ragvet.text import canonical_id, nearest

_FUZZY_LIMIT = 20_000
"""Up to this many known ids, spelling mistakes are searched for; beyond, only differences of form are."""


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
