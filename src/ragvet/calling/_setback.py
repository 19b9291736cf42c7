"""Why an attempt at a call failed, and what that means for the next."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CallEscaped", "CallTimeout", "Setback", "raised"]


@dataclass(frozen=True, slots=True)
class Setback:
    """A failed attempt at a call.

    Attributes:
        error: what went wrong, in the words of the side that called.
        passing: whether the same call may succeed later.
        overloaded: whether it says that too much is asked of the system at once.
        retry_after: seconds the system asked to be left alone for, if it did.
    """

    error: Exception
    passing: bool = False
    overloaded: bool = False
    retry_after: float | None = None


class CallTimeout(Exception):
    """An attempt was not over in time; it was abandoned.

    Attributes:
        seconds: that it was given.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not over within {seconds:.3g} s")
        self.seconds = seconds


class CallEscaped(Exception):
    """An attempt ended itself as no call should: by what would have ended the event loop, or by its cancellation."""


def raised(error: BaseException) -> str:
    """An exception nobody foresaw, in words.

    >>> raised(KeyError("title"))
    "raised KeyError: 'title'"
    """
    return f"raised {type(error).__name__}: {error}"
