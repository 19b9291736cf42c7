"""When two ids are the same id, written differently."""

from __future__ import annotations

import re
import unicodedata

_DIGITS = re.compile(r"\d+")


def canonical_id(value: str) -> str:
    """The id without what people and exporters change by accident: case, Unicode form, outer spaces, leading zeros."""
    folded = unicodedata.normalize("NFKC", value).strip().casefold()
    return _DIGITS.sub(lambda digits: digits.group().lstrip("0") or "0", folded)
