from __future__ import annotations

from typing import Protocol, runtime_checkable

from ragvet.records import Case, Trace, Verdicts


@runtime_checkable
class Judge(Protocol):
    """Turns one trace into facts about its text: the offline rules, a model, a human, a panel.

    `fingerprint` names everything a verdict depends on besides the trace itself; any change of it changes the
    fingerprint, and scores of different fingerprints are not comparable. A judge that has an attribute `concurrency` is
    given so many answers at once; any other 16.
    """

    @property
    def fingerprint(self) -> str: ...

    async def judge(self, case: Case, trace: Trace) -> Verdicts:
        """Every verdict about the answer in `trace`, or a `JudgeError` that keeps the raw reply."""
        ...
