from __future__ import annotations

import statistics

import polars as pl
import pytest
from tests.report.fake_run import FakeRun, fake_run
from tests.report.fake_special import failed_item, item_with

from ragvet.metrics.answers import REGISTRY
from ragvet.records import Answer, Case, Summary, Trace
from ragvet.report import BehaviourCell, Report, build
from ragvet.report._build import _evidence, worst_first
from ragvet.report._production import production, production_flags
from ragvet.report._tally import Tally
from ragvet.report._wording import cell_note, production_range
from ragvet.runs._frames import RANKINGS, SCORES


def summary(stratum: str, low: float | None, high: float | None) -> Summary:
    count = 0 if low is None else 1
    return Summary(
        metric="m", version=1, stratum=stratum, eligible=1, scored=count, bounded=0, failed=0, low=low, high=high
    )


def test_strata_stand_worst_first_by_the_worst_value_they_may_have_and_undefined_ones_last():
    rows = [summary("a", 0.9, 0.9), summary("b", None, None), summary("c", 0.2, 0.9), summary("d", 0.3, 0.3)]
    assert [row.stratum for row in worst_first(rows, "higher")] == ["c", "d", "a", "b"]
    # Where lower is better the worst a stratum may be is its high end; 0.9 and 0.9 tie and stand by name.
    assert [row.stratum for row in worst_first(rows, "lower")] == ["a", "c", "d", "b"]


def test_every_metric_of_the_run_is_in_one_half_with_every_stratum(run: FakeRun, report: Report):
    names = [metric.declaration.name for metric in (*report.retrieval, *report.answers)]
    assert sorted(names) == sorted(run.declarations)
    assert {metric.declaration.name for metric in report.retrieval} == {name for name in names if "@" in name}
    assert {label: len(rows) for label, rows in report.retrieval[0].strata.items()} == {
        "category": 4,
        "language": 8,
        "risk": 2,
    }


def test_the_category_comes_first_whatever_the_labels_are_called(report: Report):
    assert all(next(iter(metric.strata)) == "category" for metric in report.answers)


def test_the_two_depths_of_one_metric_are_paired_and_their_gap_is_deep_minus_supplied(report: Report):
    pairs = {(pair.metric, pair.stratum): pair for pair in report.depths}
    shallow = next(metric for metric in report.retrieval if metric.declaration.name == "coverage@5")
    deep = next(metric for metric in report.retrieval if metric.declaration.name == "coverage@20")
    gap = (deep.overall.mean or 0) - (shallow.overall.mean or 0)
    assert pairs["coverage", "all"].gap_low == pytest.approx(gap)
    assert gap > 0
    # Rank-weighted metrics are no sum over depth: a gap of nDCG is nothing a reranker could win.
    assert {metric for metric, _ in pairs} == {"coverage", "recall"}


def test_ambiguous_cases_are_listed_apart_and_in_no_cell_of_the_behaviours(report: Report):
    ambiguous = {case.case_id for case in report.ambiguous}
    assert ambiguous == {"access-ambiguous-1", "access-ambiguous-2"}
    assert not ambiguous & {case_id for cell in report.behaviours for case_id in cell.case_ids}


def test_behaviours_are_joined_to_whether_evidence_was_supplied(run: FakeRun, report: Report):
    cells = {(cell.expected, cell.observed): cell for cell in report.behaviours}
    refused = cells["answer", "refused"]
    # A slow second count: of the refused cases, those with a gold document in the first five places.
    with_evidence = 0
    for item in run.items:
        answer = item.traces[0].answer
        if item.case.id in refused.case_ids and answer is not None:
            gold = {passage.doc_id for passage in item.case.reference_passages}
            with_evidence += any(hit.doc_id in gold for hit in answer.retrievals[0].ranking[:5])
    assert (refused.with_evidence, refused.without_evidence) == (with_evidence, refused.items - with_evidence)
    assert cells["refuse", "answered"].no_gold == 2
    # A target that failed did not say what it had retrieved; a judge that failed leaves what was retrieved known.
    assert cells["answer", "failed"].not_reported == 3
    assert sum(cell.items for cell in report.behaviours) == len(run.items) - 2


