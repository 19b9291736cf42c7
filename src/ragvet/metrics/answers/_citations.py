"""Citations: whether they exist, hold what they are cited for, and may be cited."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ragvet.metrics.answers._batch import NO_CLAIMS, Batch, CitationRow, places
from ragvet.metrics.answers._metric import AnswerMetric, every_case
from ragvet.metrics.answers._outcomes import Missing, Outcomes, either, share_of
from ragvet.records import Fault, MetricDeclaration
from ragvet.records.facts import Facts
from ragvet.records.lattice import any_of, supported

__all__ = [
    "CITATIONS_UNKNOWN",
    "EXISTING_UNDEFINED_WHEN",
    "METRICS",
    "UNCHECKED",
    "backs",
    "cited_passages",
    "existing",
    "not_checked",
    "supported_by",
]

_UNDEFINED_WHEN = (
    "the answer is blank, refuses, asks back or routes; it cites nothing; the target reports no citations and "
    "none stands in the text"
)
EXISTING_UNDEFINED_WHEN = (
    "it cites nothing; the target reports no citations and none stands in the text; every citation leads nowhere"
)
CITATIONS_UNKNOWN = "the target reports no citations and none stands in the text"
UNCHECKED = "some citations could not be checked"
_NOTHING = "the answer cites nothing"

Check = Callable[[CitationRow], bool | None]
"""What is looked at in a citation; None: it could not be."""


def existing(batch: Batch, check: Check) -> list[CitationRow]:
    """The citations of a batch of which only what exists can pass the check: a version, readers.

    One known to lead nowhere is left out where the check could not run, for nothing about it is unknown.
    """
    return [row for row in _all(batch) if not (row.resolves is False and check(row) is None)]


def not_checked(batch: Batch, rows: Sequence[CitationRow], check: Check, unchecked: str | None) -> Missing:
    """Why a check of these citations says nothing. Where it ran for no citation, that is `unchecked`, if given.

    What was cited is looked at whether it answered the question or not: a refusal can leak as well.
    """
    some = {row.answer for row in rows}
    ran = some if unchecked is None else {row.answer for row in rows if check(row) is not None}
    found = [
        None if place in ran else unchecked if place in some else "every citation leads nowhere"
        for place in range(len(batch))
    ]
    none = [
        None if cited else CITATIONS_UNKNOWN if one.answer.citations is None else _NOTHING
        for one, cited in zip(batch.answers, batch.citations_of, strict=True)
    ]
    return either(none, found)


def _all(batch: Batch) -> list[CitationRow]:
    return [row for rows in batch.citations_of for row in rows]


def _share(batch: Batch, rows: Sequence[CitationRow], check: Check, unchecked: str | None = None) -> Outcomes:
    """The share of the citations of an answer that pass a check."""
    missing = either(batch.no_answer, not_checked(batch, rows, check, unchecked))
    return share_of(Facts.of(map(check, rows)), places(rows), missing=missing, empty=_NOTHING, unknown=UNCHECKED)


def _existing_share(batch: Batch, check: Check, unchecked: str) -> Outcomes:
    """The share of existing citations that pass a check, whatever was expected and whatever the system did."""
    rows = existing(batch, check)
    missing = not_checked(batch, rows, check, unchecked)
    return share_of(Facts.of(map(check, rows)), places(rows), missing=missing, empty=_NOTHING, unknown=UNCHECKED)


def _supports(row: CitationRow) -> bool | None:
    """Whether the citation supports every claim it backs. One that leads nowhere does not; None: open."""
    return False if row.resolves is False else supported(row.verdict)


def _precision(batch: Batch) -> Outcomes:
    return _share(batch, _all(batch), _supports)


def _recall(batch: Batch) -> Outcomes:
    unknown = [
        CITATIONS_UNKNOWN if not rows and one.answer.citations is None and not batch.cites else None
        for one, rows in zip(batch.answers, batch.citations_of, strict=True)
    ]
    facts = Facts.of(
        any_of(backs(batch, row, claim.claim) for row in batch.citations_of[claim.answer]) for claim in batch.claims
    )
    missing = either(batch.no_claims, unknown)
    return share_of(facts, batch.claim_answers, missing=missing, empty=NO_CLAIMS, unknown=UNCHECKED)


def _resolves(batch: Batch) -> Outcomes:
    return _share(batch, _all(batch), lambda row: row.resolves, "no citation could be looked up")


def _retrieved(batch: Batch) -> Outcomes:
    unchecked = "no citation could be compared with what was retrieved"
    return _share(batch, _all(batch), lambda row: row.retrieved, unchecked)


def _right_version(batch: Batch) -> Outcomes:
    def check(row: CitationRow) -> bool | None:
        return row.right_version

    return _existing_share(batch, check, "no citation's version could be checked")


def _permitted(batch: Batch) -> Outcomes:
    def check(row: CitationRow) -> bool | None:
        return row.permitted

    return _existing_share(batch, check, "no citation could be held against the caller's rights")


def backs(batch: Batch, row: CitationRow, claim: str) -> bool | None:
    """Whether a citation backs this claim of its answer; None: open.

    A citation's own verdict is about all its claims together. One of no claim stands for the answer as a whole, and its
    verdict says whether it supports any. Where the verdict does not settle it, that of the cited passage on this claim
    does; without one it stays open which of the claims fell short.
    """
    if row.resolves is False or (row.claims and claim not in row.claims):
        return False
    whole = supported(row.verdict)
    settled = whole is True if row.claims else whole is False
    if settled or len(row.claims or batch.claims_of[row.answer]) == 1:
        return whole
    if not row.claims and row.retrieved is None:  # nobody looked at what it points at, nor at what it backs
        return None
    passages = [one for one in cited_passages(batch, row) if (row.answer, claim, one) in batch.cells]
    return supported_by(batch, row.answer, claim, passages) if passages else None


def cited_passages(batch: Batch, row: CitationRow) -> list[str]:
    """Ids of the chunks a citation points at; of a document all its chunks."""
    one = batch.answers[row.answer]
    if row.citation >= len(one.citations):
        return []
    return [item.chunk_id for item in one.known.cited(one.citations[row.citation])]


def supported_by(batch: Batch, answer: int, claim: str, passages: Sequence[str]) -> bool | None:
    """Whether one of the passages supports the claim; None: that hangs on open verdicts."""
    return any_of(supported(batch.cells.get((answer, claim, passage), "unsupported")) for passage in passages)


CITATION_PRECISION = AnswerMetric(
    MetricDeclaration(
        name="citation_precision",
        version=1,
        title="The share of citations that support every claim they back.",
        family="Citations",
        headline=7,
        stage="cited",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Claims without any citation; a citation that supports its claim and was not needed.",
        formula="supporting citations / citations; one that leads nowhere does not support",
        reference="Liu et al. 2023, Evaluating Verifiability in Generative Search Engines (Findings of EMNLP)",
    ),
    measure=_precision,
)


CITATION_RECALL = AnswerMetric(
    MetricDeclaration(
        name="citation_recall",
        version=3,
        title="The share of claims needing evidence that carry a citation supporting them.",
        family="Citations",
        headline=12,
        stage="cited",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=(
            "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; no answer of "
            "the run cites anything, and none is reported"
        ),
        does_not_catch="Citations that support nothing, piled on top of those that do.",
        formula=(
            "claims with a supporting citation / claims that need evidence; a citation of the answer as a whole "
            "counts for each claim its passage supports; where the system cites, an answer without citations has 0"
        ),
        reference="Liu et al. 2023, Evaluating Verifiability in Generative Search Engines (Findings of EMNLP)",
    ),
    measure=_recall,
)


CITATION_RESOLVES = AnswerMetric(
    MetricDeclaration(
        name="citation_resolves",
        version=1,
        title="The share of citations that point at a chunk or document that exists.",
        family="Citations",
        stage="cited",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=_UNDEFINED_WHEN + "; no citation could be looked up",
        does_not_catch="Whether the cited text says what the claim says.",
        formula="resolving citations / citations",
        reference="ragvet",
    ),
    measure=_resolves,
)


CITATION_RETRIEVED = AnswerMetric(
    MetricDeclaration(
        name="citation_retrieved",
        version=1,
        title="The share of citations that point at something this answer's own retrieval found.",
        family="Citations",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="citations reported by the target; a judge's verdict on each",
        undefined_when=_UNDEFINED_WHEN + "; no citation could be compared with what was retrieved",
        does_not_catch=(
            "Whether the cited text says what the claim says; a citation of a passage retrieved and never read."
        ),
        formula="citations of retrieved or supplied items / citations",
        reference="ragvet",
    ),
    measure=_retrieved,
)


CITATION_RIGHT_VERSION = AnswerMetric(
    MetricDeclaration(
        name="citation_right_version",
        version=3,
        title="The share of citations that point at the document version in force on the effective date.",
        family="Citations",
        stage="in force",
        direction="higher",
        applies_to="every case",
        needs="citations with versions; a corpus register with validity dates or status",
        undefined_when=EXISTING_UNDEFINED_WHEN + "; no citation's version could be checked",
        does_not_catch="A version in force whose content is wrong; stale passages used without being cited.",
        formula="citations of the right version / citations, without those known to lead nowhere",
        reference="ragvet",
    ),
    measure=_right_version,
    applies=every_case,
)


CITATION_PERMITTED = AnswerMetric(
    MetricDeclaration(
        name="citation_permitted",
        version=3,
        title="The share of citations that the caller may open.",
        family="Citations",
        stage="permitted",
        fault=Fault(says="cites what the caller may not read", gravity=20, below=1),
        direction="higher",
        applies_to="every case",
        needs="the caller's identity; a corpus register with audiences",
        undefined_when=EXISTING_UNDEFINED_WHEN + "; no citation could be held against the caller's rights",
        does_not_catch="Forbidden text that was read and used without being cited.",
        formula="permitted citations / citations, without those known to lead nowhere",
        reference="ragvet",
    ),
    measure=_permitted,
    applies=every_case,
)


METRICS = (
    CITATION_PRECISION,
    CITATION_RECALL,
    CITATION_RESOLVES,
    CITATION_RETRIEVED,
    CITATION_RIGHT_VERSION,
    CITATION_PERMITTED,
)
