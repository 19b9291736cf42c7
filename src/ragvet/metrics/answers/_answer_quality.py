"""The share of produced answers that are validated."""

from __future__ import annotations

from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import flag
from ragvet.metrics.answers._validated import produced, validated
from ragvet.records import Bounded, MetricDeclaration, Outcome, Scored, Undefined

__all__ = ["ANSWER_QUALITY"]


def _measure(answer: JudgedAnswer) -> Outcome:
    if not answer.validated:
        return Undefined(reason="the config does not declare what validated means")
    answered = produced(answer)
    if answered is False:
        return Undefined(reason="no answer was produced")
    if answered is None:
        held = flag(validated(answer), unknown="")
        low, high = (held.value, held.value) if isinstance(held, Scored) else (0.0, 1.0)
        return Bounded(low=low, high=high, reason="whether it answered is undecided", may_drop=True)
    return flag(validated(answer), unknown="some parts of validated are undecided")


ANSWER_QUALITY = AnswerMetric(
    MetricDeclaration(
        name="answer_quality",
        version=2,
        title="The share of produced answers that are validated.",
        direction="higher",
        applies_to="cases expected to be answered",
        needs="the conjunction declared as validated in the config, before testing",
        undefined_when="no answer was produced; the config does not declare what validated means",
        does_not_catch="Cases the system avoids: refusing whatever is hard raises it. Read it beside answer_coverage.",
        formula="validated / produced: per produced answer 1 if every declared condition holds, else 0",
        reference="El-Yaniv & Wiener 2010, selective classification: coverage and risk",
    ),
    measure=_measure,
)
