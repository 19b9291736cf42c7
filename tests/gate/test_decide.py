from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.gate.make import MadeRun, policy, rule

from ragvet.errors import InputError
from ragvet.gate import Placed, Policy, decide
from ragvet.gate._resolve import resolve
from ragvet.gate._tested import CasesTested
from ragvet.metrics.answers import REGISTRY


def decided(values, *rules, metric="faithfulness", critical=(), **run):
    return decide(policy(*rules, critical=critical), MadeRun({metric: values}, **run))


def only(values, *rules, **more):
    (result,) = decided(values, *rules, **more).rules
    return result


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ({"a": 1, "b": 0.6}, "pass"),  # mean 0.8: at the threshold is enough
        ({"a": 1, "b": 0.5}, "fail"),  # 0.75
        ({"a": 1, "b": (0.6, 1)}, "pass"),  # 0.8 at worst
        ({"a": 0.5, "b": (0.6, 1)}, "fail"),  # 0.75 at best
        ({"a": 1, "b": (0.5, 1)}, "undecided"),  # 0.75 to 1
    ],
)
def test_the_whole_interval_decides(values, outcome):
    assert only(values, rule(min=0.8)).outcome == outcome


@pytest.mark.parametrize(
    ("values", "outcome"),
    [({"a": 0.1, "b": 0.3}, "pass"), ({"a": 0.1, "b": 0.4}, "fail"), ({"a": 0.1, "b": (0.1, 0.4)}, "undecided")],
)
def test_an_upper_threshold_decides_the_other_way_round(values, outcome):
    assert only(values, rule("contradicted_share", max=0.2), metric="contradicted_share").outcome == outcome


def test_failed_items_count_at_the_end_that_hurts():
    values = {"a": 1, "b": 1, "c": 1, "d": "failed"}  # 0.75 to 1
    assert only(values, rule(min=0.75, allowed_failed_share=0.5)).outcome == "pass"
    assert only(values, rule(min=0.8, allowed_failed_share=0.5)).outcome == "undecided"


def test_a_failed_item_without_an_upper_end_leaves_a_latency_undecided():
    values = {"a": 0.1, "b": "failed"}
    result = only(values, rule("latency", max=2.0, allowed_failed_share=0.5), metric="latency")
    assert (result.outcome, result.low, result.high) == ("undecided", 0.05, None)


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"minimum_n": 3}, "2 cases with a value, 3 needed"),
        (
            {"allowed_undefined_share": 0.2},
            "1 of 4 (25.0 %) had nothing to measure (1: the system refused), 20 % allowed",
        ),
        ({"allowed_failed_share": 0.2}, "1 of 4 (25.0 %) failed, 20 % allowed"),
    ],
)
@pytest.mark.parametrize("bound", [0.0, 1.0])
def test_a_rule_whose_own_terms_are_not_met_decides_nothing(terms, said, bound):
    values = {"a": 0.9, "b": 0.9, "c": "the system refused", "d": "failed"}
    result = only(values, rule(min=bound, **{"allowed_undefined_share": 0.5, "allowed_failed_share": 0.5, **terms}))
    assert result.outcome == "undecided"
    assert result.reason == said


def test_terms_are_met_at_their_very_value():
    values = {"a": 0.9, "b": 0.9, "c": "the system refused", "d": "failed"}
    terms = {"minimum_n": 2, "allowed_undefined_share": 0.25, "allowed_failed_share": 0.25}
    assert only(values, rule(min=0.1, **terms)).outcome == "pass"


def test_rounding_in_the_last_place_breaks_no_rule():
    values = {f"c{n}": value for n, value in enumerate([0.1, 0.2, 0.3])}  # sums to 0.6000000000000001
    assert only(values, rule(min=0.2)).outcome == "pass"
    assert only(values, rule("contradicted_share", max=0.2), metric="contradicted_share").outcome == "pass"


STRATA = {"a": ["category=x", "risk=high"], "b": ["category=y", "risk=high"], "c": ["category=y", "risk=low"]}


def test_every_stratum_is_decided_on_its_own_and_none_is_averaged_away():
    decision = decided({"a": 0, "b": 1, "c": 1}, rule(stratum="every", min=0.6), strata=STRATA)
    assert {result.stratum: result.outcome for result in decision.rules} == {
        "all": "pass",
        "category=x": "fail",
        "category=y": "pass",
        "risk=high": "fail",
        "risk=low": "pass",
    }
    assert (decision.outcome, decision.exit_code) == ("fail", 1)


def test_one_label_or_one_stratum_can_be_named():
    decision = decided({"a": 1, "b": 1, "c": 1}, rule(stratum="every risk"), rule(stratum="category=y"), strata=STRATA)
    assert [result.stratum for result in decision.rules] == ["risk=high", "risk=low", "category=y"]


