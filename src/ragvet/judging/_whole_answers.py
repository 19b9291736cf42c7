"""A judge of whole answers among judges that decide questions: it decides them by what it says of the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar
from weakref import WeakValueDictionary

from ragvet.errors import JudgeError
from ragvet.judging._protocol import AnyJudge, Judge, Scope, WholeAnswerJudge, concurrency_of
from ragvet.records import (
    AddressedRuling,
    AgreementRuling,
    Case,
    Claim,
    ConflictsRuling,
    CoverageRuling,
    Decided,
    PassageRuling,
    Question,
    Ruling,
    Rulings,
    Segmentation,
    SupportRuling,
    Trace,
    Verdicts,
)

D = TypeVar("D", bound=Decided)


def as_judge(judge: AnyJudge) -> Judge:
    """The judge as one that decides questions; one that judges whole answers decides them by its verdicts."""
    return judge if isinstance(judge, Judge) else WholeAnswers(judge)


class WholeAnswers:
    """A judge that gives all verdicts on an answer at once: alone it is taken at its word, in a panel it votes.

    Its word on a question is the row that carries the hash of this question, else the row on the same claim: the same
    words at the same place of the answer. Where it has no such row it decides nothing.
    """

    scope = Scope(free=True)

    def __init__(self, own: WholeAnswerJudge) -> None:
        self._own = own
        self._under_way: WeakValueDictionary[tuple[str, int], Segmentation] = WeakValueDictionary()

    @property
    def fingerprint(self) -> str:
        """That of the judge itself."""
        return self._own.fingerprint

    @property
    def concurrency(self) -> int:
        """As the judge itself has it."""
        return concurrency_of(self._own)

    async def judge(self, case: Case, trace: Trace) -> Verdicts:
        """What the judge says of the answer."""
        return await self._own.judge(case, trace)

    async def segment(self, case: Case, trace: Trace) -> Segmentation:
        """Its claims and the behaviour it saw."""
        said = await self._own.judge(case, trace)
        reference = said.reference_support
        seen = Segmentation(
            said.behaviour,
            said.claims,
            reference=None if reference is None else tuple(row.statement for row in reference),
            usage=said.usage,
            whole=said,
        )
        self._under_way[case.id, trace.repeat] = seen
        return seen

    async def decide(self, questions: Sequence[Question]) -> Rulings:
        """Its rows, as far as they are about what is asked; `JudgeError` where it was not asked to segment before."""
        if not questions:
            return Rulings(())
        place = questions[0].place
        seen = self._under_way.get((place.case_id, place.repeat))
        if seen is None or seen.whole is None:
            raise JudgeError(f"{self.fingerprint} was not given the answer to case {place.case_id!r}")
        said = _Said(seen.whole)
        return Rulings(tuple(map(said.ruling, questions)))


class _Said:
    def __init__(self, said: Verdicts) -> None:
        self._said = said
        self._claims: dict[tuple[tuple[int, int] | None, str | None], Claim] = {
            ((claim.start, claim.end), claim.text): claim for claim in said.claims
        }

    def ruling(self, question: Question) -> Ruling | None:
        """What it says on the question, or None."""
        said, about = self._said, self._claims.get((question.place.span, question.statement))
        ruling: Ruling | None
        match question.kind:
            case "support" | "citation":
                ruling = self._support(question, about)
            case "reference":
                ruling = self._reference(question)
            case "coverage":
                wanted = question.place.required_claim
                rows = _asked(said.coverage, question) or [r for r in said.coverage if r.required_claim == wanted]
                ruling = CoverageRuling(rows[0].verdict, rows[0].quote, rows[0].reason) if rows else None
            case "agreement":
                own = [row for row in said.agreement if about is not None and row.claim == about.id]
                rows = _asked(said.agreement, question) or own
                ruling = AgreementRuling(rows[0].verdict, rows[0].reason) if rows else None
            case "relevance":
                ruling = None if about is None else AddressedRuling(about.addresses_question)
            case "addressed":
                ruling = AddressedRuling(said.addresses_question)
            case "conflicts":
                ruling = ConflictsRuling(said.conflicts)
        return ruling

    def _reference(self, question: Question) -> SupportRuling | None:
        reference = self._said.reference_support or ()
        rows = _asked(reference, question) or [row for row in reference if row.statement == question.statement]
        found = [PassageRuling(row.passage or question.texts[0].id, row.verdict, row.quote) for row in rows]
        return SupportRuling(tuple(found)) if found else None

    def _support(self, question: Question, claim: Claim | None) -> SupportRuling | None:
        """Its rows on the claim: silence on a claim it has made itself says that nothing supports it."""
        rows = _asked(self._said.support, question)
        if not rows:
            if claim is None or not claim.needs_evidence:
                return None
            rows = [row for row in self._said.support if row.claim == claim.id]
        if question.kind == "citation":
            shown = {text.id for text in question.texts}
            rows = [row for row in rows if row.passage in shown]
        return SupportRuling(
            tuple(
                PassageRuling(row.passage, row.verdict, row.quote, row.missing_qualification, row.reason, row.score)
                for row in rows
            )
        )


def _asked(rows: Iterable[D], question: Question) -> list[D]:
    """The rows that answer this very question, wherever it was asked."""
    return [row for row in rows if row.question == question.hash]
