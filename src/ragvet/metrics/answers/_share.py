"""Shares with unknown members, exactly."""

from __future__ import annotations

from collections.abc import Iterable

from ragvet.records import Bounded, Outcome, Scored, Undefined

__all__ = ["flag", "share", "share_of"]


def share(certain: float, possible: float, total: float, *, empty: str, unknown: str) -> Outcome:
    """Members over total: scored where nothing is unknown, else the exact range.

    Args:
        certain: members under the worst completion of what is unknown.
        possible: members under the best.
        total: the denominator; 0 is undefined for the reason `empty`.
        empty: what is missing when there is nothing to measure.
        unknown: what is undecided when there is a range.
    """
    if not total:
        return Undefined(reason=empty)
    if certain == possible:
        return Scored(value=certain / total, numerator=certain, denominator=total)
    return Bounded(low=certain / total, high=possible / total, reason=unknown)


def share_of(facts: Iterable[bool | None], *, empty: str, unknown: str) -> Outcome:
    """The share of facts that are true; None is unknown."""
    known = list(facts)
    certain = sum(fact is True for fact in known)
    return share(certain, certain + sum(fact is None for fact in known), len(known), empty=empty, unknown=unknown)


def flag(fact: bool | None, *, unknown: str = "it is undecided") -> Outcome:  # noqa: FBT001 - the fact is what is measured
    """1 for true, 0 for false, [0, 1] for unknown."""
    return share_of((fact,), empty=unknown, unknown=unknown)
