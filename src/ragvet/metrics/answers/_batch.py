"""Answers with everything judged about them, as metrics see them: many at once, a fact a row."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
import polars as pl

from ragvet.judging import KnownItems, answer_citations, retrieved_items, split_claims, supplied_context
from ragvet.metrics.answers._chunk_grades import ChunkGrades
from ragvet.metrics.answers._metric import Condition
from ragvet.metrics.answers._outcomes import Missing, either
from ragvet.records import (
    AgreementVerdict,
    Answer,
    Case,
    Citation,
    CoverageVerdict,
    ObservedBehaviour,
    SupportVerdict,
    Trace,
    Verdicts,
)
from ragvet.records.facts import ClaimVerdicts, Places

__all__ = ["NO_CLAIMS", "AnsweredCase", "Batch", "CitationRow", "ClaimRow", "Judged"]

NO_CLAIMS = "the answer makes no claim that needs evidence"

_NOT_ANSWERED = {
    "refused": "the system refused",
    "clarified": "the system asked back",
    "routed": "the system routed the question",
}


class HeadRow(NamedTuple):
    """What was judged about one answer as a whole; `answer` is its place in the batch, here and below."""

    answer: int
    behaviour: ObservedBehaviour | None
    addresses_question: bool | None
    reference_judged: bool
    conflicts_judged: bool


class ClaimRow(NamedTuple):
    """A claim of an answer."""

    answer: int
    claim: str
    start: int
    needs_evidence: bool
    addresses_question: bool | None


class SupportRow(NamedTuple):
    """What a passage says about a claim."""

    answer: int
    claim: str
    passage: str
    verdict: SupportVerdict
    missing_qualification: bool


class CitationRow(NamedTuple):
    """What a citation is worth."""

    answer: int
    citation: int
    claims: Sequence[str]
    resolves: bool | None
    retrieved: bool | None
    right_version: bool | None
    permitted: bool | None
    verdict: SupportVerdict


class CoverageRow(NamedTuple):
    """Whether the answer makes a required claim."""

    answer: int
    required_claim: str
    verdict: CoverageVerdict


class AgreementRow(NamedTuple):
    """How a claim stands to the reference answer."""

    answer: int
    claim: str
    verdict: AgreementVerdict


class ReferenceRow(NamedTuple):
    """Whether the context supports a statement of the reference."""

    answer: int
    verdict: SupportVerdict


class ConflictRow(NamedTuple):
    """Whether the answer tells of two passages that disagree."""

    answer: int
    surfaced: bool | None


Row = TypeVar("Row", HeadRow, ClaimRow, SupportRow, CitationRow, CoverageRow, AgreementRow, ReferenceRow, ConflictRow)


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts on the answers of a batch, a fact a row; the facts about one answer in their own order."""

    heads: Sequence[HeadRow] = ()
    claims: Sequence[ClaimRow] = ()
    support: Sequence[SupportRow] = ()
    citations: Sequence[CitationRow] = ()
    coverage: Sequence[CoverageRow] = ()
    agreement: Sequence[AgreementRow] = ()
    reference: Sequence[ReferenceRow] = ()
    conflicts: Sequence[ConflictRow] = ()

    @classmethod
    def of_tables(cls, tables: Mapping[str, pl.DataFrame], answers: Sequence[tuple[str, int]]) -> Judged:
        """From the verdict tables.

        Args:
            tables: with the rows of at least these answers.
            answers: case id and repeat of each answer of the batch.
        """
        keys = pl.DataFrame(answers, schema={"case_id": pl.String, "repeat": pl.UInt32}, orient="row")
        places = keys.with_row_index("answer")

        def rows(kind: type[Row], table: str) -> list[Row]:
            own = tables[table].filter(pl.col("member").is_null())
            if "failure" in own.columns:  # a judge that failed said nothing about the answer
                own = own.filter(pl.col("failure").is_null())
            joined = own.join(places, on=["case_id", "repeat"], maintain_order="left")
            return [kind(*row) for row in joined.select(kind._fields).iter_rows()]

        return cls(
            heads=rows(HeadRow, "judged"),
            claims=rows(ClaimRow, "claims"),
            support=rows(SupportRow, "support"),
            citations=rows(CitationRow, "citations"),
            coverage=rows(CoverageRow, "coverage"),
            agreement=rows(AgreementRow, "agreement"),
            reference=rows(ReferenceRow, "reference_support"),
            conflicts=rows(ConflictRow, "conflicts"),
        )

    @classmethod
    def of_verdicts(cls, verdicts: Sequence[Verdicts | None]) -> Judged:
        """From records, one for each answer of the batch; None where no judge was heard."""
        heard = [(place, one) for place, one in enumerate(verdicts) if one is not None]
        return cls(
            heads=[
                HeadRow(place, one.behaviour.observed, one.addresses_question, one.reference_support is not None,
                        one.conflicts is not None)
                for place, one in heard
            ],
            claims=[
                ClaimRow(place, claim.id, claim.start, claim.needs_evidence, claim.addresses_question)
                for place, one in heard for claim in one.claims
            ],
            support=[
                SupportRow(place, row.claim, row.passage, row.verdict, row.missing_qualification)
                for place, one in heard for row in one.support
            ],
            citations=[
                CitationRow(place, row.citation, row.claims, row.resolves, row.retrieved, row.right_version,
                            row.permitted, row.verdict)
                for place, one in heard for row in one.citations
            ],
            coverage=[
                CoverageRow(place, row.required_claim, row.verdict) for place, one in heard for row in one.coverage
            ],
            agreement=[AgreementRow(place, row.claim, row.verdict) for place, one in heard for row in one.agreement],
            reference=[
                ReferenceRow(place, row.verdict) for place, one in heard for row in one.reference_support or ()
            ],
            conflicts=[ConflictRow(place, row.surfaced) for place, one in heard for row in one.conflicts or ()],
        )  # fmt: skip


