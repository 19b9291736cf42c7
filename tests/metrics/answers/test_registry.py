import re
from pathlib import Path
from typing import get_args

import pytest
from tests.metrics.answers.make import case, claims, judged, support

import ragvet.metrics.answers
from ragvet.metrics import rankings
from ragvet.metrics.answers import REGISTRY
from ragvet.records import Family, Scored, Undefined

PACKAGE = Path(ragvet.metrics.answers.__file__).parent
SHARED = {Path(__file__).name, "test_identities.py", "test_exact_bounds.py", "test_conditions.py", "test_score_case.py"}
TESTS = [path.read_text() for path in Path(__file__).parent.glob("test_*.py") if path.name not in SHARED]
"""What tests single metrics: one file each, or one for a few that differ in a word."""
METRICS = list(REGISTRY.values())
EVERY_EXPECTATION = case(
    reference_answer="r",
    reference_passages=[{"doc_id": "d"}],
    required_claims=[{"text": "a"}],
    output_contract={"json_schema": {}, "fields": {"a": 1}},
    must_not_contain=["secret"],
)


WHATEVER_WAS_EXPECTED = {"conflict_surfaced", "citation_permitted", "citation_right_version", "stale_source"}


def named(metric):
    return metric.name


@pytest.mark.parametrize("metric", METRICS, ids=named)
def test_a_metric_has_its_tests_and_a_whole_declaration(metric):
    assert any(f'"{metric.name}"' in text for text in TESTS), "no test of its own, nor among those of its kin"
    declared = metric.declaration
    for field in ("title", "applies_to", "needs", "undefined_when", "does_not_catch", "formula", "reference"):
        assert getattr(declared, field).strip(), field
    assert declared.title.endswith(".")
    assert declared.does_not_catch.endswith(".")
    assert declared.version >= 1


def test_every_metric_that_is_declared_is_in_the_registry_and_under_a_heading_of_answers():
    written = [
        name
        for path in PACKAGE.glob("_*.py")
        for name in re.findall(r'^        name="(\w+)"', path.read_text(), re.MULTILINE)
    ]
    assert sorted(written) == sorted(REGISTRY)
    assert {metric.declaration.family for metric in METRICS} == {*get_args(Family)} - {"Retrieval"}


def test_each_rank_among_the_headlines_and_the_faults_is_given_once():
    declared = [metric.declaration for metric in (*METRICS, *rankings.REGISTRY.values())]
    for ranks in (
        [one.headline for one in declared if one.headline is not None],
        [one.fault.gravity for one in declared if one.fault],
    ):
        assert len(ranks) == len(set(ranks))


@pytest.mark.parametrize("metric", METRICS, ids=named)
@pytest.mark.parametrize("text", [None, "", " \n\t", "\u200b\ufeff", "\u2060 \u00a0"])
def test_a_blank_answer_is_never_a_perfect_score(metric, text):
    outcome = judged(None, asked=EVERY_EXPECTATION, answer={"text": text}, claims=claims(1)).measured(metric)
    if isinstance(outcome, Scored):
        # What no answer at all settles: nothing was produced, nothing forbidden was said.
        assert (metric.name, outcome.value) in {("answer_coverage", 0.0), ("forbidden_text", 0.0)}
    else:
        assert isinstance(outcome, Undefined), metric.name


CLAIM_METRICS = [metric for metric in METRICS if "claims that need evidence" in metric.declaration.formula]


@pytest.mark.parametrize("metric", CLAIM_METRICS, ids=named)
@pytest.mark.parametrize("observed", ["refused", "clarified", "routed"])
def test_a_refusal_has_no_claims_to_score_even_where_a_judge_found_some(metric, observed):
    rows = support(c1="p1:supported")
    outcome = judged(observed, asked=EVERY_EXPECTATION, claims=claims(1), support=rows).measured(metric)
    assert isinstance(outcome, Undefined)


@pytest.mark.parametrize("metric", METRICS, ids=named)
def test_eligibility_hangs_on_the_case_alone_and_expected_answers_are_a_set_of_their_own(metric):
    eligible = {
        expected
        for expected in ("answer", "refuse", "clarify", "route")
        if metric.applies(EVERY_EXPECTATION.model_copy(update={"expected_behaviour": expected}))
    }
    assert eligible in ({"answer"}, {"refuse"}, {"clarify"}, {"route"}, {"answer", "refuse", "clarify", "route"})
    if len(eligible) == 4:  # contract, operations, conflicts and forbidden text are asked of every answer
        assert not metric.judged or metric.name in WHATEVER_WAS_EXPECTED