def test_strata_without_an_eligible_case_are_left_out_of_every_and_not_measured_when_named():
    run = MadeRun({"faithfulness": {"a": 1}, "latency": {"a": 1, "b": 1, "c": 1}}, strata=STRATA)
    decision = decide(policy(rule(stratum="every category"), rule(stratum="category=y")), run)
    assert [(result.stratum, result.outcome) for result in decision.rules] == [
        ("category=y", "not measured"),
        ("category=x", "pass"),
    ]
    assert "no case here is eligible" in decision.rules[0].reason


def test_every_stratum_ineligible_is_not_measured_and_not_passed():
    strata = {"a": ["category=x"], "b": ["category=y", "risk=low"]}
    run = MadeRun({"faithfulness": {"a": 1}, "latency": {"a": 1, "b": 1}}, strata=strata)
    decision = decide(policy(rule(stratum="every risk")), run)
    assert (decision.outcome, decision.exit_code) == ("not measured", 3)


def test_ambiguous_cases_are_outside_pass_and_fail():
    decision = decided({"a": 1, "b": 0}, rule(min=1.0), ambiguous=["b"])
    assert (decision.outcome, decision.ambiguous) == ("pass", 1)
    zero = rule("citation_permitted", min=1.0)
    assert decided({"a": 1, "b": 0}, metric="citation_permitted", critical=[zero], ambiguous=["b"]).outcome == "pass"


@pytest.mark.parametrize(
    ("values", "outcome", "cases"),
    [
        ({"a": 1, "b": 1}, "pass", ()),
        ({**{f"c{n}": 1 for n in range(99)}, "z": 0.99}, "fail", ("z",)),
        ({"a": [1, 1, 0], "b": 1}, "fail", ("a",)),  # one repeat of three
        ({"a": [1, (0, 1)], "b": 1}, "undecided", ("a",)),
        ({"a": (0, 1), "b": 0.5, "c": 0}, "fail", ("c", "b", "a")),
    ],
)
def test_a_critical_rule_tolerates_no_single_case_and_no_single_repeat(values, outcome, cases):
    result = only(values, metric="citation_permitted", critical=[rule("citation_permitted", min=1.0)])
    assert (result.outcome, result.case_ids) == (outcome, cases)


def test_a_critical_rule_is_not_passed_by_cases_nobody_looked_at_however_many_may_fail():
    terms = {"allowed_failed_share": 1.0, "allowed_undefined_share": 1.0}
    zero = rule("citation_permitted", min=1.0, **terms)
    (found,) = decided({"a": 1, "b": "failed"}, metric="citation_permitted", critical=[zero]).rules
    assert (found.outcome, found.case_ids) == ("undecided", ("b",))
    assert "--retry-failed" in found.reason
    # nothing to check is no gap: a case that cites nothing shows no forbidden document
    assert only({"a": 1, "b": "it cites nothing"}, metric="citation_permitted", critical=[zero]).outcome == "pass"


def test_a_breach_of_a_critical_rule_needs_no_minimum_n():
    zero = rule("citation_permitted", min=1.0, minimum_n=50)
    assert only({"a": 0}, metric="citation_permitted", critical=[zero]).outcome == "fail"
    assert only({"a": 1}, metric="citation_permitted", critical=[zero]).outcome == "undecided"


def test_a_breach_is_seen_beside_a_failed_repeat():
    zero = rule("citation_permitted", min=1.0, allowed_failed_share=1.0)
    assert only({"a": [0, "failed"]}, metric="citation_permitted", critical=[zero]).outcome == "fail"


def test_a_case_listed_for_a_failed_repeat_says_so_instead_of_a_good_value():
    values = {"k0": [1, "failed", 1], "k1": ["failed"] * 3, "fine": [1, 1, 1]}
    critical = decide(policy(critical=[rule(min=1.0)]), MadeRun({"faithfulness": values}))
    average = decide(policy(rule(min=0.9)), MadeRun({"faithfulness": values}))
    for decision in (critical, average):
        assert decision.outcome == "undecided"
        listed = [(case.case_id, case.status, case.low, case.reason) for case in decision.rules[0].cases]
        assert listed == [
            ("k0", "failed", None, "TargetTimeout: no answer, in some of its repeats"),
            ("k1", "failed", None, "TargetTimeout: no answer"),
        ]


def test_an_upper_critical_threshold_looks_at_the_worst_repeat():
    zero = rule("stale_source", max=0.0)
    result = only({"a": [0, 1], "b": 0}, metric="stale_source", critical=[zero])
    assert (result.outcome, result.case_ids, result.cases[0].high) == ("fail", ("a",), 1.0)