@dataclass(frozen=True)
class AnsweredCase:
    """One answer with what was asked, and which of its chunks carry evidence: all that is known without a judge."""

    case: Case
    trace: Trace
    answer: Answer
    evidence: ChunkGrades = field(default_factory=ChunkGrades)

    @cached_property
    def blank(self) -> bool:
        """True where the answer has no visible character."""
        return not any(
            not character.isspace() and unicodedata.category(character)[0] != "C"
            for character in self.answer.text or ""
        )

    @property
    def silent(self) -> bool:
        """A blank answer without the system's own flag: it shows no behaviour, whatever a judge made of it."""
        return self.blank and self.answer.behaviour is None

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """The citations the target reported, else those that stand in the text."""
        return answer_citations(self.answer)

    @cached_property
    def known(self) -> KnownItems:
        """The items of the trace, to look up what a citation points at."""
        return KnownItems.of(self.answer)

    @cached_property
    def sentence_starts(self) -> Sequence[int]:
        """Where the sentences of the answer begin."""
        return [sentence.start for sentence in split_claims(self.answer.text or "")]

    @cached_property
    def held_against(self) -> frozenset[str]:
        """Ids of the passages a judge holds every claim against."""
        return frozenset(item.chunk_id for item in supplied_context(self.answer).passages)

    @cached_property
    def shown(self) -> frozenset[str] | None:
        """The chunks before the model: supplied, or where that is not reported those within the supplied depth.

        None: the target reported neither.
        """
        if self.answer.supplied is not None:
            return frozenset(item.chunk_id for item in self.answer.supplied)
        if not self.answer.retrievals:
            return None
        if self.evidence.within_depth is not None:
            return self.evidence.within_depth
        return frozenset(item.chunk_id for item in retrieved_items(self.answer))

    @cached_property
    def evidence_shown(self) -> bool | None:
        """Whether an annotated passage was before the model. None: what was there is unknown, or not joined."""
        return None if self.shown is None else self.evidence.gold_among(self.shown)

    def no_context(self, *, judged: bool) -> str | None:
        """Why nothing can be held against the supplied context, or None.

        Args:
            judged: whether somebody judged support all the same, though the trace does not hold what was supplied.
        """
        context = supplied_context(self.answer)
        if context.passages or (context.silent and judged):
            return None
        if context.silent:
            return "the trace holds no text of what was supplied"
        if context.origin == "unknown" and not self.answer.retrievals:
            return "the target reported neither context nor retrieval"
        return "nothing was supplied to the model"


