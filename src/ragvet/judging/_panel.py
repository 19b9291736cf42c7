"""Several judges that decide the same questions, and whose votes make one ruling."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any, Literal, TypeVar

from ragvet.errors import InputError, JudgeError, Problem
from ragvet.judging._protocol import AnyJudge, Judge, Scope, concurrency_of, in_use, register_of, scope_of
from ragvet.judging._register import Register
from ragvet.judging._usage import total
from ragvet.judging._votes import combined
from ragvet.judging._whole_answers import as_judge
from ragvet.records import BehaviourVerdict, Case, ObservedBehaviour, Question, Rulings, Segmentation, Trace, Usage
from ragvet.records.lattice import vote

Rule = Literal["majority", "unanimity"]

S = TypeVar("S", Segmentation, Rulings)


class Panel:
    """Several judges whose votes make one ruling; where they do not, it is undecided. Each one's own words are kept.

    The claims are those of the first judge, and all decide the same questions about them.
    """

    def __init__(self, judges: Sequence[AnyJudge], rule: Rule = "majority") -> None:
        if len(judges) < 2:  # noqa: PLR2004 - one judge is no panel
            raise InputError(Problem("[judge]", f"{len(judges)} judge", "two or more", "Add judges.", field="members"))
        self.judges: tuple[Judge, ...] = tuple(map(as_judge, judges))
        self._rule: Rule = rule
        self._needed = len(judges) if rule == "unanimity" else len(judges) // 2 + 1

    @property
    def concurrency(self) -> int:
        """How many answers are worth giving it at once: as many as the widest of its judges takes."""
        return max(map(concurrency_of, self.judges))

    @property
    def fingerprint(self) -> str:
        """Of the rule and of every judge, in their order."""
        names = "\n".join([self._rule, *(judge.fingerprint for judge in self.judges)])
        return f"panel:{self._rule}:{hashlib.sha256(names.encode()).hexdigest()[:16]}"

    @property
    def scope(self) -> Scope:
        """Every question one of its judges decides; of answers that are none only if all of them look at those."""
        scopes = [scope_of(judge) for judge in self.judges]
        kinds = frozenset[Any]().union(*(scope.kinds for scope in scopes))
        return Scope(kinds, free=all(scope.free for scope in scopes))

    @property
    def register(self) -> Register | None:
        """The corpus of the first of its judges that has one."""
        return next((found for judge in self.judges if (found := register_of(judge)) is not None), None)

    @asynccontextmanager
    async def in_use(self) -> AsyncGenerator[None]:
        """All of its judges are in use."""
        async with AsyncExitStack() as stack:
            for judge in self.judges:
                await stack.enter_async_context(in_use(judge))
            yield

    async def segment(self, case: Case, trace: Trace) -> Segmentation:
        """The claims of the first judge, and the behaviour that enough of them saw."""
        seen = await self._heard([judge.segment(case, trace) for judge in self.judges])
        behaviours: list[ObservedBehaviour | None] = [one.behaviour.observed for one in seen]
        observed = vote(behaviours, self._needed)
        return replace(
            seen[0],
            behaviour=BehaviourVerdict(observed=observed, source="panel"),
            support_score=None,
            usage=total(one.usage for one in seen),
            servers=frozenset[str](),
            members=tuple(seen),
            whole=None,
        )

    async def decide(self, questions: Sequence[Question]) -> Rulings:
        """The rulings enough of its judges agree on."""
        replies = await self._heard([_decided(judge, questions) for judge in self.judges])
        votes = zip(*(reply.rulings for reply in replies), strict=True)
        return Rulings(
            tuple(combined(question, said, self._needed) for question, said in zip(questions, votes, strict=True)),
            usage=total(reply.usage for reply in replies),
            members=tuple(replies),
        )

    async def _heard(self, calls: Sequence[Coroutine[Any, Any, S]]) -> list[S]:
        """What each judge says; `JudgeError` where one of them fails, since a panel is all of its judges."""
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException) and not isinstance(outcome, JudgeError):
                raise outcome  # no failure of this answer, e.g. a reached budget
        heard = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
        for judge, outcome in zip(self.judges, outcomes, strict=True):
            if isinstance(outcome, JudgeError):
                own = None if outcome.usage is None else Usage.model_validate(outcome.usage)
                spent = total([own, *(one.usage for one in heard)])
                usage = None if spent is None else spent.model_dump()
                raise JudgeError(f"{judge.fingerprint}: {outcome}", raw=outcome.raw, usage=usage) from outcome
        return heard


async def _decided(judge: Judge, questions: Sequence[Question]) -> Rulings:
    """What the judge rules on those of the questions that it decides; None on the others."""
    kinds = scope_of(judge).kinds
    replied = await judge.decide([question for question in questions if question.kind in kinds])
    rulings = iter(replied.rulings)
    return replace(replied, rulings=tuple(next(rulings) if one.kind in kinds else None for one in questions))
