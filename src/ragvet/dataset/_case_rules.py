"""What one case alone must fulfil beyond the form of its fields."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator

from ragvet.errors import Problem
from ragvet.records import Case, Passage
from ragvet.text import fold_text, shown


def case_problems(case: Case, record: str, source: str) -> Iterator[Problem]:
    """Everything that keeps a case, called `record` in `source`, from being used."""
    for rule in (_contradictions, _claim_ids, _schema):
        for field, found, expected, action in rule(case):
            yield Problem(source, found, expected, action, record=record, field=field)


Fault = tuple[str, str, str, str]
"""Field, what was found, what was expected, what to do."""


def same_mark(case: Case) -> Iterator[list[int]]:
    """The indexes of passages that mark the same place, where there are several."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for index, passage in enumerate(case.reference_passages):
        places[_mark(passage)].append(index)
    return (indexes for indexes in places.values() if len(indexes) > 1)


def _mark(passage: Passage) -> Hashable:
    document = passage.doc_id, passage.doc_version
    if passage.chunk_ids:
        return "chunks", frozenset(passage.chunk_ids)
    if passage.start is not None:
        return "range", document, passage.start, passage.end
    return "quote", document, None if passage.quote is None else fold_text(passage.quote)


def _contradictions(case: Case) -> Iterator[Fault]:
    for indexes in same_mark(case):
        grades = sorted({case.reference_passages[index].grade for index in indexes})
        if len(grades) > 1:
            yield (
                f"reference_passages[{indexes[-1]}]",
                f"the same passage as reference_passages[{indexes[0]}] with another grade",
                f"one grade for a passage, {grades[0]} or {grades[-1]}",
                "Decide on one; where the experts differ, set adjudication to agreed: false.",
            )


def _claim_ids(case: Case) -> Iterator[Fault]:
    counts = Counter(case.claim_id(index) for index in range(len(case.required_claims)))
    for claim_id, count in counts.items():
        if count > 1:
            yield (
                "required_claims",
                f"the claim id {shown(claim_id)} {count} times",
                "an id of its own for every claim",
                "Rename it; a claim without id is called by its place in the list.",
            )


def _schema(case: Case) -> Iterator[Fault]:
    schema = None if case.output_contract is None else case.output_contract.json_schema
    if schema is None:
        return
    from jsonschema import Draft202012Validator, SchemaError  # noqa: PLC0415 - heavy, for cases with a schema only
    from jsonschema.validators import validator_for  # noqa: PLC0415

    field, expected, action = "output_contract.json_schema", "a valid JSON Schema", "Correct the schema."
    try:
        dialect = validator_for(schema, default=Draft202012Validator)
        dialect.check_schema(dict(schema))
    except SchemaError as error:
        yield field + error.json_path.removeprefix("$"), shown(error.instance), error.message, action
    except (TypeError, RecursionError) as error:
        yield field, f"what cannot be read as a schema ({error})", expected, action
    else:
        if schema.keys().isdisjoint(dialect.VALIDATORS):
            found = f"no keyword that asks for anything: {shown(dict(schema))}"
            yield (
                field,
                found,
                'a schema that some answers break, e.g. {"type": "object", "required": ["total"]}',
                action,
            )
