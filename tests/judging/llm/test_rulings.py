from __future__ import annotations

import pytest
from tests.judging.llm.material import (
    changed,
    evidence,
    judge_for,
    trace,
    verdicts_of,
)
from tests.judging.llm.scripted_server import serving


def test_supported_with_a_quote_that_says_the_opposite_of_the_passage_is_unverified():
    policy = "Bought as a present? Gift cards are never refunded."
    rows = [{"id": "c1", "evidence": evidence(("p1", "Gift cards are ever refunded.", "supported"))}]
    told = trace("Gift cards are ever refunded.", supplied=[{"chunk_id": "policy", "text": policy}])
    with serving(changed(statements=rows)) as server:
        verdicts = verdicts_of(judge_for(server, ask=["support"]), trace_=told)
    assert [(row.verdict, row.quote) for row in verdicts.support] == [("unverified", None)]
    assert "does not stand in the passage" in verdicts.support[0].reason


@pytest.mark.parametrize(("quote", "told"), [("opens at nine", "shares no content word"), ("Refunds", "single word")])
def test_supported_with_a_quote_about_something_else_or_of_one_word_is_unverified(quote, told):
    supplied = [{"chunk_id": "policy", "text": "The museum opens at nine. Refunds take 5 days."}]
    rows = [{"id": "c1", "evidence": evidence(("p1", quote, "supported"))}]
    with serving(changed(statements=rows)) as server:
        judge = judge_for(server, ask=["support"])
        verdicts = verdicts_of(judge, trace_=trace("Refunds take 5 days.", supplied=supplied))
    assert [(row.verdict, row.quote) for row in verdicts.support] == [("unverified", None)]
    assert told in verdicts.support[0].reason


@pytest.mark.parametrize("verdict", ["supported", "partial", "contradicted"])
def test_every_verdict_that_rests_on_a_quote_is_unverified_without_it(verdict):
    rows = [{"id": id_, "evidence": evidence(("p2", "nothing of the kind", verdict))} for id_ in ("c1", "c2")]
    with serving(changed(statements=rows)) as server:
        verdicts = verdicts_of(judge_for(server, ask=["support"]))
    assert [(row.verdict, row.quote) for row in verdicts.support] == [("unverified", None)] * 2
    assert "does not stand in the passage" in verdicts.support[0].reason


def judged(verdict, quote, passage, claim="Refunds take 5 days."):
    rows = [{"id": "c1", "evidence": evidence(("p1", quote, verdict))}]
    told = trace(claim, supplied=[{"chunk_id": "policy", "text": passage}])
    with serving(changed(statements=rows)) as server:
        return verdicts_of(judge_for(server, ask=["support"]), trace_=told).support[0]


def test_words_cut_out_of_a_clause_that_denies_them_show_a_contradiction_only():
    passage = "It is not true that refunds take 5 days."
    quote = "refunds take 5 days"
    assert [judged(verdict, quote, passage).verdict for verdict in ("supported", "partial", "contradicted")] == [
        "unverified",
        "unverified",
        "contradicted",
    ]
    assert "denies" in judged("supported", quote, passage).reason


def test_a_condition_left_out_of_quote_and_claim_is_a_missing_qualification():
    passage = "If you kept the receipt, refunds take 5 days. Unless it rains, we open at nine."
    cut = judged("supported", "refunds take 5 days", passage)
    assert (cut.verdict, cut.missing_qualification) == ("supported", True)
    assert not judged("supported", "If you kept the receipt, refunds take 5 days", passage).missing_qualification
    assert not judged("contradicted", "refunds take 5 days", passage).missing_qualification


def test_a_covered_claim_without_words_of_the_answer_is_undecided():
    rows = [{"id": id_, "quote": "as I said before", "verdict": "covered"} for id_ in ("r1", "r2")]
    with serving(changed(coverage=rows)) as server:
        verdicts = verdicts_of(judge_for(server))
    assert [row.verdict for row in verdicts.coverage] == ["undecided", "undecided"]
