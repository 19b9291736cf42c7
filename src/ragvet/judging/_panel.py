from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Literal, TypeVar

from ragvet.errors import InputError, JudgeError, Problem
from ragvet.judging._context import CONTEXT_ID
from ragvet.judging._many import concurrency_of
from ragvet.judging._protocol import Judge
from ragvet.records import (
    Agreement,
    BehaviourVerdict,
    Case,
    CitationVerdict,
    Claim,
    Coverage,
    ObservedBehaviour,
    ReferenceSupport,
    SourceConflict,
    Support,
    SupportVerdict,
    Trace,
    Usage,
    Verdicts,
)
from ragvet.records.lattice import claim_verdicts, of_claims

Rule = Literal["majority", "unanimity"]

V = TypeVar("V", bound=Hashable)


class Panel:
    """Several judges whose votes make one verdict; where they do not, it is undecided. Each one's own words are kept.

    The claims are those of the first judge. Another judge votes on a claim with what it said of the part of the answer
    the claim stands in: the worst of its verdicts there, and undecided where it saw no claim.
    """

    def __init__(self, judges: Sequence[Judge], rule: Rule = "majority") -> None:
        if len(judges) < 2:  # noqa: PLR2004 - one judge is no panel
            raise InputError(Problem("[judge]", f"{len(judges)} judge", "two or more", "Add judges.", field="members"))
        self._judges = tuple(judges)
        self._rule: Rule = rule

    @property
    def concurrency(self) -> int:
        """How many answers are worth giving it at once: as many as the widest of its judges takes."""
        return max(map(concurrency_of, self._judges))

    @property
    def fingerprint(self) -> str:
        """Of the rule and of every judge, in their order."""
        names = "\n".join([self._rule, *(judge.fingerprint for judge in self._judges)])
        return f"panel:{self._rule}:{hashlib.sha256(names.encode()).hexdigest()[:16]}"

    async def judge(self, case: Case, trace: Trace) -> Verdicts:
        """The panel's verdicts; `JudgeError` where one of its judges fails, since a panel is all of its judges."""
        heard = await asyncio.gather(*(judge.judge(case, trace) for judge in self._judges), return_exceptions=True)
        members = [outcome for outcome in heard if isinstance(outcome, Verdicts)]
        for outcome in heard:
            if isinstance(outcome, BaseException) and not isinstance(outcome, JudgeError):
                raise outcome  # no failure of this answer, e.g. a reached budget
        for judge, outcome in zip(self._judges, heard, strict=True):
            if isinstance(outcome, JudgeError):
                own = None if outcome.usage is None else Usage.model_validate(outcome.usage)
                spent = _total([own, *(member.usage for member in members)])
                usage = None if spent is None else spent.model_dump()
                raise JudgeError(f"{judge.fingerprint}: {outcome}", raw=outcome.raw, usage=usage) from outcome
        return _Votes(members, self._rule).verdicts(self.fingerprint)


