import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.gate.make import case_rows, score_rows

from ragvet.errors import BundleError
from ragvet.metrics.answers import REGISTRY, Condition, score_batch
from ragvet.records import Case, MetricDeclaration, Trace, Verdicts
from ragvet.records.verdict_rows import to_tables
from ragvet.runs._summaries import summarise

DECLARED = {name: metric.declaration for name, metric in REGISTRY.items()}


def summaries(values, metric="faithfulness", strata=None, ambiguous=(), wanted=None):
    frame = summarise(score_rows(metric, values), case_rows(values, strata, ambiguous), DECLARED, wanted)
    return {summary.stratum: summary for summary in frame}


def whole(values, metric="faithfulness"):
    return summaries(values, metric)["all"]


def test_counts_add_up_and_the_mean_is_over_cases_with_a_value():
    found = whole({"a": 1, "b": 0.5, "c": "refused", "d": "blank", "e": "refused", "f": "failed"})
    assert (found.eligible, found.scored, found.bounded, found.failed) == (6, 2, 0, 1)
    assert found.undefined == {"refused": 2, "blank": 1}
    assert found.mean == found.low == found.high == 0.75


def test_ranges_make_a_range_and_no_mean():
    found = whole({"a": 1, "b": (0.25, 0.75)})
    assert found.mean is None
    assert (found.low, found.high) == (0.625, 0.875)


def test_failed_items_are_put_at_the_ends_of_the_metrics_range():
    # Two cases at 1 and 0.5, two failed in [0, 1]: (1.5 + 0) / 4 and (1.5 + 2) / 4.
    found = whole({"a": 1, "b": 0.5, "c": "failed", "d": "failed"})
    assert (found.mean, found.failed_low, found.failed_high) == (0.75, 0.375, 0.875)


def test_a_failed_item_of_an_unbounded_metric_could_have_taken_forever():
    found = whole({"a": 2.0, "b": "failed"}, "latency")
    assert (found.mean, found.failed_low, found.failed_high) == (2.0, 1.0, None)


def test_without_failures_an_unbounded_metric_has_exact_ends():
    found = whole({"a": 2.0, "b": 4.0}, "latency")
    assert (found.failed_low, found.failed_high) == (3.0, 3.0)


def test_where_nothing_has_a_value_there_is_no_mean():
    found = whole({"a": "refused"})
    assert (found.mean, found.low, found.high, found.failed_low, found.failed_high) == (None,) * 5
    lost = whole({"a": "failed"})
    assert (lost.mean, lost.low, lost.failed_low, lost.failed_high) == (None, None, 0.0, 1.0)


def test_repeats_are_averaged_first_so_that_each_case_weighs_the_same():
    # a: (1 + 0) / 2; b: 1. By case 0.75, by item it would be 2 / 3.
    assert whole({"a": [1, 0], "b": [1]}).mean == 0.75


def test_a_case_with_an_undefined_repeat_is_measured_on_the_others():
    found = whole({"a": [1, "refused", 0.5], "b": ["refused", "refused"]})
    assert (found.scored, found.mean) == (1, 0.75)
    assert found.undefined == {"refused": 1}


def test_a_range_in_one_repeat_makes_the_case_a_range():
    found = whole({"a": [1, (0, 1)]})
    assert (found.bounded, found.low, found.high) == (1, 0.5, 1.0)


def test_a_case_with_a_failed_repeat_is_failed_and_its_other_repeats_narrow_what_it_could_be():
    # a: one of two repeats at 1, the other in [0, 1]: a in [0.5, 1]. With b at 0: [0.25, 0.5].
    found = whole({"a": [1, "failed"], "b": [0, 0]})
    assert (found.eligible, found.scored, found.failed) == (2, 1, 1)
    assert (found.mean, found.failed_low, found.failed_high) == (0.0, 0.25, 0.5)


def test_every_label_is_a_stratum_and_ambiguous_cases_are_in_none_but_their_own():
    strata = {"a": ["category=x", "risk=high"], "b": ["category=y", "risk=high"], "c": ["category=x", "risk=low"]}
    found = summaries({"a": 1, "b": 0, "c": 0.25}, strata=strata, ambiguous=["c"])
    assert {stratum: (summary.eligible, summary.mean) for stratum, summary in found.items()} == {
        "all": (2, 0.5),
        "category=x": (1, 1.0),
        "category=y": (1, 0.0),
        "risk=high": (2, 0.5),
        "ambiguous": (1, 0.25),
    }
    assert list(found) == ["all", "category=x", "category=y", "risk=high", "ambiguous"]


def test_the_strata_asked_for_are_given_in_their_order():
    strata = {"a": ["category=x"], "b": ["category=y"]}
    assert list(summaries({"a": 1, "b": 0}, strata=strata, wanted=["category=y", "all"])) == ["category=y", "all"]


def test_metrics_come_in_the_order_of_their_declarations():
    scores = pl.concat([score_rows("latency", {"a": 1}), score_rows("faithfulness", {"a": 1})])
    found = summarise(scores, case_rows(["a"]), DECLARED, ["all"])
    assert [summary.metric for summary in found] == ["faithfulness", "latency"]


