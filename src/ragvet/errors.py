"""Every error ragvet raises on purpose.

RagvetError
├── InputError       something a person wrote (file, argument, config) is wrong; lists every problem found
├── TargetError      the system under test failed on one case; the other cases go on
│   ├── TargetTimeout    it did not answer within its deadline
│   ├── TargetRefused    it refused the request as such; asking again would not help
│   └── TargetReplyInvalid   it answered, but with something that is not an answer
├── JudgeError       a judge failed on one item; its raw reply is kept
├── BudgetReached    the next request might cost more than is left; nothing failed, go on with a larger budget
├── BundleError      a run folder cannot be read or written
└── MissingExtra     an optional dependency is needed and absent
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = [
    "BudgetReached",
    "BundleError",
    "InputError",
    "JudgeError",
    "MissingExtra",
    "Problem",
    "RagvetError",
    "TargetError",
    "TargetRefused",
    "TargetReplyInvalid",
    "TargetTimeout",
    "cause",
]


class RagvetError(Exception):
    """Any error ragvet raises on purpose; catch this one to catch them all."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an input, placed so that its author finds it.

    Attributes:
        source: the file or argument, as the user named it.
        found: what stands there, in words or quoted.
        expected: what should stand there.
        action: what to do about it.
        record: the record's id, or ``line 12`` / ``record 3`` where it has none.
        field: dotted path of the field inside the record, e.g. ``reference_passages[0].doc_id``.
    """

    source: str
    found: str
    expected: str
    action: str
    record: str | None = None
    field: str | None = None

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.source, self.record, self.field) if part)
        return f"{place}: found {self.found}; expected {self.expected}. {self.action}"


def cause(error: Exception) -> str:
    """What kept a file from being read or written, in words and without the path, which the message names already.

    >>> cause(FileNotFoundError(2, "No such file or directory", "qrels.txt"))
    'no such file or folder'
    """
    words: dict[type[Exception], str] = {
        FileNotFoundError: "no such file or folder",
        IsADirectoryError: "a folder",
        NotADirectoryError: "a file where a folder should be",
        PermissionError: "no permission",
    }
    said = error.strerror if isinstance(error, OSError) else None
    return words.get(type(error)) or said or str(error) or type(error).__name__


class InputError(RagvetError):
    """Something a person wrote is wrong. ``problems`` holds all of it, not the first only."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class TargetError(RagvetError):
    """The system under test failed on one case; the message says how.

    Attributes:
        retry_after: seconds it asked to be left alone for, if it did.
        overloaded: whether it said that it is asked too much at once.
    """

    def __init__(self, message: str, *, retry_after: float | None = None, overloaded: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.overloaded = overloaded


class TargetTimeout(TargetError):
    """The system under test did not answer within its deadline."""


class TargetRefused(TargetError):
    """The system under test refused the request as such, e.g. with HTTP 401; asking again would not help."""


class TargetReplyInvalid(TargetError):
    """The system under test answered with something that is not an answer."""


class JudgeError(RagvetError):
    """A judge failed on one item: timeout, truncation, malformed reply, refusal.

    Attributes:
        raw: the judge's raw reply, if there was one. It may hold document text: keep it in the bundle only.
        usage: what the attempts cost, as the fields of `Usage`; None: nothing, or nobody knows.
    """

    def __init__(
        self, message: str, *, raw: str | None = None, usage: Mapping[str, int | float | None] | None = None
    ) -> None:
        super().__init__(message)
        self.raw = raw
        self.usage = usage


class BudgetReached(RagvetError):
    """The next request to a judge might cost more than the budget has left.

    Nothing failed: what was judged is kept, and the same command with a larger budget goes on from here.
    """


class BundleError(RagvetError):
    """A run folder cannot be read or written; the message says why and what to do."""


class MissingExtra(RagvetError):
    """An optional dependency is needed for what was asked and is not installed."""

    def __init__(self, need: str, extra: str) -> None:
        super().__init__(f"{need} needs an optional dependency. Install it with: pip install 'ragvet[{extra}]'")
