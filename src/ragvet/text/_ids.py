"""When two ids are the same id, written differently."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = frozenset({"Cf", "Cc"})
_DIGITS = re.compile(r"\d+")


def canonical_id(value: str) -> str:
    """The id without what people and exporters change by accident.

    That is case, Unicode form, outer spaces, leading zeros, and characters nobody sees: zero-width ones, NUL.
    """
    folded = unicodedata.normalize("NFKC", value).casefold()
    if not folded.isprintable():
        folded = "".join(character for character in folded if unicodedata.category(character) not in _INVISIBLE)
    folded = folded.strip()
    return _DIGITS.sub(lambda digits: digits.group().lstrip("0") or "0", folded)
