"""Completeness: which required claims the answer makes, weighted by materiality."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ragvet.metrics.answers._batch import Batch
from ragvet.metrics.answers._metric import AnswerMetric
from ragvet.metrics.answers._outcomes import Outcomes, either, share
from ragvet.records import Case, Fault, MetricDeclaration

__all__ = ["METRICS"]

_UNDEFINED_WHEN = "the answer is blank, refuses, asks back or routes; no required claim was judged"
_UNJUDGED = "coverage of the required claims was not judged"


def _has_required_claims(case: Case) -> bool:
    return case.expected_behaviour == "answer" and bool(case.required_claims)


def _has_material_claims(case: Case) -> bool:
    return case.expected_behaviour == "answer" and any(
        claim.materiality == "material" for claim in case.required_claims
    )


def _credit(*, partial: float = 0.0, okay: float | None = 1.0) -> Callable[[Batch], Outcomes]:
    """Σ weight · credit / Σ weight over the required claims.

    Args:
        partial: credit for a claim made in part.
        okay: weight of a minor claim; None: minor claims are left out. A material claim weighs 1.
    """
    earned = {"covered": (1.0, 1.0), "partial": (partial, partial), "undecided": (0.0, 1.0)}

    def measure(batch: Batch) -> Outcomes:
        judged = {(row.answer, row.required_claim): row.verdict for row in batch.judged.coverage}
        some = {row.answer for row in batch.judged.coverage}
        low, high, total = np.zeros(len(batch)), np.zeros(len(batch)), np.zeros(len(batch))
        for place, one in enumerate(batch.answers):
            for index, claim in enumerate(one.case.required_claims):
                weight = 1.0 if claim.materiality == "material" else okay
                if weight is None:
                    continue
                least, most = earned.get(judged.get((place, one.case.claim_id(index)), "undecided"), (0.0, 0.0))
                total[place] += weight
                low[place] += weight * least
                high[place] += weight * most
        unjudged = [None if place in some else _UNJUDGED for place in range(len(batch))]
        missing = either(batch.no_answer, unjudged)
        unknown = "some required claims are undecided"
        return share(low, high, total, missing=missing, empty="the case lists no such claim", unknown=unknown)

    return measure


COMPLETENESS = AnswerMetric(
    MetricDeclaration(
        name="completeness",
        version=1,
        title="The share of required claims the answer makes.",
        family="Completeness and accuracy",
        headline=8,
        stage="complete",
        direction="higher",
        applies_to="cases expected to be answered that list required claims",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Refusals: see answer_coverage; wrong or harmful additions; required claims nobody wrote down.",
        formula="covered required claims / required claims; partly covered is not covered",
        reference="Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): all strict",
    ),
    measure=_credit(),
    applies=_has_required_claims,
)


COMPLETENESS_MATERIAL = AnswerMetric(
    MetricDeclaration(
        name="completeness_material",
        version=1,
        title="The share of material required claims the answer makes.",
        family="Completeness and accuracy",
        stage="complete",
        fault=Fault(says="leaves out what matters", gravity=105, below=1),
        direction="higher",
        applies_to="cases expected to be answered that list a material required claim",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Refusals: see answer_coverage; minor claims left out; wrong or harmful additions.",
        formula="covered material claims / material claims; partly covered is not covered",
        reference=(
            "Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): vital strict "
            "(material = vital)"
        ),
    ),
    measure=_credit(okay=None),
    applies=_has_material_claims,
)


NUGGET_ALL = AnswerMetric(
    MetricDeclaration(
        name="nugget_all",
        version=1,
        title="Required claims made, half credit for those made in part.",
        family="Completeness and accuracy",
        direction="higher",
        applies_to="cases expected to be answered that list required claims",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Refusals, for TREC 0 (see answer_coverage); a dropped exception, which may earn half credit.",
        formula="(covered + ½ partial) / required claims",
        reference=(
            "Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): all (partial credit)"
        ),
    ),
    measure=_credit(partial=0.5),
    applies=_has_required_claims,
)


NUGGET_VITAL = AnswerMetric(
    MetricDeclaration(
        name="nugget_vital",
        version=1,
        title="Material required claims made, half credit for those made in part.",
        family="Completeness and accuracy",
        direction="higher",
        applies_to="cases expected to be answered that list a material required claim",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch=(
            "Refusals, for TREC 0 (see answer_coverage); a dropped exception, which may earn half credit; "
            "minor claims left out."
        ),
        formula="(covered + ½ partial) / required claims, over material (vital) claims",
        reference=(
            "Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): vital (partial credit)"
        ),
    ),
    measure=_credit(partial=0.5, okay=None),
    applies=_has_material_claims,
)


NUGGET_WEIGHTED = AnswerMetric(
    MetricDeclaration(
        name="nugget_weighted",
        version=1,
        title="Required claims made, minor ones at half weight, half credit for those made in part.",
        family="Completeness and accuracy",
        direction="higher",
        applies_to="cases expected to be answered that list required claims",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Refusals, for TREC 0 (see answer_coverage); a missing vital claim, bought back by minor ones.",
        formula=(
            "Σ weight · credit / Σ weight; weight 1 for material (vital), ½ for minor (okay); credit 1 "
            "covered, ½ partial"
        ),
        reference=(
            "Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): weighted (partial credit)"
        ),
    ),
    measure=_credit(partial=0.5, okay=0.5),
    applies=_has_required_claims,
)


NUGGET_WEIGHTED_STRICT = AnswerMetric(
    MetricDeclaration(
        name="nugget_weighted_strict",
        version=1,
        title="Required claims made, minor ones at half weight, no credit for those made in part.",
        family="Completeness and accuracy",
        direction="higher",
        applies_to="cases expected to be answered that list required claims",
        needs="required claims; a judge's coverage verdict for each",
        undefined_when=_UNDEFINED_WHEN,
        does_not_catch="Refusals, for TREC 0 (see answer_coverage); a missing vital claim, bought back by minor ones.",
        formula="Σ weight of covered claims / Σ weight; weight 1 for material (vital), ½ for minor (okay)",
        reference="Pradeep et al. 2025, The Great Nugget Recall (SIGIR); Voorhees 2003 (TREC QA): weighted strict",
    ),
    measure=_credit(okay=0.5),
    applies=_has_required_claims,
)


METRICS = (
    COMPLETENESS,
    COMPLETENESS_MATERIAL,
    NUGGET_ALL,
    NUGGET_VITAL,
    NUGGET_WEIGHTED,
    NUGGET_WEIGHTED_STRICT,
)
