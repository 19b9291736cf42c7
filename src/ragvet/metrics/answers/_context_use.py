"""The share of supplied passages that at least one claim draws on."""

from __future__ import annotations

from collections import defaultdict

from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.metrics.answers._support import OPEN
from ragvet.records import MetricDeclaration, Outcome, Undefined

__all__ = ["CONTEXT_USE"]


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = answer.no_claims or answer.no_context
    if missing:
        return Undefined(reason=missing)
    if not answer.answer.supplied:
        return Undefined(reason="the target did not report the supplied context passage by passage")
    verdicts: defaultdict[str, set[str]] = defaultdict(set)
    claims = answer.support.keys()
    for row in answer.facts.support:
        if row.claim in claims:
            verdicts[row.passage].add(row.verdict)

    def used(passage: str) -> bool | None:
        if verdicts[passage] & {"supported", "partial"}:
            return True
        return None if verdicts[passage] & OPEN else False

    return share_of(
        (used(item.chunk_id) for item in answer.answer.supplied),
        empty="nothing was supplied to the model",
        unknown="some passages are undecided",
    )


CONTEXT_USE = AnswerMetric(
    MetricDeclaration(
        name="context_use",
        version=1,
        title="The share of supplied passages that at least one claim draws on.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="a judge's claims and their support; the supplied context, passage by passage",
        undefined_when=(
            "the answer is blank, refuses, asks back or routes; it makes no claim that needs evidence; the "
            "context was not reported passage by passage"
        ),
        does_not_catch="Whether the passages drawn on were the right ones; evidence that was needed and not used.",
        formula="passages that support a claim, wholly or in part / passages supplied",
        reference="Friel et al. 2024, RAGBench: context utilization, counted in passages",
    ),
    measure=_measure,
)
