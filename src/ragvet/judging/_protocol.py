"""What a judge is: it says what an answer claims, and it decides questions; everything else is the same for all."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, get_args, runtime_checkable

from ragvet.judging._register import Register
from ragvet.records import Case, Question, QuestionKind, Rulings, Segmentation, Trace, Verdicts

_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Scope:
    """Which questions a judge is to be asked.

    Attributes:
        kinds: the kinds of question it decides.
        free: whether asking costs nothing. Then it is also asked where little can come of it: about answers that
            refuse, ask back, hand over or claim nothing, and where the trace does not tell what the model saw. Who
            costs something is asked of such answers only whether the context supports the reference, since that tells
            a wrong refusal from a retrieval that left nothing to say.
    """

    kinds: frozenset[QuestionKind] = frozenset(get_args(QuestionKind))
    free: bool = False


@runtime_checkable
class Judge(Protocol):
    """Decides questions about answers: the offline rules, a model, a panel.

    `fingerprint` names everything a ruling depends on besides the question itself; any change of it changes the
    fingerprint, and scores of different fingerprints are not comparable. A judge may have besides:

    - `concurrency`: so many answers are given it at once, else 16;
    - `scope`: which questions it is asked, else all of them;
    - `register`: the corpus citations are looked up in; it is part of the fingerprint;
    - `in_use()`: a context within which it is asked, so that it knows how long to hold connections open;
    - `signed(servers)`: its fingerprint where model servers of these fingerprints replied;
    - `judges`: those that sit in a panel.
    """

    @property
    def fingerprint(self) -> str: ...

    async def segment(self, case: Case, trace: Trace) -> Segmentation:
        """What the answer in `trace` claims and what it does; `JudgeError` with the raw reply where it cannot tell."""
        ...

    async def decide(self, questions: Sequence[Question]) -> Rulings:
        """One ruling for each question about one answer, in order; `JudgeError` where it fails on one of them."""
        ...


@runtime_checkable
class WholeAnswerJudge(Protocol):
    """Judges an answer in one go: people's labels, or a judge of one's own. It is taken at its word."""

    @property
    def fingerprint(self) -> str: ...

    async def judge(self, case: Case, trace: Trace) -> Verdicts:
        """Every verdict about the answer in `trace`, or a `JudgeError` that keeps the raw reply."""
        ...


AnyJudge = Judge | WholeAnswerJudge


@runtime_checkable
class _Paced(Protocol):
    @property
    def concurrency(self) -> int: ...


@runtime_checkable
class _Scoped(Protocol):
    @property
    def scope(self) -> Scope: ...


@runtime_checkable
class _Registered(Protocol):
    @property
    def register(self) -> Register | None: ...


@runtime_checkable
class _HeldOpen(Protocol):
    def in_use(self) -> AbstractAsyncContextManager[None]: ...


@runtime_checkable
class _Signing(Protocol):
    def signed(self, servers: frozenset[str]) -> str: ...


@runtime_checkable
class _Seated(Protocol):
    @property
    def judges(self) -> Sequence[Judge]: ...


def concurrency_of(judge: AnyJudge) -> int:
    """How many answers are judged at once: as many as the judge says, 16 where it says nothing."""
    return judge.concurrency if isinstance(judge, _Paced) else _AT_ONCE


def scope_of(judge: Judge) -> Scope:
    """Which questions the judge is to be asked."""
    return judge.scope if isinstance(judge, _Scoped) else Scope()


def register_of(judge: Judge) -> Register | None:
    """Where the judge's citations are looked up."""
    return judge.register if isinstance(judge, _Registered) else None


def signed_by(judge: Judge, servers: frozenset[str]) -> str:
    """The fingerprint of verdicts to which servers of these fingerprints replied."""
    return judge.signed(servers) if servers and isinstance(judge, _Signing) else judge.fingerprint


def judges_of(judge: Judge) -> Sequence[Judge]:
    """The judges that sit in a panel; none of any other judge."""
    return judge.judges if isinstance(judge, _Seated) else ()


@asynccontextmanager
async def in_use(judge: AnyJudge) -> AsyncGenerator[None]:
    """Within it the judge is asked; it may hold connections open as long."""
    if isinstance(judge, _HeldOpen):
        async with judge.in_use():
            yield
    else:
        yield
