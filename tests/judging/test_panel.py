from __future__ import annotations

import asyncio

import pytest

from ragvet.errors import BudgetReached, InputError, JudgeError
from ragvet.judging import Panel, Scope, judge_answer
from ragvet.records import Case, RequiredClaim, Rulings, Segmentation, SupportRuling, Trace, Verdicts
from ragvet.records.lattice import claim_verdicts

ANSWER = "Refunds take 5 days. They come by post."
CASE = Case(
    id="1",
    question="When?",
    category="a",
    expected_behaviour="answer",
    reference_answer="In 5 days.",
    required_claims=(RequiredClaim(id="r", text="5 days"),),
)
SUPPLIED = [{"chunk_id": chunk, "text": f"Passage {chunk}."} for chunk in "pqr"]
TRACE = Trace.model_validate({"case_id": "1", "question": "When?", "answer": {"text": ANSWER, "supplied": SUPPLIED}})


def verdicts(*support, **given):
    """Claims c1 [0, 20) and c2 [21, 39), with (claim, passage, verdict) rows."""
    claims = [
        {"id": "c1", "text": ANSWER[:20], "start": 0, "end": 20},
        {"id": "c2", "text": ANSWER[21:], "start": 21, "end": 39},
    ]
    rows = [{"claim": claim, "passage": passage, "verdict": verdict} for claim, passage, verdict in support]
    fields = {
        "case_id": "1",
        "judge": "member",
        "behaviour": {"observed": "answered", "source": "model"},
        "claims": claims,
        "support": rows,
    }
    return Verdicts.model_validate({**fields, **given})


class Said:
    def __init__(self, said, name="said"):
        self.said, self.fingerprint = said, name

    async def judge(self, case, trace):
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


def panel(*said, rule="majority"):
    return asyncio.run(judge_answer(Panel([Said(one) for one in said], rule), CASE, TRACE))


YES = verdicts(("c1", "p", "supported"))
NO = verdicts(("c1", "p", "contradicted"))
NOTHING = verdicts()
OPEN = verdicts(("c1", "p", "undecided"))


@pytest.mark.parametrize(
    ("members", "majority", "unanimity"),
    [
        ((YES, YES, YES), "supported", "supported"),
        ((YES, YES, NO), "supported", "undecided"),
        ((YES, NO, NOTHING), "undecided", "undecided"),
        ((YES, NO), "undecided", "undecided"),
        ((NOTHING, NOTHING, YES), "unsupported", "undecided"),
        ((NO, NO, YES), "contradicted", "undecided"),
        ((YES, OPEN, OPEN), "undecided", "undecided"),
        ((YES, YES, OPEN), "supported", "undecided"),  # more than half of all three
        ((YES, OPEN), "undecided", "undecided"),
        ((NOTHING, NOTHING), "unsupported", "unsupported"),
    ],
)
def test_the_verdict_on_a_claim_is_what_enough_judges_say(members, majority, unanimity):
    assert claim_verdicts(panel(*members))["c1"].told == majority
    assert claim_verdicts(panel(*members, rule="unanimity"))["c1"].told == unanimity


def test_support_by_different_passages_is_agreement_on_the_claim():
    other = verdicts(("c1", "q", "supported"))
    judged = panel(YES, other)
    assert {(row.passage, row.verdict) for row in judged.support} == {("p", "supported"), ("q", "supported")}


def test_what_each_judge_said_is_kept():
    judged = panel(YES, NO, NOTHING)
    assert judged.members == (YES, NO, NOTHING)
    assert "supported, contradicted, unsupported" in judged.support[0].reason


def test_a_claim_another_judge_did_not_see_is_undecided():
    assert claim_verdicts(panel(YES, verdicts(claims=[])))["c1"].told == "undecided"
    assert claim_verdicts(panel(NOTHING, verdicts(claims=[])))["c1"].told == "undecided"


def test_a_judge_of_whole_answers_that_cut_them_otherwise_says_nothing_of_these_claims():
    whole = {"id": "x", "text": ANSWER, "start": 0, "end": 39}
    coarse = verdicts(claims=[whole], support=[{"claim": "x", "passage": "p", "verdict": "supported"}])
    judged = panel(YES, coarse)
    assert claim_verdicts(judged)["c1"].told == "undecided"
    assert "supported, undecided" in judged.support[0].reason


