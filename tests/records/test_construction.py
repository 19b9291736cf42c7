"""Records made in Python: what is wrong is said as it is of files."""

import inspect

import pytest

import ragvet
from ragvet import judging, records, runs, targets
from ragvet.errors import InputError
from ragvet.judging import llm
from ragvet.records import Passage, Record

PUBLIC = {
    value
    for module in (ragvet, records, runs, judging, llm, targets)
    for name in module.__all__
    if inspect.isclass(value := getattr(module, name)) and hasattr(value, "model_fields")
}


@pytest.mark.parametrize("made", sorted(PUBLIC, key=lambda made: made.__name__))
def test_no_public_record_raises_an_error_of_the_library_below(made):
    with pytest.raises(InputError, match=f"{made.__name__}, no_such_field: found a field with this name"):
        made(no_such_field=1)


def test_every_fault_is_named_at_once_with_what_to_do():
    with pytest.raises(InputError) as caught:
        ragvet.CallPolicy(concurrency=0, dedline=3)
    assert [str(problem) for problem in caught.value.problems] == [
        "CallPolicy, concurrency: found 0; expected greater than 0. Correct the value.",
        "CallPolicy, dedline: found a field with this name; expected 'deadline'. Rename it.",
    ]


def test_faults_of_records_inside_others_are_collected_with_their_place():
    class Two(Record):
        first: Passage
        second: Passage

    with pytest.raises(InputError) as caught:
        Two(first={"doc_id": ""}, second={"doc_id": "d", "grade": -1})
    assert [problem.field for problem in caught.value.problems] == ["first.doc_id", "second.grade"]


def test_a_missing_field_of_a_few_words_names_them():
    with pytest.raises(InputError) as caught:
        records.Case(id="a", question="?", category="x")
    assert [str(problem) for problem in caught.value.problems] == [
        "Case, expected_behaviour: found nothing; expected answer, refuse, clarify, route. Add the field."
    ]


@pytest.mark.parametrize(
    "make",
    [
        lambda: targets.HttpEndpoint(url="http://x/", headers={"Authorization": "Bearer s3cret"}),
        lambda: targets.HttpTarget(targets.HttpEndpoint(url="http://x/", headers={"Authorization": "s3cret"})),
        lambda: judging.ModelSettings(model="m", base_url="http://x/", api_key_env="sk-s3cret"),
    ],
)
def test_a_secret_where_the_name_of_its_variable_belongs_is_not_repeated(make):
    with pytest.raises(InputError, match="variable") as caught:
        make()
    assert "s3cret" not in str(caught.value)
