"""Ids of millions of items that differ only in how they are written."""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np
import polars as pl

from ragvet.retrieval._index import PairIndex
from ragvet.retrieval._notices import Notice
from ragvet.text import canonical_id

_UNPLAIN = re.compile(r"[\x00-\x09\x0b-\x20\x7f]")
"""White space and characters nobody sees, among the ASCII ones; a line feed stands between ids."""


class Spellings:
    """Finds ids that are known ones but for case, zeros, Unicode form or what nobody sees, many at a time."""

    def __init__(self, known: pl.Series) -> None:
        self._known = known

    @cached_property
    def _plain(self) -> bool:
        return _plain(self._known)

    @cached_property
    def _by_form(self) -> tuple[pl.Series, PairIndex]:
        """The first id of each form, and the forms."""
        ids = self._known.unique(maintain_order=True)
        forms = _forms(ids)
        first = forms.is_first_distinct()
        return ids.filter(first), PairIndex.of_ids(forms.filter(first))

    def alike(self, ids: pl.Series) -> dict[str, str]:
        """Each id that is a known one in another spelling → the first such one."""
        if not len(ids) or not len(self._known):
            return {}
        plain = self._plain if ids is self._known else _plain(ids)
        if plain and self._plain:
            return {}
        known, index = self._by_form
        places = index.find_ids(ids if plain else _forms(ids))
        rows = np.flatnonzero(places >= 0)
        pairs = pl.DataFrame({"id": ids[rows], "known": known[places[rows]]})
        pairs = pairs.filter(pl.col("id") != pl.col("known")).unique("id", maintain_order=True)
        return {one: other for one, other in pairs.rows() if canonical_id(one) == canonical_id(other)}


def look_alike_notice(kind: str, unknown: pl.Series, known: pl.Series, what: str) -> Notice:
    """The remark that unknown ids are known ones in another spelling; of one series with itself, all but the first."""
    return alike_notice(kind, Spellings(known).alike(unknown), what)


def alike_notice(kind: str, pairs: dict[str, str], what: str) -> Notice:
    """The remark on ids in another spelling."""
    return Notice.of(
        kind,
        [f"{one!a} for {known!a}" for one, known in pairs.items()],
        f"{what} but for case, zero padding, Unicode form or invisible characters",
        "Ids are compared exactly: write them the same way everywhere.",
    )


def _plain(ids: pl.Series) -> bool:
    """Whether every id is in canonical form for sure."""
    text: str = ids.str.join("\n").item()
    return text.isascii() and not _UNPLAIN.search(text) and text == text.lower() and not _padded(text)


def _padded(text: str) -> bool:
    """Whether a zero stands before a digit and behind none, in plain ASCII; most numbers hold zeros elsewhere."""
    letters = np.frombuffer(f"\n{text}".encode("ascii"), np.uint8)
    digits = (letters >= ord("0")) & (letters <= ord("9"))
    return bool(np.any((letters[1:-1] == ord("0")) & ~digits[:-2] & digits[2:]))


def _forms(ids: pl.Series) -> pl.Series:
    """Equal for ids with the same `canonical_id`, and for hardly any others."""
    text: str = ids.str.join("\n").item()
    if not text.isascii():
        ids = ids.str.normalize("NFKC").str.to_uppercase()  # ß and SS are one
    if _UNPLAIN.search(text) or not text.isascii():
        ids = ids.str.replace_all(r"[\p{Cf}\p{Cc}]", "")
    ids = ids.str.strip_chars().str.to_lowercase()
    return ids.str.replace_all(r"(^|\D)0+(\d)", "${1}${2}") if not text.isascii() or _padded(text) else ids
