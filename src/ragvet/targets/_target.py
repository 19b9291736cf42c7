"""What every way to call a system under test can do."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from ragvet.records import Answer, Case

__all__ = ["Target"]


@runtime_checkable
class Target(Protocol):
    """A way to call the system under test.

    It makes one attempt: deadline, retries, repeats and concurrency are the caller's business. One that is written
    elsewhere is asked copies of cases; those of this package hand on nothing else.

    Attributes:
        name: as the user wrote it.
        fingerprint: changes when what is called changes, as far as that can be seen from outside.
    """

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    async def answer(self, case: Case, k: int) -> Answer:
        """What the system answers to one case, asked for `k` passages.

        Raises:
            TargetError: it failed; a retry may help.
            TargetReplyInvalid: it answered with something that is not an answer; a retry will not help.
        """
        ...

    async def close(self) -> None:
        """Lets go of connections and the like."""
        ...