class _Votes:
    def __init__(self, members: Sequence[Verdicts], rule: Rule) -> None:
        self._members = members
        self._first = members[0]
        self._needed = len(members) if rule == "unanimity" else len(members) // 2 + 1

    def verdicts(self, fingerprint: str) -> Verdicts:
        observed: list[ObservedBehaviour | None] = [member.behaviour.observed for member in self._members]
        return Verdicts(
            case_id=self._first.case_id,
            repeat=self._first.repeat,
            judge=fingerprint,
            behaviour=BehaviourVerdict(observed=self._won(observed), source="panel"),
            claims=tuple(self._claim(claim) for claim in self._first.claims),
            support=tuple(row for claim in self._first.claims for row in self._support(claim)),
            citations=tuple(map(self._citation, self._first.citations)),
            coverage=tuple(map(self._coverage, self._first.coverage)),
            agreement=tuple(map(self._agreement, self._first.agreement)),
            reference_support=self._reference(),
            conflicts=self._conflicts(),
            addresses_question=self._won(m.addresses_question for m in self._members),
            usage=_total([member.usage for member in self._members]),
            members=tuple(self._members),
        )

    def _won(self, votes: Iterable[V | None]) -> V | None:
        """The vote enough judges cast, or None."""
        counts = Counter(vote for vote in votes if vote is not None)
        winner = counts.most_common(1)
        return winner[0][0] if winner and winner[0][1] >= self._needed else None

    def _claim(self, claim: Claim) -> Claim:
        votes = [
            None if not own else all(own) if None not in own else None
            for own in ([c.addresses_question for c in _same(claim, member)] for member in self._members)
        ]
        return claim.model_copy(update={"addresses_question": self._won(votes)})

    def _support(self, claim: Claim) -> Iterable[Support]:
        """The rows of those who carried the vote, one for each passage; all of them undecided where nobody did."""
        votes = [_verdict(claim, member) for member in self._members]
        won = self._won(vote for vote in votes if vote not in ("undecided", "unverified"))
        rows: dict[str, Support] = {}
        for member, vote in zip(self._members, votes, strict=True):
            own = {same.id for same in _same(claim, member)}
            for row in member.support:
                if row.claim in own and (won is None or (vote == won and row.verdict == won)):
                    rows.setdefault(row.passage, row.model_copy(update={"claim": claim.id}))
        if won is not None:
            return rows.values()
        nowhere = [Support(claim=claim.id, passage=CONTEXT_ID, verdict="undecided")]
        undecided = {"verdict": "undecided", "quote": None, "reason": _split(votes)}
        return [row.model_copy(update=undecided) for row in list(rows.values()) or nowhere]

    def _citation(self, row: CitationVerdict) -> CitationVerdict:
        index = row.citation
        votes = [other.verdict for member in self._members for other in member.citations if other.citation == index]
        won = self._won(vote for vote in votes if vote != "undecided")
        if won == row.verdict:
            return row
        quote = next(
            (o.quote for m in self._members for o in m.citations if o.citation == index and o.verdict == won), None
        )
        return row.model_copy(update={"verdict": won or "undecided", "quote": quote, "reason": _split(votes)})

    def _coverage(self, row: Coverage) -> Coverage:
        rows = [o for m in self._members for o in m.coverage if o.required_claim == row.required_claim]
        won = self._won(other.verdict for other in rows if other.verdict != "undecided")
        chosen = next((other for other in rows if other.verdict == won), None)
        if chosen is not None:
            return chosen
        reason = _split([other.verdict for other in rows])
        return row.model_copy(update={"verdict": "undecided", "quote": None, "reason": reason})

    def _agreement(self, row: Agreement) -> Agreement:
        claim = next(claim for claim in self._first.claims if claim.id == row.claim)
        votes = [_agreement(claim, member) for member in self._members]
        won = self._won(vote for vote in votes if vote != "undecided")
        reason = row.reason if won == row.verdict else _split(votes)
        return row.model_copy(update={"verdict": won or "undecided", "reason": reason})

    def _reference(self) -> tuple[ReferenceSupport, ...] | None:
        by_statement = [{row.statement: row for row in member.reference_support or ()} for member in self._members]
        if self._first.reference_support is None:
            return None
        rows: list[ReferenceSupport] = []
        for row in self._first.reference_support:
            others = [own[row.statement] for own in by_statement if row.statement in own]
            won = self._won(other.verdict for other in others if other.verdict != "undecided")
            chosen = next((other for other in others if other.verdict == won), None)
            rows.append(chosen or ReferenceSupport(statement=row.statement, verdict="undecided"))
        return tuple(rows)

    def _conflicts(self) -> tuple[SourceConflict, ...] | None:
        """Conflicts between two passages that enough judges saw; None where too few looked for any."""
        looked = [member.conflicts for member in self._members if member.conflicts is not None]
        if len(looked) < self._needed:
            return None
        seen = Counter(pair for found in looked for pair in {frozenset(conflict.passages) for conflict in found})
        agreed: dict[frozenset[str], SourceConflict] = {}
        for found in looked:
            for conflict in found:
                pair = frozenset(conflict.passages)
                if seen[pair] >= self._needed:
                    surfaced = self._won(o.surfaced for own in looked for o in own if frozenset(o.passages) == pair)
                    agreed.setdefault(pair, conflict.model_copy(update={"surfaced": surfaced}))
        return tuple(agreed.values())


def _same(claim: Claim, member: Verdicts) -> list[Claim]:
    """The claims of `member` that stand mostly where `claim` stands, or the other way round."""

    def overlaps(other: Claim) -> bool:
        shared = min(claim.end, other.end) - max(claim.start, other.start)
        return 2 * shared > min(claim.end - claim.start, other.end - other.start)

    exact = [other for other in member.claims if other.text == claim.text and other.start == claim.start]
    return exact or [other for other in member.claims if overlaps(other)]


def _verdict(claim: Claim, member: Verdicts) -> SupportVerdict:
    own = [other.id for other in _same(claim, member) if other.needs_evidence]
    told = claim_verdicts(member)
    return of_claims([told[id_].told for id_ in own] or ["undecided"], every=True)


def _agreement(claim: Claim, member: Verdicts) -> Literal["agree", "contradict", "extra", "undecided"]:
    own = {other.id for other in _same(claim, member)}
    votes = {row.verdict for row in member.agreement if row.claim in own}
    for vote in ("contradict", "undecided", "extra", "agree"):
        if vote in votes:
            return vote
    return "undecided"


def _split(votes: Sequence[str]) -> str:
    return f"the panel is split: {', '.join(votes)}"


def _total(usages: Sequence[Usage | None]) -> Usage | None:
    """What all members cost; of judges that cost nothing (rules, people) there is no usage."""
    paid = [usage for usage in usages if usage is not None]
    if not paid:
        return None

    def total(values: Iterable[Mapping[str, float | None]], name: str) -> float | None:
        numbers = [value[name] for value in values]
        return None if None in numbers else sum(number for number in numbers if number is not None)

    dumped = [usage.model_dump() for usage in paid]
    return Usage.model_validate({name: total(dumped, name) for name in Usage.model_fields})
