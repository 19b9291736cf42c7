"""Three-valued logic after Kleene: None is unknown, and an unknown that cannot matter does not spread.

It gives the exact set of possible outcomes as long as each unknown stands once in the expression; where one stands
twice, it says beside it why the outcomes are exact all the same.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["all_of", "any_of", "negation"]


def any_of(facts: Iterable[bool | None]) -> bool | None:
    """True if one fact is true, else unknown if one is unknown, else false; false for no facts."""
    unknown = False
    for fact in facts:
        if fact:
            return True
        unknown = unknown or fact is None
    return None if unknown else False


def all_of(facts: Iterable[bool | None]) -> bool | None:
    """False if one fact is false, else unknown if one is unknown, else true; true for no facts."""
    return negation(any_of(negation(fact) for fact in facts))


def negation(fact: bool | None) -> bool | None:  # noqa: FBT001 - the fact is the operand
    """The opposite; unknown stays unknown."""
    return None if fact is None else not fact
