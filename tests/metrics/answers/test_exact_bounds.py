import math
from dataclasses import replace

from hypothesis import given, settings
from tests.metrics.answers.strategies import build, cases_with_unknowns, completions

from ragvet.metrics.answers import REGISTRY
from ragvet.records import Bounded, Scored, Undefined

UNKNOWN_ITSELF = {"undecided_share", "unverified_share", "missing_qualification_share"}
"""Shares of what is open; completing it changes what they are about."""
WIDER = {"answer_quality"}
"""Encloses: an answer that may not have been produced is 0, 1, or not in the denominator."""
ELIGIBLE = [metric for name, metric in REGISTRY.items() if name not in UNKNOWN_ITSELF]


@settings(max_examples=60, deadline=None)
@given(cases_with_unknowns())
def test_a_range_is_exactly_what_the_completions_of_its_unknowns_give(made):
    shape, facts, left_open = made
    unknown = build(shape, facts | {place: written for place, _, written in left_open})
    complete = [build(shape, completed) for completed in completions(facts, left_open)]
    for metric in ELIGIBLE:
        if not metric.applies(unknown.case):
            continue
        outcome = unknown.measured(metric)
        values = []
        for answer in complete:
            completed = answer.measured(metric)
            assert isinstance(completed, Scored | Undefined), (metric.name, completed)
            values += [completed.value] if isinstance(completed, Scored) else []
        match outcome:
            case Scored(value=value):
                assert values, metric.name
                assert all(math.isclose(value, other, abs_tol=1e-12) for other in values), (metric.name, value, values)
            case Bounded(low=low, high=high) if metric.name in WIDER:
                assert all(low <= value <= high for value in values)
            case Bounded(low=low, high=high):
                assert math.isclose(low, min(values), abs_tol=1e-12), (metric.name, low, values)
                assert math.isclose(high, max(values), abs_tol=1e-12), (metric.name, high, values)
            case Undefined(reason=reason):
                checked = "not judged" in reason or "could be" in reason  # undefined because no check ran at all
                assert checked or not values, (metric.name, reason)


@settings(max_examples=60, deadline=None)
@given(cases_with_unknowns())
def test_the_order_of_verdicts_does_not_matter(made):
    shape, facts, left_open = made
    answer = build(shape, facts | {place: written for place, _, written in left_open})
    rows = {
        name: tuple(reversed(getattr(answer.verdicts, name))) for name in ("support", "claims", "agreement", "coverage")
    }
    turned = replace(answer, verdicts=answer.verdicts.model_copy(update=rows))
    for metric in ELIGIBLE:
        if metric.applies(answer.case):
            assert turned.measured(metric) == answer.measured(metric), metric.name
