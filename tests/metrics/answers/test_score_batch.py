"""Many answers at once are scored as each of them alone, from tables as from records."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.metrics.answers.make import case, claims, judged
from tests.metrics.answers.strategies import VALIDATED, build, cases_with_unknowns

from ragvet.metrics.answers import score_batch, score_case
from ragvet.records import JudgeFailure, Trace, TraceError
from ragvet.records.outcomes import SCORES
from ragvet.records.verdict_rows import to_tables


def made(answer, number):
    """The answer as that of a case of its own."""
    renamed = {"case_id": f"c{number}"}
    asked = answer.case.model_copy(update={"id": f"c{number}"})
    trace, verdicts = (one.model_copy(update=renamed) for one in (answer.trace, answer.verdicts))
    return asked, trace, verdicts, answer.evidence


def rows_of(scores):
    return {(row["case_id"], row["metric"]): row for row in scores.iter_rows(named=True)}


@settings(max_examples=60, deadline=None)
@given(st.lists(cases_with_unknowns(), min_size=1, max_size=5))
def test_a_batch_is_each_of_its_answers(drawn):
    built = (build(shape, facts | {place: open_ for place, _, open_ in left_open}) for shape, facts, left_open in drawn)
    items = [made(answer, number) for number, answer in enumerate(built)]
    tables = to_tables((verdicts, trace) for _, trace, verdicts, _ in items)
    evidence = {trace.key: carries for _, trace, _, carries in items}
    pairs = [(asked, trace) for asked, trace, _, _ in items]
    found = rows_of(score_batch(pairs, tables, evidence=evidence, validated=VALIDATED))
    alone = [
        score
        for asked, trace, verdicts, carries in items
        for score in score_case(asked, trace, verdicts, evidence=carries, validated=VALIDATED)
    ]
    assert found.keys() == {(score.case_id, score.metric) for score in alone}
    for score in alone:
        row = found[score.case_id, score.metric]
        written = score.outcome.model_dump()
        assert {name: row[name] for name in written if name in row} == written


def test_what_failed_stands_among_what_did_not_and_says_no_more_than_the_kind():
    good = judged(claims=claims(1), latency=0.5)
    items = [
        (case(id="good"), good.trace.model_copy(update={"case_id": "good"})),
        (
            case(id="lost"),
            Trace(case_id="lost", question="?", error=TraceError(kind="TargetTimeout", message="secret")),
        ),
        (case(id="unclear"), good.trace.model_copy(update={"case_id": "unclear"})),
        (case(id="unjudged"), good.trace.model_copy(update={"case_id": "unjudged"})),
    ]
    verdicts = good.verdicts.model_copy(update={"case_id": "good"})
    failure = JudgeFailure(case_id="unclear", judge="j", error="cut off: secret")
    found = rows_of(score_batch(items, to_tables([(verdicts, items[0][1]), (failure, items[2][1])]), evidence={}))
    told = {case_id: found[case_id, "faithfulness"] for case_id in ("good", "lost", "unclear", "unjudged")}
    assert {case_id: (row["status"], row["reason"]) for case_id, row in told.items()} == {
        "good": ("scored", None),
        "lost": ("failed", "TargetTimeout"),
        "unclear": ("failed", "judge"),
        "unjudged": ("failed", "judge"),
    }
    assert [found[case_id, "latency"]["value"] for case_id in told] == [0.5, None, 0.5, 0.5]


def test_without_items_there_are_no_scores():
    found = score_batch([], to_tables([]), evidence={})
    assert (found.height, found.schema) == (0, SCORES)
