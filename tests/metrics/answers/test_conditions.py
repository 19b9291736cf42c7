import pytest

from ragvet.errors import InputError
from ragvet.metrics.answers import REGISTRY, ConditionDeclaration, conditions


def declared(metric, **terms):
    return ConditionDeclaration(metric=metric, **terms)


def test_a_declaration_becomes_conditions_on_metrics():
    found = conditions(
        [declared("accuracy", min=1.0), declared("stale_source", max=0.0, where_undefined="holds")], source="here"
    )
    assert [(one.metric, one.low, one.high, one.undefined) for one in found] == [
        (REGISTRY["accuracy"], 1.0, None, None),
        (REGISTRY["stale_source"], None, 0.0, True),
    ]


def test_every_unknown_metric_is_named_with_the_nearest_one():
    lines = [declared("acuracy", min=1.0), declared("faithfulness", min=1.0), declared("answer_quality", min=1.0)]
    with pytest.raises(InputError) as caught:
        conditions(lines, source="ragvet.toml")
    first, second = caught.value.problems
    assert (first.source, first.record) == ("ragvet.toml", "condition 1")
    assert "'accuracy'" in first.action
    assert "'answer_quality'" in second.found  # made of validated itself


@pytest.mark.parametrize("terms", [{}, {"min": 1.0, "max": 0.5}, {"min": 0.5, "where_undefined": "maybe"}])
def test_a_condition_that_asks_for_nothing_or_the_impossible_is_refused(terms):
    with pytest.raises(InputError):
        declared("accuracy", **terms)