def test_a_failing_rule_names_its_cases_the_worst_first_then_what_is_open_then_failed():
    values = {"ok": 1, "low": 0.5, "worst": 0, "open": (0.2, 1), "lost": "failed", "none": "the system refused"}
    terms = {"allowed_undefined_share": 0.5, "allowed_failed_share": 0.5}
    result = only(values, rule(min=0.9, **terms))
    assert result.outcome == "fail"
    assert result.case_ids == ("worst", "low", "open", "lost")


def test_cases_with_nothing_to_measure_are_named_where_the_terms_break_over_them():
    result = only({"ok": 1, "none": "the system refused"}, rule(min=0.9))
    assert result.outcome == "undecided"
    assert [(case.case_id, case.status, case.reason) for case in result.cases] == [
        ("none", "undefined", "the system refused")
    ]


def test_failed_rules_come_first_and_critical_ones_lead():
    run = MadeRun({"faithfulness": {"a": 0}, "citation_permitted": {"a": 0}, "latency": {"a": 1}})
    rules = (rule("latency", max=2.0), rule(), rule("latency", max=2.0, minimum_n=9))
    decision = decide(policy(*rules, critical=[rule("citation_permitted", min=1.0)]), run)
    assert [(result.outcome, result.critical, result.metric) for result in decision.rules] == [
        ("fail", True, "citation_permitted"),
        ("fail", False, "faithfulness"),
        ("undecided", False, "latency"),
        ("pass", False, "latency"),
    ]
    assert decision.exit_code == 1


def test_a_metric_the_run_does_not_hold_is_named_with_the_nearest_alone_or_all_there_are():
    with pytest.raises(InputError) as caught:
        decided({"a": 1}, rule("Faithfullness"), rule("latency", max=1.0, stratum="category=tow"))
    unknown, stratum = sorted(caught.value.problems, key=lambda problem: (problem.record, problem.field))
    assert (unknown.record, unknown.field) == ("rule 1 (Faithfullness)", "metric")
    assert (unknown.expected, unknown.action) == ("a metric that applies to some case", "Did you mean 'faithfulness'?")
    assert stratum.record == "rule 2 (latency)"
    assert "one of all, category=one, every, every category" in stratum.expected


def test_a_metric_the_run_holds_no_score_of_is_not_measured_never_passed_and_never_failed():
    decision = decided({"a": 1}, rule(), rule("wrong_refusal", max=0.1))
    passed, idle = sorted(decision.rules, key=lambda result: result.metric)
    assert (passed.outcome, idle.outcome) == ("pass", "not measured")
    assert "no score of 'wrong_refusal'" in idle.reason
    assert (decision.outcome, decision.exit_code) == ("not measured", 3)


def test_a_stratum_nobody_tested_is_not_measured():
    (found,) = decided({"a": 1}, rule(stratum="language=de")).rules
    assert (found.outcome, found.stratum) == ("not measured", "language=de")
    assert found.reason == "there is no case in 'language=de'"


def test_a_broken_rule_weighs_more_than_one_that_was_not_measured():
    assert decided({"a": 0}, rule(), rule("wrong_refusal", max=0.1)).outcome == "fail"


def asked(stratum="every category", **bounds):
    agreed = {"agreed_by": "Dana", "agreed_on": date(2026, 3, 1), "why": "fewer show nothing"}
    return CasesTested(subject="tested", stratum=stratum, **agreed, **bounds)


def test_cases_that_came_back_with_no_answer_were_not_tested():
    strata = {"a": ["category=x"], "b": ["category=x"], "c": ["category=y"]}
    decision = decided({"a": 1, "b": [1, "failed"], "c": 1}, asked(min=1), asked("all", min=3), strata=strata)
    found = [(result.stratum, result.outcome, result.observed) for result in decision.rules]
    assert found == [
        ("all", "fail", "2 cases, 1 of 3 (33.3 %) came back with no answer"),
        ("category=x", "pass", "1 case, 1 of 2 (50.0 %) came back with no answer"),
        ("category=y", "pass", "1 case"),
    ]


def test_a_stratum_that_must_be_tested_and_is_not_there_is_not_measured():
    (found,) = decided({"a": 1}, asked("category=legal matters", min=1)).rules
    assert (found.outcome, found.observed) == ("not measured", "0 cases")


def test_a_rule_may_be_about_every_case_without_being_critical():
    (found,) = decided({"a": 1, "b": 0.7}, rule(min=0.8, statistic="every case")).rules
    assert (found.outcome, found.critical, found.case_ids) == ("fail", False, ("b",))


