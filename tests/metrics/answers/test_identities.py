"""What must hold between metrics, whatever the verdicts."""

import pytest
from hypothesis import given, settings
from tests.metrics.answers.make import case, measure
from tests.metrics.answers.strategies import build, cases_with_unknowns

from ragvet.metrics.answers import REGISTRY
from ragvet.records import Bounded, Scored, Undefined

VERDICT_SHARES = ("faithfulness", "partial_share", "contradicted_share", "unsupported_share")


def ends(outcome):
    match outcome:
        case Scored(value=value):
            return value, value
        case Bounded(low=low, high=high):
            return low, high
        case Undefined():
            return None


def made_answer(made):
    shape, facts, left_open = made
    return build(shape, facts | {place: written for place, _, written in left_open})


def all_ends(answer, names):
    return [ends(answer.measured(REGISTRY[name])) for name in names]


@settings(max_examples=100, deadline=None)
@given(cases_with_unknowns())
def test_the_shares_of_the_verdicts_and_of_what_is_open_make_one(made):
    answer = made_answer(made)
    parts = all_ends(answer, (*VERDICT_SHARES, "undecided_share", "unverified_share"))
    if answer.batch().no_claims[0]:
        assert parts == [None] * 6
    else:
        assert sum(low for low, _ in parts) == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(cases_with_unknowns(most_open=0))
def test_claims_that_agree_contradict_or_go_beyond_make_one_and_give_accuracy(made):
    answer = made_answer(made)
    parts = all_ends(answer, ("reference_agreement", "reference_contradiction", "reference_extra"))
    if answer.batch().no_claims[0]:
        assert parts == [None] * 3
        return
    (agree, _), (contradict, _), (extra, _) = parts
    assert agree + contradict + extra == pytest.approx(1.0, abs=1e-12)
    accuracy = ends(answer.measured(REGISTRY["accuracy"]))
    assert accuracy is None if agree + contradict == 0 else accuracy[0] == pytest.approx(agree / (agree + contradict))


@settings(max_examples=100, deadline=None)
@given(cases_with_unknowns())
def test_a_wrong_refusal_had_evidence_or_had_not(made):
    answer = made_answer(made)
    whole, with_evidence, without = all_ends(
        answer, ("wrong_refusal", "wrong_refusal_with_evidence", "wrong_refusal_without_evidence")
    )
    assert with_evidence[0] + without[0] <= whole[0] or whole[0] == with_evidence[1] == without[1]
    if all(low == high for low, high in (whole, with_evidence, without)):
        assert whole[0] == with_evidence[0] + without[0]


@settings(max_examples=100, deadline=None)
@given(cases_with_unknowns())
def test_strict_scores_never_exceed_those_with_half_credit(made):
    answer = made_answer(made)
    strict = all_ends(answer, ("completeness", "completeness_material", "nugget_weighted_strict"))
    lenient = all_ends(answer, ("nugget_all", "nugget_vital", "nugget_weighted"))
    for less, more in zip(strict, lenient, strict=True):
        assert (less is None) == (more is None)
        assert less is None or (less[0] <= more[0] and less[1] <= more[1])


@settings(max_examples=100, deadline=None)
@given(cases_with_unknowns(most_open=0))
def test_success_is_quality_where_an_answer_was_produced_and_zero_elsewhere(made):
    answer = made_answer(made)
    coverage, quality, success = (
        answer.measured(REGISTRY[name]) for name in ("answer_coverage", "answer_quality", "answer_success")
    )
    if coverage.value:
        assert success == quality
    else:
        assert success.value == 0.0
        assert quality == Undefined(reason="no answer was produced")


@settings(max_examples=100, deadline=None)
@given(cases_with_unknowns())
def test_every_value_lies_in_the_declared_range(made):
    answer = made_answer(made)
    for metric in REGISTRY.values():
        found = ends(answer.measured(metric)) if metric.applies(answer.case) else None
        if found is not None:
            declared = metric.declaration
            assert declared.low <= found[0] <= found[1], metric.name
            assert declared.high is None or found[1] <= declared.high, metric.name


@pytest.mark.parametrize("written", ['{"a": 1, "b": null}', '{"a": 2}', "{}", '{"a": 1, "b": 2, "c": 3}'])
@pytest.mark.parametrize("evidence", [{"p1": 1, "p2": 0, "p3": 0}, {"p1": 0, "p2": 0, "p3": 0}])
def test_the_outcomes_of_fields_make_one(written, evidence):
    asked = case(output_contract={"fields": {"a": 1, "b": 2, "c": 3}})
    names = ("field_agreement", "field_contradiction", "field_missing", "field_unavailable")
    found = [measure(name, asked=asked, answer={"text": written}, evidence=evidence).value for name in names]
    assert sum(found) == pytest.approx(1.0, abs=1e-12)