@pytest.mark.parametrize(
    ("supplied", "rank", "found"),
    [(True, 9, True), (False, 1, False), (None, 5, True), (None, 6, False)],
    ids=["supplied from afar", "ranked first and dropped", "not reported, in reach", "not reported, out of reach"],
)
def test_evidence_is_what_was_supplied_and_where_that_is_not_reported_the_supplied_depth(
    supplied: bool | None, rank: int, found: bool
):
    row = {"case_id": "c", "repeat": 0, "view": "union", "rank": rank, "grade": 1, "supplied": supplied}
    rankings = pl.LazyFrame([row], schema={name: RANKINGS[name] for name in row})
    assert _evidence(rankings, 5) == (frozenset({("c", 0)}) if found else frozenset())


def test_a_behaviour_is_joined_to_whether_any_passage_was_before_the_model():
    empty = {"retrieved": [], "supplied": []}
    silent, unknown = {"retrieved": []}, {}
    full = {"retrieved": ["d1"], "supplied": ["d1"]}
    answers = [empty, silent, unknown, full]
    cells = [behaviour(Answer.model_validate({"text": "Yes.", "behaviour": "answered", **one})) for one in answers]
    assert [cell.nothing_shown for cell in cells] == [1, 1, 0, 0]
    assert cell_note(cells[0]) == "1 had none to find, 1 with nothing before the model"


def behaviour(answer: Answer) -> BehaviourCell:
    """The one cell of an answer to a question that should have been refused."""
    tally = Tally(frozenset())
    case = Case(id="c", question="?", category="x", expected_behaviour="refuse")
    tally.add(case, Trace(case_id="c", question="?", answer=answer), None)
    (cell,) = tally.behaviours()
    return cell


def test_failures_are_counted_by_stage_and_cause_the_most_frequent_first(report: Report):
    assert [(cause.stage, cause.cause, cause.items) for cause in report.failures] == [
        ("target", "TargetTimeout", 2),
        ("judge", "malformed reply", 1),
        ("target", "TargetReplyInvalid", 1),
    ]


def test_each_message_of_a_cause_is_shown_and_those_beyond_the_tenth_are_counted():
    # Twelve messages: "m0" three times, the others once. Ten rows, then the last two together.
    said = ["m0", *(f"m{number}" for number in range(12)), "m0"]
    failed = [failed_item(f"c{number}", "TargetError", message) for number, message in enumerate(said)]
    rows = build(FakeRun(failed)).failures
    assert [(row.example, row.items, row.messages) for row in rows] == [
        ("m0", 3, 1),
        *((f"m{number}", 1, 1) for number in range(1, 10)),
        ("m10", 2, 2),
    ]
    assert rows[-1].said == "2 further messages, e.g. m10"
    assert rows[-1].case_ids == ("c11", "c12")
    (bare,) = build(FakeRun(failed), content=False).failures
    assert (bare.said, bare.items, bare.messages) == (None, 14, 12)


def test_latency_quantiles_agree_with_the_standard_library(run: FakeRun, report: Report):
    seconds = [trace.latency for item in run.items for trace in item.traces if trace.latency is not None]
    total = report.latency[0]
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    assert (total.stage, total.n) == ("whole call", len(seconds))
    assert [total.p50, total.p95, total.p99] == pytest.approx([cuts[49], cuts[94], cuts[98]])


def test_a_cost_nobody_reported_stays_unknown(report: Report):
    rows = {(row.spender, row.stage): row for row in report.usage}
    assert rows["target", "embedding"].cost is None
    assert rows["judge", "judge"].cost is None
    assert rows["target", "generation"].priced == rows["target", "generation"].items


