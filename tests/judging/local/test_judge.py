import asyncio

import pytest
from tests.judging.local.make import JUDGE, WINDOW, judge

from ragvet.errors import JudgeError
from ragvet.judging import Judge, judge_answer
from ragvet.judging.local import OfflineJudge
from ragvet.judging.local._rules import Rules
from ragvet.records import Answer, Case, RequiredClaim, RetrievedItem, Trace, TraceError
from ragvet.records.lattice import claim_verdicts


def test_it_is_a_judge_and_its_fingerprint_covers_its_language_files(tmp_path):
    assert isinstance(JUDGE, Judge)
    extra = tmp_path / "en.toml"
    extra.write_text('refused = ["computer says no"]', encoding="utf-8")
    assert OfflineJudge().fingerprint == JUDGE.fingerprint
    assert OfflineJudge(languages=(extra,)).fingerprint != JUDGE.fingerprint


def test_a_trace_without_an_answer_is_a_judge_error():
    case = Case(id="1", question="q", category="x", expected_behaviour="answer")
    failed = Trace(case_id="1", question="q", error=TraceError(kind="TargetTimeout", message="late"))
    with pytest.raises(JudgeError, match="no answer to judge"):
        asyncio.run(judge_answer(JUDGE, case, failed))


def test_every_quote_is_the_text_at_its_span():
    for support in judge(
        "The return window is 14 days for unopened items. Opened items can be returned.", WINDOW
    ).support:
        if support.quote:
            assert WINDOW[support.quote.start : support.quote.end] == support.quote.text


def test_a_dropped_condition_is_its_own_flag():
    (row,) = judge("Items can be returned within 14 days.", "Only some items can be returned within 14 days.").support
    assert (row.verdict, row.missing_qualification) == ("undecided", True)


def test_halves_in_two_passages_are_not_called_unsupported():
    claim = "Rivendell is governed by Elrond while Bree elects thirteen aldermen yearly."
    halves = "Rivendell is governed by Elrond.", "Bree elects thirteen aldermen yearly."
    verdicts = judge(claim, *halves)
    assert claim_verdicts(verdicts)["c1"].told == "undecided"


def test_unknown_context_is_undecided_and_an_empty_one_supports_nothing():
    unknown = judge("The limit is 14 days for everybody.", supplied=False)
    assert [(row.passage, row.verdict) for row in unknown.support] == [("context", "undecided")]
    assert unknown.support_score is None
    empty = judge("The limit is 14 days for everybody.")
    assert (empty.support, claim_verdicts(empty)["c1"].told) == ((), "unsupported")


def test_retrieved_text_stands_in_for_a_context_that_was_not_reported():
    verdicts = judge("The return window is 14 days for unopened items.", WINDOW, supplied=False)
    assert claim_verdicts(verdicts)["c1"].told == "supported"


def test_a_supplied_passage_without_text_keeps_claims_open():
    items = (RetrievedItem(chunk_id="p0", text="Something else entirely."), RetrievedItem(chunk_id="p1"))
    case = Case(id="1", question="q", category="x", expected_behaviour="answer")
    answer = Answer(text="Penguins live in Antarctica and eat krill.", supplied=items)
    verdicts = JUDGE.judge_now(case, Trace(case_id="1", question="q", answer=answer))
    assert claim_verdicts(verdicts)["c1"].told == "undecided"


REQUIRED = (
    RequiredClaim(
        id="window", text="The return window is 14 days for unopened items.", accept=("two weeks to return",)
    ),
    RequiredClaim(id="cold", text="Penguins inhabit Antarctica."),
)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("You have two weeks to return it.", {"window": "covered", "cold": "missing"}),
        ("Unopened items: the return window is 14 days for unopened items.", {"window": "covered", "cold": "missing"}),
        ("The return window is 30 days for unopened items.", {"window": "contradicted", "cold": "missing"}),
        ("You do not have two weeks to return it.", {"window": "covered", "cold": "missing"}),
        ("Returning is possible for a fortnight.", {"window": "missing", "cold": "missing"}),
        ("", {"window": "missing", "cold": "missing"}),
    ],
)
def test_required_claims_are_covered_missing_or_open(answer, expected):
    verdicts = judge(answer, WINDOW, required_claims=REQUIRED)
    assert {row.required_claim: row.verdict for row in verdicts.coverage} == expected


