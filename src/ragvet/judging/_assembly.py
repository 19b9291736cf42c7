"""From rulings to verdicts, with all that code decides about an answer; each row tells the question it answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from ragvet.judging._citations import citation_verdicts
from ragvet.judging._context import CONTEXT_ID
from ragvet.judging._inquiry import Inquiry
from ragvet.judging._usage import total
from ragvet.records import (
    AddressedRuling,
    Agreement,
    AgreementRuling,
    CitationVerdict,
    Claim,
    ConflictsRuling,
    Coverage,
    CoverageRuling,
    PassageRuling,
    Question,
    QuestionKind,
    ReferenceSupport,
    Ruling,
    Rulings,
    Segmentation,
    SourceConflict,
    Support,
    SupportRuling,
    SupportVerdict,
    Verdicts,
)
from ragvet.records.lattice import OPEN, strongest

_NOT_ASKED = "it was not asked"
_NO_TEXT = "its text is not in the trace"

Asked = tuple[Question, Ruling]


@dataclass(frozen=True, slots=True)
class Said:
    """What one judge said of an answer: what it saw in it, what it replied, and the fingerprint that is signed with."""

    segmentation: Segmentation
    rulings: Rulings
    judge: str


def assemble(inquiry: Inquiry, said: Said, members: tuple[Verdicts, ...] = ()) -> Verdicts:
    """The verdicts of one judge on one answer.

    Args:
        inquiry: the answer and what was asked about it.
        said: what the judge said; of one that sits in a panel, to what the panel was asked.
        members: of a panel, the verdicts of each of its judges.
    """
    if said.segmentation.whole is not None:
        return said.segmentation.whole
    rows = _Rows(inquiry, said)
    return Verdicts(
        case_id=inquiry.trace.case_id,
        repeat=inquiry.trace.repeat,
        judge=said.judge,
        behaviour=said.segmentation.behaviour,
        claims=rows.claims(),
        support=rows.support,
        citations=rows.citations(),
        coverage=tuple(rows.coverage()),
        agreement=tuple(rows.agreement()),
        reference_support=rows.reference(),
        conflicts=rows.conflicts(),
        addresses_question=rows.addresses_question(),
        support_score=rows.support_score(),
        usage=total((said.segmentation.usage, said.rulings.usage)),
        members=members,
    )


@dataclass(frozen=True)
class _Rows:
    inquiry: Inquiry
    said: Said

    @cached_property
    def _of(self) -> Mapping[QuestionKind, list[Asked]]:
        """The questions of each kind that were decided."""
        of: dict[QuestionKind, list[Asked]] = {}
        for question, ruling in zip(self.inquiry.questions, self.said.rulings.rulings, strict=True):
            if ruling is not None:
                of.setdefault(question.kind, []).append((question, ruling))
        return of

    def claims(self) -> tuple[Claim, ...]:
        """The claims, with what was said about their use for the question, where that was asked."""
        told = {
            question.place.claim: ruling.addresses
            for question, ruling in self._of.get("relevance", ())
            if isinstance(ruling, AddressedRuling)
        }
        claims = self.inquiry.segmentation.claims
        if not told:
            return claims
        return tuple(
            claim.model_copy(update={"addresses_question": told[claim.id]}) if claim.id in told else claim
            for claim in claims
        )

    @cached_property
    def support(self) -> tuple[Support, ...]:
        """Every claim that needs evidence against what the model saw; what nobody read is undecided."""
        decided = {
            question.place.claim: _support_rows(question, ruling)
            for question, ruling in self._of.get("support", ())
            if isinstance(ruling, SupportRuling)
        }
        rows: list[Support] = []
        for claim in self.inquiry.stated:
            found = decided.get(claim.id, [])
            rows += found
            read = {row.passage for row in found}
            rows += (
                Support(claim=claim.id, passage=passage, verdict="undecided", reason=reason)
                for passage, reason in self._unread(read, asked=claim.id in decided)
            )
        return tuple(rows)

    def _unread(self, read: AbstractSet[str], *, asked: bool) -> Iterator[tuple[str, str]]:
        """What may support a claim and was not read: texts that are unknown, all of them where nobody was asked."""
        context = self.inquiry.context
        if not asked and self.inquiry.is_answered:
            yield from ((item.chunk_id, _NOT_ASKED) for item in context.passages)
        yield from ((passage, _NO_TEXT) for passage in context.silent if passage not in read)
        if context.origin == "unknown" and not context.silent and not read:
            yield CONTEXT_ID, "the trace does not say what the model saw"

    def citations(self) -> tuple[CitationVerdict, ...]:
        """What each citation is worth, by what the passages it points at say about the claims it backs."""
        if not self.inquiry.placed:
            return ()
        elsewhere = (
            row
            for question, ruling in self._of.get("citation", ())
            if isinstance(ruling, SupportRuling)
            for row in _support_rows(question, ruling)
        )
        judged = {(row.claim, row.passage): row for row in (*self.support, *elsewhere)}
        return citation_verdicts(self.inquiry.placed, judged, self.inquiry.stated)

    def coverage(self) -> Iterator[Coverage]:
        """In the order of the required claims: missing where there is no answer, undecided where nobody decided it."""
        decided = {
            question.place.required_claim: (question.hash, ruling)
            for question, ruling in self._of.get("coverage", ())
            if isinstance(ruling, CoverageRuling)
        }
        for index in range(len(self.inquiry.case.required_claims)):
            id_ = self.inquiry.case.claim_id(index)
            if id_ in decided:
                hash_, ruling = decided[id_]
                yield Coverage(
                    required_claim=id_,
                    verdict=ruling.verdict,
                    quote=ruling.quote,
                    reason=ruling.reason,
                    question=hash_,
                    stage=ruling.stage,
                )
            elif self.inquiry.is_answered:
                yield Coverage(required_claim=id_, verdict="undecided", reason=_NOT_ASKED)
            else:
                blank = self.inquiry.blank
                reason = "the answer is blank" if blank else "there is no answer that could make it"
                yield Coverage(required_claim=id_, verdict="missing", reason=reason)

    def agreement(self) -> Iterator[Agreement]:
        """In the order of the claims that need evidence, where there is a reference; undecided where nobody did."""
        reference = self.inquiry.case.reference_answer
        if not self.inquiry.is_answered or not reference or not reference.strip():
            return
        decided = {
            question.place.claim: (question.hash, ruling)
            for question, ruling in self._of.get("agreement", ())
            if isinstance(ruling, AgreementRuling)
        }
        for claim in self.inquiry.stated:
            if claim.id not in decided:
                yield Agreement(claim=claim.id, verdict="undecided", reason=_NOT_ASKED)
                continue
            hash_, ruling = decided[claim.id]
            yield Agreement(
                claim=claim.id, verdict=ruling.verdict, reason=ruling.reason, question=hash_, stage=ruling.stage
            )

    def reference(self) -> tuple[ReferenceSupport, ...] | None:
        """What the context as a whole says about each statement of the reference; None where nobody looked.

        Where nothing was supplied, nothing supports it; where the text of a passage is unknown, silence tells nothing.
        """
        statements, context = self.inquiry.segmentation.reference, self.inquiry.context
        if statements is None or not self.inquiry.asks_reference:
            return None
        decided = {
            question.place.number: (question.hash, ruling)
            for question, ruling in self._of.get("reference", ())
            if isinstance(ruling, SupportRuling)
        }
        if not decided and statements and (context.passages or not context.complete):
            return None
        silence: SupportVerdict = "unsupported" if context.complete else "undecided"
        return tuple(
            _reference_row(statement, decided.get(number), silence)
            for number, statement in enumerate(statements, start=1)
        )

    def conflicts(self) -> tuple[SourceConflict, ...] | None:
        """The conflicts between sources; None where nobody looked, or they were not seen together."""
        told = [ruling for _, ruling in self._of.get("conflicts", ()) if isinstance(ruling, ConflictsRuling)]
        return told[0].conflicts if told else None

    def addresses_question(self) -> bool | None:
        """Whether the answer responds to the question; None where nobody can tell."""
        told = [ruling for _, ruling in self._of.get("addressed", ()) if isinstance(ruling, AddressedRuling)]
        return told[0].addresses if told else None

    def support_score(self) -> float | None:
        """How well supported the answer is, for the order of review queues; None: nothing to hold it against."""
        context = self.inquiry.context
        if self.inquiry.blank or context.origin == "unknown" or (context.silent and not context.passages):
            return None
        asked = "support" in self._of
        return self.said.rulings.support_score if asked else self.said.segmentation.support_score


def _support_rows(question: Question, ruling: SupportRuling) -> list[Support]:
    claim = question.place.claim or ""
    return [
        Support(
            claim=claim,
            passage=row.passage,
            verdict=row.verdict,
            quote=row.quote,
            missing_qualification=row.missing_qualification,
            reason=row.reason,
            question=question.hash,
            stage=ruling.stage,
            score=row.score,
        )
        for row in ruling.passages
    ]


def _reference_row(
    statement: str, decided: tuple[str, SupportRuling] | None, silence: SupportVerdict
) -> ReferenceSupport:
    """The strongest any passage says; `silence` where all of them say nothing."""
    if decided is None:
        return ReferenceSupport(statement=statement, verdict=silence)
    hash_, ruling = decided
    best = _strongest(ruling.passages)
    if best is None or best.verdict == "unsupported":
        score = None if best is None else best.score
        return ReferenceSupport(statement=statement, verdict=silence, question=hash_, stage=ruling.stage, score=score)
    shown = best.verdict not in OPEN
    return ReferenceSupport(
        statement=statement,
        verdict=best.verdict,
        passage=best.passage if shown else None,
        quote=best.quote if shown else None,
        question=hash_,
        stage=ruling.stage,
        score=best.score,
    )


def _strongest(rows: Iterable[PassageRuling]) -> PassageRuling | None:
    ranked: list[tuple[SupportVerdict, PassageRuling]] = [(row.verdict, row) for row in rows]
    return strongest(ranked) if ranked else None