def test_a_target_that_reports_no_usage_has_a_row_of_unknowns():
    tally = Tally(frozenset())
    case = Case(id="a", question="?", category="c", expected_behaviour="answer")
    tally.add(case, Trace(case_id="a", question="?", answer=Answer(text="yes")), None)
    (row,) = tally.usage()
    assert (row.spender, row.items, row.cost, row.input_tokens) == ("target", 1, None, None)


def counted(rows):
    declared = {name: metric.declaration for name, metric in REGISTRY.items()}
    scores = pl.DataFrame(rows, schema=SCORES)
    return production_flags(scores.lazy(), scores["case_id"].unique().to_list(), declared)


def flags(metric: str, values: list[float], start: int = 0) -> list[dict[str, object]]:
    return [
        {
            "case_id": f"c{start + place}",
            "repeat": 0,
            "metric": metric,
            "version": 1,
            "status": "scored",
            "value": value,
            "low": value,
            "high": value,
        }
        for place, value in enumerate(values)
    ]


def test_answers_and_abstentions_have_their_own_tested_produced_validated():
    # The worked example: 80 expected answers, 78 produced, 72 validated; 20 expected abstentions, 2 produced anyway.
    rows = flags("answer_coverage", [1.0] * 78 + [0.0] * 2) + flags("answer_success", [1.0] * 72 + [0.0] * 8)
    cells = [
        BehaviourCell(
            expected="refuse",
            observed=observed,
            items=items,
            with_evidence=0,
            without_evidence=0,
            no_gold=items,
            case_ids=(),
        )
        for observed, items in (("refused", 18), ("answered", 2))
    ]
    answers, abstentions = production(counted(rows), cells)
    assert (answers.tested, answers.produced, answers.validated) == (80, 78, 72)
    assert (abstentions.tested, abstentions.produced, abstentions.validated) == (20, 2, None)


def test_what_a_failed_judge_leaves_unknown_is_not_called_unanswered(run: FakeRun, report: Report):
    # In the run one expected answer came back and its judge failed, and three targets failed: those produced nothing.
    answers, _ = report.production
    failed = next(cell for cell in report.behaviours if (cell.expected, cell.observed) == ("answer", "failed"))
    assert (failed.items, failed.judge_failed) == (4, 1)
    bounded = run.scores().filter((pl.col("metric") == "answer_coverage") & (pl.col("status") == "bounded"))
    assert answers.produced_undecided == bounded.height + 1
    assert production_range(answers, "unanswered").endswith(str(answers.tested - answers.produced))


def test_validated_is_unknown_where_the_config_does_not_declare_it():
    rows = [{**row, "status": "undefined", "low": None} for row in flags("answer_success", [0.0])]
    (answers,) = production(counted(flags("answer_coverage", [1.0]) + rows), [])
    assert answers.validated is None


def test_every_item_reaches_the_caller_once_in_the_order_of_the_run():
    run = fake_run(copies=1)
    seen: list[str] = []
    build(run, each=lambda case, trace, _: seen.append(f"{case.id}{trace.repeat}"))
    assert seen == [f"{item.case.id}0" for item in run.items]


def test_a_report_without_content_holds_no_message_and_no_note():
    marker = "MARKER-7141"
    report = build(fake_run(copies=1, extra=(item_with(marker),)), content=False)
    assert all(cause.example is None for cause in report.failures)
    assert all(case.note is None for case in report.ambiguous)


def test_json_reads_back_as_the_same_report(report: Report):
    assert Report.model_validate_json(report.model_dump_json()) == report
    assert report.model_dump()["format"] == "ragvet.report/1"


def test_no_number_is_a_blend_of_metrics():
    assert set(Report.model_fields) == {
        *("format", "run", "gate", "retrieval", "answers", "depths", "behaviours", "production"),
        *("failures", "ambiguous", "look_first", "amiss", "latency", "usage"),
    }