def test_claims_agree_with_contradict_or_go_beyond_the_reference():
    answer = (
        "The return window is 14 days for unopened items. The shipping fee is 9 euros per parcel. "
        "Penguins inhabit Antarctica and eat krill."
    )
    reference = "The return window is 14 days for unopened items. The shipping fee is 5 euros per parcel."
    verdicts = judge(answer, WINDOW, reference_answer=reference)
    assert [row.verdict for row in verdicts.agreement] == ["agree", "contradict", "extra"]
    assert [row.verdict for row in verdicts.reference_support or ()] == ["supported", "unsupported"]


def test_what_no_sound_rule_decides_is_left_unjudged():
    verdicts = judge("The return window is 14 days for unopened items.", WINDOW)
    assert (verdicts.conflicts, verdicts.addresses_question, verdicts.reference_support) == (None, None, None)
    assert {claim.addresses_question for claim in verdicts.claims} == {None}


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("Sentence number one is here and says little. " * 2200, WINDOW * 20),
        ("a" * 100_000, "b" * 100_000),
        ("1 " * 20_000, "2 " * 20_000),
        ("[1]" * 30_000, WINDOW),
        ("not " * 25_000, "not " * 25_000),
        ("\u0301" * 10_000 + "\u202e\ud800x", "\udfff" * 100),
        ("The fox is quick and brown today.", "The fox is not quick. " * 10_000),
        ("?\n\n" * 33_000, "?\n\n" * 33_000),
        (WINDOW, "Well,\n\n" * 14_000),
        ("会议在1五月和5〇年举行。", "1二月3日"),
    ],
    ids=[
        *("sentences", "one word", "numbers", "markers", "negations", "marks and surrogates", "long passage"),
        *("nothing but ends of sentences", "nothing but openers", "digits of two scripts in one date"),
    ],
)
def test_huge_and_odd_texts_are_judged(answer, passage):
    verdicts = judge(answer, passage)
    assert {row.claim for row in verdicts.support} == {c.id for c in verdicts.claims if c.needs_evidence}


def test_an_answer_that_repeats_itself_is_compared_once(monkeypatch):
    compared: list[str] = []
    find = Rules.find

    def counted(self, claim, passage):
        compared.append(claim.prepared.text)
        return find(self, claim, passage)

    monkeypatch.setattr(Rules, "find", counted)
    said = "Goods can be returned within 30 days of delivery. "
    trace = Trace(case_id="a", question="q", answer=Answer(text=said * 50, supplied=[{"chunk_id": "x", "text": said}]))
    case = Case(id="a", question="q", category="c", expected_behaviour="answer")
    verdicts = OfflineJudge().judge_now(case, trace)
    assert len(verdicts.claims) == 50
    assert {row.verdict for row in verdicts.support} == {"supported"}
    assert len(compared) == 1


@pytest.mark.parametrize(
    ("answer", "text", "accept", "expected"),
    [
        ("The job will be dropped, and never run.", "The job is dropped and never run.", ("dropped",), "covered"),
        ("Use on_save. Do not call it directly.", "Register it with on_save.", ("on_save",), "covered"),
        ("It does not queue requests.", "It does not queue.", ("queue",), "covered"),
        ("The fee is 5 euros. We never charge more.", "5 euros", ("5 euros",), "covered"),
        ("Wrap each request in a lock.", "Use LOCK_REQUESTS.", ("LOCK_REQUESTS",), "missing"),
        ("Nothing of the kind.", "LOCK_REQUESTS", ("LOCK_REQUESTS",), "missing"),
    ],
)
def test_accepted_wordings_decide_whether_a_required_claim_is_covered(answer, text, accept, expected):
    required = (RequiredClaim(id="r", text=text, accept=accept),)
    (row,) = judge(answer, WINDOW, required_claims=required).coverage
    assert row.verdict == expected
