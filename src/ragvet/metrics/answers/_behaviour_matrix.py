"""Expected against observed behaviour, as a table for the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, get_args

from pydantic import NonNegativeInt

from ragvet.records import Behaviour, Case, JudgeFailure, ObservedBehaviour, Record, Trace, Verdicts

__all__ = ["BehaviourCell", "behaviour_matrix"]

Seen = ObservedBehaviour | Literal["undecided", "failed"]


_EXPECTED: tuple[Behaviour, ...] = get_args(Behaviour)
_OBSERVED: tuple[Seen, ...] = get_args(ObservedBehaviour)
_OPEN: tuple[Seen, ...] = ("undecided", "failed")


class BehaviourCell(Record):
    """How often a behaviour was seen where another (or the same) was expected.

    `with_evidence`/`without_evidence` count those whose gold evidence was (not) before the model; the rest hangs on
    unjudged chunks or has no gold evidence.
    """

    expected: Behaviour
    observed: Seen
    count: NonNegativeInt
    with_evidence: NonNegativeInt = 0
    without_evidence: NonNegativeInt = 0
    cases: tuple[str, ...] = ()


def behaviour_matrix(
    items: Iterable[tuple[Case, Trace, Verdicts | JudgeFailure | None, bool | None]],
) -> list[BehaviourCell]:
    """The 4 by 4 cells in order (zeros included), then one per expectation for what is undecided or failed, if any.

    Args:
        items: case, trace, verdicts, and whether gold evidence was before the model (None: unknown). Ambiguous cases
            are outside pass and fail and left out; repeats count each.
    """
    counts: Counter[tuple[Behaviour, Seen]] = Counter()
    evidence: Counter[tuple[Behaviour, Seen, bool]] = Counter()
    cases: dict[tuple[Behaviour, Seen], dict[str, None]] = {}
    for case, trace, verdicts, shown in items:
        if case.ambiguous:
            continue
        seen: Seen = "failed"
        if trace.error is None and isinstance(verdicts, Verdicts):
            seen = verdicts.behaviour.observed or "undecided"
        place = case.expected_behaviour, seen
        counts[place] += 1
        cases.setdefault(place, {})[case.id] = None
        if shown is not None:
            evidence[(*place, shown)] += 1
    return [
        BehaviourCell(
            expected=expected,
            observed=seen,
            count=counts[expected, seen],
            with_evidence=evidence[expected, seen, True],
            without_evidence=evidence[expected, seen, False],
            cases=tuple(cases.get((expected, seen), ())),
        )
        for seens, only_seen in ((_OBSERVED, False), (_OPEN, True))
        for expected in _EXPECTED
        for seen in seens
        if counts[expected, seen] or not only_seen
    ]
