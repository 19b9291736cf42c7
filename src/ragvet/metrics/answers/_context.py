"""Context: what was supplied to the model, and what the answer made of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ragvet.judging import CONTEXT_ID
from ragvet.metrics.answers._batch import NO_CLAIMS, Batch, places
from ragvet.metrics.answers._metric import AnswerMetric, has_reference
from ragvet.metrics.answers._outcomes import Outcomes, either, share_of
from ragvet.metrics.answers._reference import agreement, no_agreement
from ragvet.records import MetricDeclaration, SupportVerdict
from ragvet.records.facts import Facts, supported
from ragvet.records.lattice import OPEN

__all__ = ["METRICS"]


def _recall(batch: Batch) -> Outcomes:
    judged = {head.answer for head in batch.judged.heads if head.reference_judged}
    unjudged = [
        None if place in judged else "the reference was not held against the context" for place in range(len(batch))
    ]
    rows = batch.judged.reference
    return share_of(
        supported(row.verdict for row in rows),
        places(rows),
        missing=either(batch.no_context, unjudged),
        empty="the reference makes no statement",
        unknown="some statements of the reference are undecided",
    )


def _use(batch: Batch) -> Outcomes:
    whole = {row.answer for row in batch.judged.support if row.passage == CONTEXT_ID}
    unknown = [
        "the supplied context is not known passage by passage" if not one.answer.supplied or place in whole else None
        for place, one in enumerate(batch.answers)
    ]
    supplied = [(place, item.chunk_id) for place, one in enumerate(batch.answers) for item in one.answer.supplied or ()]
    passage_at = {passage: number for number, passage in enumerate(dict.fromkeys(supplied))}
    cells = [
        (passage_at[answer, passage], verdict)
        for _, answer, passage, verdict in _cells(batch)
        if (answer, passage) in passage_at
    ]
    draws = Facts.of(None if verdict in OPEN else verdict in {"supported", "partial"} for _, verdict in cells)
    used = draws.any_of(np.array([number for number, _ in cells], np.intp), len(passage_at))
    return share_of(
        used[np.array([passage_at[passage] for passage in supplied], np.intp)],
        np.array([place for place, _ in supplied], np.intp),
        missing=either(batch.no_claims, batch.no_context, unknown),
        empty="nothing was supplied to the model",
        unknown="some passages are undecided",
    )


def _cells(batch: Batch) -> Iterator[tuple[int, int, str, SupportVerdict]]:
    """Claim that needs evidence, its answer, a passage, and what that says about it."""
    for (answer, claim, passage), verdict in batch.cells.items():
        known = batch.claim_places.get((answer, claim))
        if known is not None:
            yield known, answer, passage, verdict


def _misled(batch: Batch) -> Facts:
    """Whether of the passages that support each claim there are some, and none is relevant.

    Each unknown stands in both halves. Both are still reached at once: a passage whose relevance is unknown is then
    irrelevant, and one that is relevant and may support the claim does not.
    """
    cells = list(_cells(batch))
    claims, count = np.array([claim for claim, *_ in cells], np.intp), len(batch.claims)
    support = supported(verdict for *_, verdict in cells)
    relevant = Facts.of(batch.answers[answer].evidence.relevant(passage) for _, answer, passage, _ in cells)
    by_irrelevant = (support & ~relevant).any_of(claims, count)
    return by_irrelevant & ~(support & relevant).any_of(claims, count)


def _irrelevant_sensitivity(batch: Batch) -> Outcomes:
    wrong = Facts.of(None if stands == "undecided" else stands == "contradict" for stands in agreement(batch))
    return share_of(
        wrong & _misled(batch),
        batch.claim_answers,
        missing=either(batch.no_claims, batch.no_context, no_agreement(batch)),
        empty=NO_CLAIMS,
        unknown="some verdicts are undecided or some passages unjudged",
    )


CONTEXT_RECALL = AnswerMetric(
    MetricDeclaration(
        name="context_recall",
        version=1,
        title="The share of the reference answer's statements that the supplied context supports.",
        family="Use of context and sources",
        direction="higher",
        applies_to="cases expected to be answered that have a reference answer",
        needs="a reference answer; the supplied context; a judge's verdict per statement",
        undefined_when=(
            "nothing was supplied to the model or nobody knows what was; the judge did not look; "
            "the reference makes no statement"
        ),
        does_not_catch="Whether the answer used what it was given; noise supplied beside the evidence.",
        formula="supported statements / statements of the reference",
        reference="Es et al. 2024, RAGAs: context recall",
    ),
    measure=_recall,
    applies=has_reference,
)


CONTEXT_USE = AnswerMetric(
    MetricDeclaration(
        name="context_use",
        version=1,
        title="The share of supplied passages that at least one claim draws on.",
        family="Use of context and sources",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="a judge's claims and their support; the supplied context, passage by passage",
        undefined_when=(
            "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; the "
            "supplied context is not known passage by passage"
        ),
        does_not_catch="Whether the passages drawn on were the right ones; evidence that was needed and not used.",
        formula="passages that support a claim, wholly or in part / passages supplied",
        reference="Friel et al. 2024, RAGBench: context utilization, counted in passages",
    ),
    measure=_use,
)


IRRELEVANT_CONTEXT_SENSITIVITY = AnswerMetric(
    MetricDeclaration(
        name="irrelevant_context_sensitivity",
        version=2,
        title="The share of claims that are wrong and come from irrelevant passages alone.",
        family="Use of context and sources",
        direction="lower",
        applies_to="cases expected to be answered that have a reference answer",
        needs=(
            "a reference answer; agreement of the claims with it; claim support by passage; relevance "
            "judgments of the supplied passages"
        ),
        undefined_when=(
            "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; "
            "nothing was supplied to the model; agreement with the reference was not judged"
        ),
        does_not_catch=(
            "Right claims drawn from irrelevant passages; wrong claims drawn from relevant ones; wrong claims the "
            "reference does not speak about."
        ),
        formula=(
            "claims that contradict the reference and are supported by a passage judged irrelevant, and by no relevant "
            "one / claims that need evidence"
        ),
        reference=(
            "Ru et al. 2024, RAGChecker (NeurIPS): noise sensitivity, irrelevant part; there a claim the reference is "
            "silent about counts as wrong too"
        ),
    ),
    measure=_irrelevant_sensitivity,
    applies=has_reference,
)


METRICS = (
    CONTEXT_RECALL,
    CONTEXT_USE,
    IRRELEVANT_CONTEXT_SENSITIVITY,
)
