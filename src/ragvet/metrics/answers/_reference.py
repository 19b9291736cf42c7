"""Accuracy: how the claims of an answer stand to the reference answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ragvet.metrics.answers._batch import NO_CLAIMS, Batch
from ragvet.metrics.answers._metric import AnswerMetric, has_reference
from ragvet.metrics.answers._outcomes import Missing, Outcomes, either, share, share_of
from ragvet.records import AgreementVerdict, Fault, MetricDeclaration
from ragvet.records.facts import Facts

__all__ = ["METRICS", "agreement", "no_agreement"]

_UNDEFINED_WHEN = (
    "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
    "agreement with the reference was not judged"
)
_UNKNOWN = "agreement of some claims is undecided"


def agreement(batch: Batch) -> Sequence[AgreementVerdict]:
    """How each claim that needs evidence stands to the reference; one nobody judged is undecided."""
    judged: dict[tuple[int, str], AgreementVerdict] = {
        (row.answer, row.claim): row.verdict for row in batch.judged.agreement
    }
    return [judged.get((claim.answer, claim.claim), "undecided") for claim in batch.claims]


def no_agreement(batch: Batch) -> Missing:
    """Why no claim can be held against the reference."""
    judged = {row.answer for row in batch.judged.agreement}
    none = [None if place in judged else "agreement with the reference was not judged" for place in range(len(batch))]
    return either(batch.no_claims, none)


def _that(verdict: AgreementVerdict) -> Callable[[Batch], Outcomes]:
    """Claims that stand so to the reference / claims that need evidence."""

    def measure(batch: Batch) -> Outcomes:
        facts = Facts.of(None if stands == "undecided" else stands == verdict for stands in agreement(batch))
        missing = no_agreement(batch)
        return share_of(facts, batch.claim_answers, missing=missing, empty=NO_CLAIMS, unknown=_UNKNOWN)

    return measure


def _accuracy(batch: Batch) -> Outcomes:
    stands = np.array(agreement(batch), np.str_)
    agree, contradict, undecided = (
        np.bincount(batch.claim_answers[stands == verdict], minlength=len(batch)).astype(np.float64)
        for verdict in ("agree", "contradict", "undecided")
    )
    # An undecided claim may agree, contradict or go beyond the reference. The last leaves numerator and denominator
    # alone, so it never gives a worse value than contradicting nor a better one than agreeing.
    total, missing = agree + contradict + undecided, no_agreement(batch)
    empty = "every claim goes beyond the reference"
    return share(agree, agree + undecided, total, missing=missing, empty=empty, unknown=_UNKNOWN)


ACCURACY = AnswerMetric(
    MetricDeclaration(
        name="accuracy",
        version=1,
        title="Of the claims the reference speaks about, the share that agrees with it.",
        family="Completeness and accuracy",
        headline=13,
        direction="higher",
        applies_to="cases expected to be answered that have a reference answer",
        needs="a reference answer valid on the effective date; agreement of each claim with it",
        undefined_when=(
            "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
            "agreement with the reference was not judged; every claim goes beyond the reference"
        ),
        does_not_catch=(
            "What the answer leaves out; false claims the reference does not speak about; an outdated reference."
        ),
        formula="agreeing claims / (agreeing + contradicting claims)",
        reference="ragvet",
    ),
    measure=_accuracy,
    applies=has_reference,
)


REFERENCE_AGREEMENT = AnswerMetric(
    MetricDeclaration(
        name="reference_agreement",
        version=1,
        title="The share of claims that agree with the reference answer.",
        family="Completeness and accuracy",
        direction="higher",
        applies_to="cases expected to be answered that have a reference answer",
        needs="a reference answer; agreement of each claim with it",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="What the answer leaves out; a true addition lowers it like an error.",
        formula="agreeing claims / claims that need evidence",
        reference="ragvet",
    ),
    measure=_that("agree"),
    applies=has_reference,
)


REFERENCE_CONTRADICTION = AnswerMetric(
    MetricDeclaration(
        name="reference_contradiction",
        version=1,
        title="The share of claims that contradict the reference answer.",
        family="Completeness and accuracy",
        stage="supported",
        fault=Fault(says="against the reference answer", gravity=40, above=0, counts="claim"),
        direction="lower",
        applies_to="cases expected to be answered that have a reference answer",
        needs="a reference answer; agreement of each claim with it",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="False claims the reference does not speak about; how much harm a contradiction does.",
        formula="contradicting claims / claims that need evidence",
        reference="ragvet",
    ),
    measure=_that("contradict"),
    applies=has_reference,
)


REFERENCE_EXTRA = AnswerMetric(
    MetricDeclaration(
        name="reference_extra",
        version=1,
        title="The share of claims that go beyond the reference answer.",
        family="Completeness and accuracy",
        direction="none",
        applies_to="cases expected to be answered that have a reference answer",
        needs="a reference answer; agreement of each claim with it",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Whether the additions are true, or wanted.",
        formula="extra claims / claims that need evidence",
        reference="ragvet",
    ),
    measure=_that("extra"),
    applies=has_reference,
)


METRICS = (
    ACCURACY,
    REFERENCE_AGREEMENT,
    REFERENCE_CONTRADICTION,
    REFERENCE_EXTRA,
)
