"""Whether the JSON answer satisfies the case's JSON Schema."""

from __future__ import annotations

from ragvet.metrics.answers._contract import has_schema, not_checked, parse, schema_outcome
from ragvet.metrics.answers._metric import AnswerMetric, JudgedAnswer
from ragvet.records import MetricDeclaration, Outcome, Undefined

__all__ = ["JSON_SCHEMA_VALID"]


def _measure(answer: JudgedAnswer) -> Outcome:
    missing = not_checked(answer)
    if missing:
        return Undefined(reason=missing)
    contract = answer.case.output_contract
    schema = contract.json_schema if contract is not None else None
    if schema is None:
        return Undefined(reason="the case has no JSON Schema")
    return schema_outcome(schema, parse(answer.answer.text or "").value)


JSON_SCHEMA_VALID = AnswerMetric(
    MetricDeclaration(
        name="json_schema_valid",
        version=1,
        title="Whether the JSON answer satisfies the case's JSON Schema.",
        direction="higher",
        applies_to="cases whose output contract has a JSON Schema",
        needs="a JSON Schema; an answer that parses",
        undefined_when="the answer is blank or does not parse: the check did not run, which is no pass",
        does_not_catch="Values of the right type that are wrong.",
        formula="1 if the value is valid under the schema, else 0",
        reference="JSON Schema 2020-12 (or the dialect named by $schema)",
    ),
    measure=_measure,
    applies=has_schema,
    judged=False,
)
