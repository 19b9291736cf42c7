"""Faithfulness: what the supplied context says about the claims of an answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ragvet.metrics.answers._batch import NO_CLAIMS, Batch
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.metrics.answers._outcomes import Outcomes, either, share_of
from ragvet.records import Fault, MetricDeclaration, SupportVerdict
from ragvet.records.facts import Facts

__all__ = ["METRICS"]

_UNDEFINED_WHEN = (
    "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
    "nothing was supplied to the model or nobody knows what was"
)
_NEEDS = "a judge's claims and their support; the supplied context"


_OPEN = "some claims are undecided or their quotes unverified"


def _share(batch: Batch, facts: Facts, unknown: str = _OPEN) -> Outcomes:
    """Claims of which the facts hold / claims that need evidence."""
    missing = either(batch.no_claims, batch.no_context)
    return share_of(facts, batch.claim_answers, missing=missing, empty=NO_CLAIMS, unknown=unknown)


def _with(verdict: SupportVerdict) -> Callable[[Batch], Outcomes]:
    return lambda batch: _share(batch, batch.verdicts.holds(verdict))


def _left_open(*, unverified: bool) -> Callable[[Batch], Outcomes]:
    def measure(batch: Batch) -> Outcomes:
        left_open = ~batch.verdicts.settled & (batch.verdicts.unverified == unverified)
        return _share(batch, Facts.known(left_open))

    return measure


def _qualification_dropped(batch: Batch) -> Outcomes:
    flagged = {(row.answer, row.claim) for row in batch.judged.support if row.missing_qualification}
    dropped = np.array([(claim.answer, claim.claim) in flagged for claim in batch.claims], np.bool_)
    facts = Facts(dropped, dropped | ~batch.verdicts.settled)
    return _share(batch, facts, "some claims are undecided, so is what they drop")


FAITHFULNESS = AnswerMetric(
    MetricDeclaration(
        name="faithfulness",
        version=1,
        title="The share of claims that the supplied context supports.",
        family="Faithfulness to the context",
        headline=6,
        stage="supported",
        direction="higher",
        applies_to="cases expected to be answered",
        needs=_NEEDS,
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="An answer faithful to a wrong, outdated or irrelevant context; what the answer leaves out.",
        formula="supported claims / claims that need evidence; a claim no passage speaks about is unsupported",
        reference="Es et al. 2024, RAGAs (EACL); also called groundedness",
    ),
    measure=_with("supported"),
)

CONTRADICTED_SHARE = AnswerMetric(
    MetricDeclaration(
        name="contradicted_share",
        version=1,
        title="The share of claims that the supplied context contradicts.",
        family="Faithfulness to the context",
        headline=11,
        stage="supported",
        fault=Fault(says="contradicted by a passage", gravity=30, above=0, counts="claim"),
        direction="lower",
        applies_to="cases expected to be answered",
        needs=_NEEDS,
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch=(
            "Invented claims the context is silent about; contradictions with sources that were not supplied."
        ),
        formula="contradicted claims / claims that need evidence; a claim no passage speaks about is unsupported",
        reference="Ru et al. 2024, RAGChecker (NeurIPS): hallucination, split by verdict",
    ),
    measure=_with("contradicted"),
)

PARTIAL_SHARE = AnswerMetric(
    MetricDeclaration(
        name="partial_share",
        version=1,
        title="The share of claims that the supplied context supports only in part.",
        family="Faithfulness to the context",
        direction="lower",
        applies_to="cases expected to be answered",
        needs=_NEEDS,
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Which part is missing: a harmless detail and a dropped exception count alike.",
        formula="partial claims / claims that need evidence; a claim no passage speaks about is unsupported",
        reference="Liu et al. 2023, Evaluating Verifiability in Generative Search Engines (Findings of EMNLP)",
    ),
    measure=_with("partial"),
)

UNSUPPORTED_SHARE = AnswerMetric(
    MetricDeclaration(
        name="unsupported_share",
        version=1,
        title="The share of claims that nothing in the supplied context shows.",
        family="Faithfulness to the context",
        stage="supported",
        fault=Fault(says="not supported by any passage", gravity=120, above=0, counts="claim"),
        direction="lower",
        applies_to="cases expected to be answered",
        needs=_NEEDS,
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Whether such a claim is false: it may be right and come from the model's memory.",
        formula="unsupported claims / claims that need evidence; a claim no passage speaks about is unsupported",
        reference="Ru et al. 2024, RAGChecker (NeurIPS): hallucination, split by verdict",
    ),
    measure=_with("unsupported"),
)

UNDECIDED_SHARE = AnswerMetric(
    MetricDeclaration(
        name="undecided_share",
        version=1,
        title="The share of claims the judge left undecided.",
        family="Faithfulness to the context",
        direction="none",
        applies_to="cases expected to be answered",
        needs=_NEEDS,
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Whether the verdicts that were given are right: a judge that decides everything scores best.",
        formula="claims whose verdict hangs on an undecided passage / claims that need evidence",
        reference="ragvet",
    ),
    measure=_left_open(unverified=False),
)

UNVERIFIED_SHARE = AnswerMetric(
    MetricDeclaration(
        name="unverified_share",
        version=1,
        title="The share of claims left open only because the judge's quote is not in the passage.",
        family="Faithfulness to the context",
        direction="lower",
        applies_to="cases expected to be answered",
        needs=_NEEDS,
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Verdicts whose quote is real and shows something else.",
        formula="claims whose verdict hangs on unverified quotes alone / claims that need evidence",
        reference="ragvet",
    ),
    measure=_left_open(unverified=True),
)

MISSING_QUALIFICATION_SHARE = AnswerMetric(
    MetricDeclaration(
        name="missing_qualification_share",
        version=1,
        title="The share of claims that drop a scope, number, date or condition of their passage.",
        family="Faithfulness to the context",
        direction="lower",
        applies_to="cases expected to be answered",
        needs=_NEEDS,
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Qualifications that stand in another passage than the one the claim was held against.",
        formula=(
            "claims flagged against any passage / claims that need evidence; an unflagged claim counts as "
            "clean only once its verdict is settled"
        ),
        reference="ragvet",
    ),
    measure=_qualification_dropped,
)

METRICS = (
    FAITHFULNESS,
    CONTRADICTED_SHARE,
    PARTIAL_SHARE,
    UNSUPPORTED_SHARE,
    UNDECIDED_SHARE,
    UNVERIFIED_SHARE,
    MISSING_QUALIFICATION_SHARE,
)