def test_a_row_that_carries_the_hash_of_a_question_answers_it_whatever_the_claim_is_called():
    asked = panel(YES, YES).support[0].question
    row = {"claim": "mine", "passage": "p", "verdict": "supported", "question": asked}
    judged = panel(YES, verdicts(claims=[], support=[row]))
    assert claim_verdicts(judged)["c1"].told == "supported"


class Deciding:
    """A judge that decides questions, and keeps them."""

    def __init__(self, verdict, scope=None):
        self.verdict, self.asked, self.fingerprint = verdict, [], verdict
        self.scope = scope or Scope()

    async def segment(self, case, trace):
        return Segmentation(YES.behaviour, (YES.claims[0].model_copy(update={"id": self.verdict}),))

    async def decide(self, questions):
        self.asked = list(questions)
        of = {"support", "citation", "reference"}
        return Rulings(tuple(SupportRuling(()) if one.kind in of else None for one in questions))


def test_every_judge_decides_the_same_questions_about_the_claims_of_the_first():
    first, second = Deciding("a"), Deciding("b", Scope(frozenset({"support"})))
    judged = asyncio.run(judge_answer(Panel([first, second]), CASE, TRACE))
    assert [claim.id for claim in judged.claims] == ["a"]
    of_support = [one for one in first.asked if one.kind == "support"]
    assert second.asked == of_support  # and nothing it does not decide
    assert [one.place.claim for one in of_support] == ["a"]
    assert [member.judge for member in judged.members] == ["a", "b"]


def test_behaviour_coverage_agreement_and_relevance_are_voted_on():
    def said(behaviour, coverage, agreement, addresses):
        return verdicts(
            behaviour={"observed": behaviour, "source": "x"},
            coverage=[{"required_claim": "r", "verdict": coverage}],
            agreement=[{"claim": "c1", "verdict": agreement}],
            addresses_question=addresses,
        )

    judged = panel(
        said("answered", "covered", "agree", True),
        said("refused", "missing", "agree", False),
        said("answered", "missing", "extra", None),
    )
    assert judged.behaviour.observed == "answered"
    assert judged.coverage[0].verdict == "missing"
    assert judged.agreement[0].verdict == "agree"
    assert judged.addresses_question is None


def test_conflicts_need_enough_judges_who_saw_the_same_two_passages():
    def saw(*pairs):
        return verdicts(conflicts=[{"passages": pair, "about": "time", "surfaced": True} for pair in pairs])

    judged = panel(saw(("p", "q")), saw(("q", "p"), ("p", "r")), saw())
    assert [set(conflict.passages) for conflict in judged.conflicts] == [{"p", "q"}]
    assert judged.conflicts[0].surfaced is True
    assert panel(saw(("p", "q")), verdicts(conflicts=None)).conflicts is None


def test_usage_is_the_sum_of_those_who_were_paid():
    paid = verdicts(usage={"input_tokens": 10, "output_tokens": 1, "cost": 0.5})
    assert panel(paid, paid, verdicts()).usage.cost == 1.0
    assert panel(verdicts(), verdicts()).usage is None


def test_a_judge_that_fails_fails_the_panel_with_its_name_and_raw_text():
    with pytest.raises(JudgeError, match="said: out of order") as failure:
        panel(YES, JudgeError("out of order", raw="{"))
    assert failure.value.raw == "{"


def test_the_fingerprint_is_that_of_rule_and_judges_in_order():
    def mark(*names, rule="majority"):
        return Panel([Said(YES, name) for name in names], rule).fingerprint

    assert (
        len({mark("a", "b"), mark("b", "a"), mark("a", "c"), mark("a", "b", "c"), mark("a", "b", rule="unanimity")})
        == 5
    )


def test_one_judge_is_no_panel():
    with pytest.raises(InputError, match="two or more"):
        Panel([Said(YES)])


def test_a_reached_budget_of_one_judge_ends_the_judging_and_is_no_failure_of_the_answer():
    with pytest.raises(BudgetReached):
        panel(JudgeError("no"), BudgetReached("spent"))


def test_a_panel_is_given_as_many_answers_at_once_as_its_widest_judge_takes():
    class Wide(Said):
        concurrency = 40

    assert Panel([Said(YES), Wide(YES)]).concurrency == 40
    assert Panel([Said(YES), Said(YES)]).concurrency == 16