def test_what_a_rule_takes_from_the_defaults_is_told_in_its_explanation():
    placed = Placed(table="rule", number=1, entry=rule(), defaults=("minimum_n", "agreed_by"))
    written = Policy(source="policy.toml", fingerprint="f", entries=(placed,))
    (found,) = decide(written, MadeRun({"faithfulness": {"a": 1}})).rules
    assert "From [defaults] of the policy: minimum_n 1, agreed_by Dana." in found.explanation


def test_a_retrieval_metric_in_another_tools_spelling_gets_its_own_name_here():
    declared = dict.fromkeys(("recall@5", "RR@5", "nDCG@5"), REGISTRY["faithfulness"].declaration)
    with pytest.raises(InputError, match=r"Did you mean 'RR@5'\?"):
        resolve(policy(rule("mrr@5")).entries, declared, ["all"])


@pytest.mark.parametrize("terms", [{"min": 90.0}, {"max": -0.1}, {"min": 0.2, "max": 1.5}])
def test_a_threshold_no_value_can_reach_is_an_error(terms):
    with pytest.raises(InputError, match="0 to 1"):
        decided({"a": 1}, rule(**terms))


def test_a_threshold_agreed_after_the_run_started_is_a_visible_warning():
    early, late = rule(agreed_on=date(2026, 3, 10)), rule(agreed_on=date(2026, 3, 12))
    assert decided({"a": 1}, early).warnings == ()
    (warning,) = decided({"a": 1}, late).warnings
    assert "2026-03-12" in warning
    assert "after the run started" in warning


def test_a_threshold_on_the_better_side_is_a_visible_warning():
    (warning,) = decided({"a": 0.1}, rule("latency", min=0.05), metric="latency").warnings
    assert "lower is better: did you mean max?" in warning
    (warning,) = decided({"a": 1}, rule(max=1.0)).warnings
    assert "higher is better: did you mean min?" in warning


def test_the_explanation_gives_every_number_of_the_decision():
    values = {"a": 1, "b": 0.5, "c": (0, 1), "d": "the system refused", "e": "failed"}
    result = only(values, rule(min=0.6, allowed_undefined_share=0.2, allowed_failed_share=0.2))
    told = "\n".join(result.explanation)
    # Mean of 1, 0.5 and [0, 1]: 0.5 to 0.833; with one failed in [0, 1]: 1.5 / 4 to 3.5 / 4.
    assert "5 cases eligible: 2 with one value, 1 with a range" in told
    assert "1 with nothing to measure (1: the system refused), 1 failed" in told
    assert "0.5 with every unknown at its worst, 0.833 at its best" in told
    assert "it is 0.375 to 0.875" in told
    assert "So: undecided" in told


def test_a_number_is_never_rounded_across_the_threshold():
    result = only({"a": 0.79999}, rule(min=0.8))
    assert result.outcome == "fail"
    assert result.observed == "mean 0.79999 over 1 case"


ITEM = st.one_of(st.floats(0, 1), st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted).map(tuple), st.just("failed"))


@settings(deadline=None)
@given(st.lists(ITEM, min_size=1, max_size=5), st.floats(0, 1))
def test_settling_what_is_unknown_never_turns_a_pass_into_a_fail_nor_back(items, threshold):
    lenient = rule(min=threshold, allowed_failed_share=1.0)
    values = {f"c{number}": item for number, item in enumerate(items)}
    worst = {k: 0.0 if v == "failed" else v[0] if isinstance(v, tuple) else v for k, v in values.items()}
    best = {k: 1.0 if v == "failed" else v[1] if isinstance(v, tuple) else v for k, v in values.items()}
    if all(item == "failed" for item in items):
        return
    outcome, at_worst, at_best = (only(made, lenient).outcome for made in (values, worst, best))
    if outcome == "undecided":
        assert (at_worst, at_best) == ("fail", "pass")
    else:
        assert at_worst == at_best == outcome


def test_a_rule_on_retrieval_never_passes_a_stratum_whose_evidence_nobody_marked():
    strata = {"a": ["category=marked"], "b": ["category=bare"]}
    run = {"strata": strata, "unmarked": ["b"]}
    found = decided({"a": 1}, rule("coverage@5", stratum="every category"), metric="coverage@5", **run)
    assert {(result.stratum, result.outcome) for result in found.rules} == {
        ("category=marked", "pass"),
        ("category=bare", "not measured"),
    }
    (warning,) = found.warnings
    assert "1 of 2 cases" in warning
    assert decided({"a": 1}, rule(stratum="every category"), **run).warnings == ()  # faithfulness needs no evidence
