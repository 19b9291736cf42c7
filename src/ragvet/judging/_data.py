"""Answers that are data and not prose: what they say is held against a contract, not read as sentences."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from ragvet.files import json_value

__all__ = ["is_data"]


@lru_cache(maxsize=16)  # asked by who splits an answer and by who looks at what the system did
def is_data(text: str) -> bool:
    """Whether the whole text is one JSON object, or a list that holds some.

    >>> is_data('{"answer": "30 days"}'), is_data("[1]"), is_data("30 days [1]")
    (True, False, False)
    """
    stripped = text.strip()
    if not stripped.startswith(("{", "[")):
        return False
    try:
        value = json_value(stripped, limits=False)
    except ValueError:
        return False
    return isinstance(value, dict) or any(isinstance(one, dict) for one in cast("list[Any]", value))