def test_a_run_too_large_for_one_piece_is_summarised_the_same(monkeypatch):
    scores = pl.concat([score_rows(name, {"a": 1, "b": "failed", "c": "refused"}) for name in list(DECLARED)[:5]])
    cases = case_rows("abc", {"a": ["category=x"]})
    at_once = summarise(scores, cases, DECLARED)
    monkeypatch.setattr("ragvet.runs._summaries._ROWS_AT_ONCE", 1)
    assert summarise(scores, cases, DECLARED) == at_once
    assert len({summary.metric for summary in at_once}) == 5


def test_scores_of_a_case_nobody_knows_are_a_fault_and_not_left_out():
    with pytest.raises(BundleError, match="'b'"):
        summarise(score_rows("faithfulness", {"a": 1, "b": 1}), case_rows(["a"]), DECLARED)


def test_an_empty_run_has_no_summary():
    assert summarise(score_rows("faithfulness", {}), case_rows([]), DECLARED) == []


def plain(values, declared: MetricDeclaration):
    """The same summary in plain Python: counts, mean, low, high, failed low, failed high."""
    lows, highs, failed_lows, failed_highs = [], [], [], []
    counts = {"scored": 0, "bounded": 0, "undefined": 0, "failed": 0}
    for repeats in values.values():
        known = [(v, v) if isinstance(v, float) else v for v in repeats if not isinstance(v, str)]
        lost = sum(v == "failed" for v in repeats)
        if lost:
            counts["failed"] += 1
            total = len(known) + lost
            failed_lows.append((sum(low for low, _ in known) + lost * declared.low) / total)
            failed_highs.append((sum(high for _, high in known) + lost * declared.high) / total)
        elif known:
            counts["scored" if all(isinstance(v, float | str) for v in repeats) else "bounded"] += 1
            lows.append(sum(low for low, _ in known) / len(known))
            highs.append(sum(high for _, high in known) / len(known))
        else:
            counts["undefined"] += 1

    def mean(numbers):
        return sum(numbers) / len(numbers) if numbers else None

    return counts, mean(lows), mean(highs), mean(lows + failed_lows), mean(highs + failed_highs)


SHARES = st.floats(0, 1).map(lambda number: round(number, 3))
ITEM = st.one_of(SHARES, st.tuples(SHARES, SHARES).map(sorted).map(tuple), st.sampled_from(["failed", "refused"]))


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 3).flatmap(lambda n: st.lists(st.lists(ITEM, min_size=n, max_size=n), min_size=1, max_size=6)))
def test_summaries_agree_with_a_plain_count(items):
    values = {f"case {number}": repeats for number, repeats in enumerate(items)}
    found = whole(values)
    counts, low, high, failed_low, failed_high = plain(values, DECLARED["faithfulness"])
    assert counts == {
        "scored": found.scored,
        "bounded": found.bounded,
        "undefined": sum(found.undefined.values()),
        "failed": found.failed,
    }
    for ours, theirs in ((found.low, low), (found.high, high), (found.failed_low, failed_low)):
        assert ours == (None if theirs is None else pytest.approx(theirs, abs=1e-12))
    assert found.failed_high == (None if failed_high is None else pytest.approx(failed_high, abs=1e-12))


def answered(family, number, observed, *, accurate):
    case = Case(
        id=f"{family}-{number}", question="?", category=family, expected_behaviour="answer", reference_answer="r"
    )
    trace = Trace(case_id=case.id, question="?", answer={"text": "So it is."})
    verdicts = Verdicts.model_validate(
        {
            "case_id": case.id,
            "judge": "j",
            "behaviour": {"observed": observed, "source": "test"},
            "claims": [{"id": "c1", "text": "So it is.", "start": 0, "end": 9}],
            "agreement": [{"claim": "c1", "verdict": "agree" if accurate else "contradict"}],
        }
    )
    return case, trace, verdicts


def test_tested_produced_and_validated_give_quality_coverage_and_success():
    # 80 tested, 78 produced, 72 validated; the sensitive family 20, 2, 0. Together 100, 80, 72:
    # quality 72 / 80 = 90 %, coverage 80 / 100 = 80 %, success 72 / 100 = 72 %; sensitive 0 / 2, 2 / 20, 0 / 20.
    items = [answered("plain", n, "answered" if n < 78 else "refused", accurate=n < 72) for n in range(80)]
    items += [answered("sensitive", n, "answered" if n < 2 else "refused", accurate=False) for n in range(20)]
    accurate = (Condition(REGISTRY["accuracy"], low=1.0),)
    tables = to_tables((verdicts, trace) for _, trace, verdicts in items)
    scores = score_batch([(case, trace) for case, trace, _ in items], tables, evidence={}, validated=accurate)
    cases = case_rows([case.id for case, _, _ in items], {c.id: [f"category={c.category}"] for c, _, _ in items})
    found = {(summary.metric, summary.stratum): summary for summary in summarise(scores, cases, DECLARED)}

    def mean(metric, stratum):
        return found[metric, stratum].mean

    assert mean("answer_quality", "all") == pytest.approx(0.90)
    assert mean("answer_coverage", "all") == pytest.approx(0.80)
    assert mean("answer_success", "all") == pytest.approx(0.72)
    assert mean("answer_quality", "category=sensitive") == 0.0
    assert mean("answer_coverage", "category=sensitive") == pytest.approx(0.10)
    assert mean("answer_success", "category=sensitive") == 0.0
    assert found["answer_quality", "all"].undefined == {"no answer was produced": 20}
    assert found["answer_coverage", "all"].eligible == 100
