"""ALCE: which citations of a sentence support it together, and which of them it needs."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from ragvet.metrics.answers._batch import NO_CLAIMS, Batch, CitationRow
from ragvet.metrics.answers._citations import CITATIONS_UNKNOWN, UNCHECKED, backs, cited_passages, supported_by
from ragvet.metrics.answers._metric import AnswerMetric, expects_answer
from ragvet.metrics.answers._outcomes import Missing, Outcomes, either, share, share_of
from ragvet.records import MetricDeclaration
from ragvet.records.facts import Facts
from ragvet.records.lattice import all_of, any_of

__all__ = ["METRICS"]

_UNDEFINED_WHEN = (
    "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
    "the target reports no citations and none stands in the text; some citation was not judged"
)
_MAX_OPEN = 12
"""Open cells of one sentence up to which every completion is tried: 4,096."""

Row = tuple[bool | None, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence with claims that need evidence.

    Attributes:
        rows: per citation of the sentence, whether it supports each of the sentence's claims; None: open.
        claims: how many claims it makes.
    """

    rows: tuple[Row, ...]
    claims: int

    @property
    def supported(self) -> bool | None:
        """Whether its citations together support all its claims; None: open."""
        return all_of(any_of(row[claim] for row in self.rows) for claim in range(self.claims))

    def needed_citations(self) -> tuple[int, int]:
        """Fewest and most citations the sentence needs, over all completions of its open cells.

        Exact for one claim, and for several up to 12 open cells; beyond, the range encloses the exact one.
        """
        if self.supported is False:
            return 0, 0
        if self.claims == 1:  # every supporting citation counts, none other
            sure = sum(row[0] is True for row in self.rows)
            return sure, sum(row[0] is not False for row in self.rows)
        places = [(i, j) for i, row in enumerate(self.rows) for j, cell in enumerate(row) if cell is None]
        if len(places) > _MAX_OPEN:
            return 0, sum(any(cell is not False for cell in row) for row in self.rows)
        counts: list[int] = []
        for values in product((False, True), repeat=len(places)):
            cells = [list(row) for row in self.rows]
            for (i, j), value in zip(places, values, strict=True):
                cells[i][j] = value
            counts.append(_needed(cells))
        return min(counts), max(counts)


def _together(rows: Iterable[list[bool | None]], claims: int) -> bool:
    held = list(rows)
    return all(any(row[claim] for row in held) for claim in range(claims))


def _needed(rows: list[list[bool | None]]) -> int:
    claims = len(rows[0])
    if not _together(rows, claims):
        return 0
    return sum(all(row) or not _together((other for other in rows if other is not row), claims) for row in rows)


def _missing(batch: Batch) -> Missing:
    """Why there is no sentence to measure."""
    judged = {(row.answer, row.citation) for row in batch.judged.citations}
    unknown: list[str | None] = []
    for place, (one, rows) in enumerate(zip(batch.answers, batch.citations_of, strict=True)):
        if not rows and one.answer.citations is None:
            unknown.append(CITATIONS_UNKNOWN)
        else:
            every = all((place, index) in judged for index in range(len(one.citations)))
            unknown.append(None if every else "some citation was not judged")
    return either(batch.no_claims, unknown)


def _sentences(batch: Batch, missing: Missing) -> Sequence[Sequence[_Sentence]]:
    """For each answer that is measured its sentences with claims that need evidence, in order."""
    return [
        () if missing[place] or not expects_answer(one.case) else tuple(_of_answer(batch, place))
        for place, one in enumerate(batch.answers)
    ]


def _of_answer(batch: Batch, place: int) -> Iterable[_Sentence]:
    """The sentences of one answer; a citation belongs to those whose claims it backs."""
    starts = batch.answers[place].sentence_starts
    members: defaultdict[int, list[str]] = defaultdict(list)
    for claim in batch.claims_of[place]:
        members[bisect_right(starts, claim.start)].append(claim.claim)
    cited = batch.citations_of[place]
    for _, claims in sorted(members.items()):
        own = [row for row in cited if not set(claims).isdisjoint(row.claims)]
        yield _Sentence(tuple(tuple(_entails(batch, row, claim) for claim in claims) for row in own), len(claims))


def _entails(batch: Batch, row: CitationRow, claim: str) -> bool | None:
    """Whether a citation of the sentence supports one of its claims, though it may have been put to another of them.

    Only of passages before the model is it known that they say nothing to a claim for which they are not listed.
    """
    if claim in row.claims or row.resolves is False:
        return backs(batch, row, claim)
    passages, held_against = cited_passages(batch, row), batch.answers[row.answer].held_against
    looked_at = [one for one in passages if one in held_against or (row.answer, claim, one) in batch.cells]
    known = supported_by(batch, row.answer, claim, looked_at)
    return known or (known if passages and looked_at == passages else None)


def _precision(batch: Batch) -> Outcomes:
    missing = _missing(batch)
    fewest, most, cited = np.zeros(len(batch)), np.zeros(len(batch)), np.zeros(len(batch))
    for place, sentences in enumerate(_sentences(batch, missing)):
        for sentence in sentences:
            low, high = sentence.needed_citations()
            fewest[place] += low
            most[place] += high
            cited[place] += len(sentence.rows)
        cited[place] += _unattached(batch, place)
    return share(fewest, most, cited, missing=missing, empty="the answer cites nothing", unknown=UNCHECKED)


def _unattached(batch: Batch, place: int) -> int:
    """How many citations back no claim that needs evidence."""
    claims = {claim.claim for claim in batch.claims_of[place]}
    return sum(claims.isdisjoint(row.claims) for row in batch.citations_of[place])


def _recall(batch: Batch) -> Outcomes:
    missing = _missing(batch)
    held = [(place, one.supported) for place, found in enumerate(_sentences(batch, missing)) for one in found]
    answers = np.array([place for place, _ in held], np.intp)
    facts = Facts.of(fact for _, fact in held)
    return share_of(facts, answers, missing=missing, empty=NO_CLAIMS, unknown=UNCHECKED)


ALCE_CITATION_PRECISION = AnswerMetric(
    MetricDeclaration(
        name="alce_citation_precision",
        version=2,
        title="The share of citations that their sentence needs (ALCE).",
        family="Citations",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=_UNDEFINED_WHEN + "; it cites nothing",
        does_not_catch="Sentences without any citation.",
        formula=(
            "citations that support their whole sentence, or without which its other citations would not, in "
            "a supported sentence / citations; one that belongs to no sentence counts as not needed"
        ),
        reference=(
            "Gao et al. 2023, Enabling LLMs to Generate Text with Citations: ALCE (EMNLP), section 4; joint "
            "entailment by claim"
        ),
    ),
    measure=_precision,
)


ALCE_CITATION_RECALL = AnswerMetric(
    MetricDeclaration(
        name="alce_citation_recall",
        version=2,
        title="The share of sentences whose citations together support all their claims (ALCE).",
        family="Citations",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch=(
            "Citations that support nothing, beside those that do; claims of one sentence that only two "
            "passages together entail."
        ),
        formula=(
            "sentences each of whose claims some citation of the sentence supports / sentences with claims "
            "that need evidence"
        ),
        reference=(
            "Gao et al. 2023, Enabling LLMs to Generate Text with Citations: ALCE (EMNLP), section 4; joint "
            "entailment by claim"
        ),
    ),
    measure=_recall,
)


METRICS = (
    ALCE_CITATION_PRECISION,
    ALCE_CITATION_RECALL,
)
