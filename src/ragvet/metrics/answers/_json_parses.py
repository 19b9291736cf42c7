"""Whether the answer is JSON, and nothing but JSON."""

from __future__ import annotations

from ragvet.metrics.answers._contract import has_contract, parse
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.metrics.answers._share import flag
from ragvet.records import MetricDeclaration, Outcome, Undefined

__all__ = ["JSON_PARSES"]


def _measure(answer: JudgedAnswer) -> Outcome:
    if answer.blank:
        return Undefined(reason="the answer is blank")
    return flag(parse(answer.answer.text or "").valid)


JSON_PARSES = AnswerMetric(
    MetricDeclaration(
        name="json_parses",
        version=1,
        title="Whether the answer is JSON, and nothing but JSON.",
        direction="higher",
        applies_to="cases with an output contract",
        needs="an output contract; the answer text",
        undefined_when="the answer is blank",
        does_not_catch="Well-formed JSON of the wrong shape or with wrong values.",
        formula="1 if the whole text is one RFC 8259 value without NaN, Infinity or repeated keys, else 0",
        reference="RFC 8259",
    ),
    measure=_measure,
    applies=has_contract,
    judged=False,
)