class Batch:
    """Answers and the verdicts on them, and what several metrics need to know of both.

    Args:
        answers: the answers.
        judged: what was judged about them; of an answer that was not judged there are no rows.
        validated: what the project declared an answer must satisfy to count as validated.
        cites: whether the system cites what it says: then a claim without a citation lacks one. None: unknown.
    """

    def __init__(
        self,
        answers: Sequence[AnsweredCase],
        judged: Judged,
        validated: tuple[Condition, ...] = (),
        *,
        cites: bool | None = None,
    ) -> None:
        self.answers = answers
        self.judged = judged
        self.validated = validated
        self.cites = cites

    def __len__(self) -> int:
        return len(self.answers)

    @cached_property
    def observed(self) -> Sequence[ObservedBehaviour | None]:
        """What the system did with each question, as it was judged or, where nobody did, as the system says.

        None: undecided.
        """
        seen: dict[int, ObservedBehaviour | None] = {head.answer: head.behaviour for head in self.judged.heads}
        return [seen.get(place, one.answer.behaviour) for place, one in enumerate(self.answers)]

    @cached_property
    def no_answer(self) -> Missing:
        """Why there is no answer to measure: blank, refused, clarified, routed."""
        return [
            _NOT_ANSWERED.get(observed or "") or ("the answer is blank" if answer.blank else None)
            for answer, observed in zip(self.answers, self.observed, strict=True)
        ]

    @cached_property
    def no_claims(self) -> Missing:
        """Why no claim can be measured."""
        some = {claim.answer for claim in self.claims}
        return either(self.no_answer, [None if place in some else NO_CLAIMS for place in range(len(self))])

    @cached_property
    def no_context(self) -> Missing:
        """Why nothing can be held against the supplied context."""
        judged = {row.answer for row in self.judged.support}
        return [answer.no_context(judged=place in judged) for place, answer in enumerate(self.answers)]

    @cached_property
    def claims(self) -> Sequence[ClaimRow]:
        """The claims that need evidence."""
        return [claim for claim in self.judged.claims if claim.needs_evidence]

    @cached_property
    def claim_answers(self) -> Places:
        """int, for each of `claims` its answer."""
        return places(self.claims)

    @cached_property
    def claim_places(self) -> Mapping[tuple[int, str], int]:
        """Answer and claim id → place among `claims`."""
        return {(claim.answer, claim.claim): place for place, claim in enumerate(self.claims)}

    @cached_property
    def claims_of(self) -> Sequence[Sequence[ClaimRow]]:
        """For each answer its `claims`."""
        found: list[list[ClaimRow]] = [[] for _ in self.answers]
        for claim in self.claims:
            found[claim.answer].append(claim)
        return found

    @cached_property
    def verdicts(self) -> ClaimVerdicts:
        """What the whole context says about each of `claims`."""
        known = self.claim_places
        rows: list[tuple[int, SupportVerdict]] = [
            (known[row.answer, row.claim], row.verdict)
            for row in self.judged.support
            if (row.answer, row.claim) in known
        ]
        return ClaimVerdicts.of(rows, len(self.claims))

    @cached_property
    def cells(self) -> Mapping[tuple[int, str, str], SupportVerdict]:
        """Answer, claim id and chunk id → what that passage says; of any claim, whether it needs evidence or not."""
        return {(row.answer, row.claim, row.passage): row.verdict for row in self.judged.support}

    @cached_property
    def citations_of(self) -> Sequence[Sequence[CitationRow]]:
        """For each answer what each of its citations is worth; one nobody judged is open in every respect."""
        judged: list[dict[int, CitationRow]] = [{} for _ in self.answers]
        for row in self.judged.citations:
            judged[row.answer][row.citation] = row
        for place, (answer, known) in enumerate(zip(self.answers, judged, strict=True)):
            for index in range(len(answer.citations)):
                if index not in known:
                    known[index] = CitationRow(place, index, (), None, None, None, None, "undecided")
        return [[known[index] for index in sorted(known)] for known in judged]


def places(rows: Iterable[HeadRow | ClaimRow | SupportRow | CitationRow | ReferenceRow | ConflictRow]) -> Places:
    """The answer each row is about."""
    return np.array([row.answer for row in rows], np.intp)
