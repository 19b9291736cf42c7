"""The share of supplied passages that at least one claim draws on."""

from __future__ import annotations

from collections import defaultdict

from ragvet.judging import CONTEXT_ID
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import share_of
from ragvet.records import MetricDeclaration, Outcome, Undefined
from ragvet.records.lattice import OPEN, any_of

__all__ = ["CONTEXT_USE"]


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = answer.no_claims or answer.no_context
    if missing:
        return Undefined(reason=missing)
    if not answer.answer.supplied or any(row.passage == CONTEXT_ID for row in answer.facts.support):
        return Undefined(reason="the supplied context is not known passage by passage")
    draws: defaultdict[str, list[bool | None]] = defaultdict(list)
    for (claim, passage), verdict in answer.cells.items():
        if claim in answer.support:
            draws[passage].append(None if verdict in OPEN else verdict in {"supported", "partial"})
    return share_of(
        (any_of(draws[item.chunk_id]) for item in answer.answer.supplied),
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
            "supplied context is not known passage by passage"
        ),
        does_not_catch="Whether the passages drawn on were the right ones; evidence that was needed and not used.",
        formula="passages that support a claim, wholly or in part / passages supplied",
        reference="Friel et al. 2024, RAGBench: context utilization, counted in passages",
    ),
    measure=_measure,
)
