from __future__ import annotations

import asyncio
import json
import random
import re

import pytest
from tests.judging.llm.material import POST, REFUNDS, case, judge_for, settings_for, trace, verdicts_of
from tests.judging.llm.scripted_server import Asked, Say, honest, plainly, serving

from ragvet.errors import InputError, JudgeError
from ragvet.judging import judge_all
from ragvet.judging.llm import ModelJudge, Probe, open_wire
from ragvet.judging.llm._settings import TOPICS
from ragvet.records import DocumentVersion, JudgeFailure, RequiredClaim, Verdicts


def changed(**fields):
    """An honest judge, but with these fields of the reply replaced where they are asked for."""

    def script(body, number):
        asked = Asked.read(body)
        return Say(json.dumps({**honest(asked), **{k: v for k, v in fields.items() if k in asked.fields}}))

    return script


def evidence(*rows):
    return [
        {"passage": passage, "quote": quote, "verdict": verdict, "missing_qualification": False}
        for passage, quote, verdict in rows
    ]


def test_all_metrics_take_three_requests_and_each_passage_is_sent_once():
    with serving() as server:
        verdicts = verdicts_of(judge_for(server))
    assert len(server.bodies) == 3
    sent = json.dumps(server.bodies)
    assert sent.count(REFUNDS) == 1
    assert sent.count(POST) == 1
    assert [claim.text for claim in verdicts.claims] == ["Refunds take 5 days.", "They come by post."]
    assert verdicts.behaviour.observed == "answered"
    assert verdicts.addresses_question is True
    assert all(claim.addresses_question for claim in verdicts.claims)


def test_verdicts_are_mapped_back_from_short_ids_to_the_records():
    with serving() as server:
        verdicts = verdicts_of(judge_for(server))
    # the scripted judge supports what stands verbatim: c1 in the policy, c2 nowhere
    assert [(row.claim, row.passage, row.verdict) for row in verdicts.support] == [("c1", "policy", "supported")]
    assert verdicts.claim_verdict("c2") == "unsupported"
    assert [(row.required_claim, row.verdict) for row in verdicts.coverage] == [
        ("time", "covered"),
        ("cards", "missing"),
    ]
    assert [(row.claim, row.verdict) for row in verdicts.agreement] == [("c1", "agree"), ("c2", "extra")]
    assert [(row.statement, row.verdict) for row in verdicts.reference_support] == [
        ("Refunds take 5 days.", "supported")
    ]
    assert verdicts.conflicts == ()


def test_every_span_and_quote_points_at_its_text():
    with serving() as server:
        verdicts = verdicts_of(judge_for(server))
    answer = trace().answer.text
    assert [answer[claim.start : claim.end] for claim in verdicts.claims] == [c.text for c in verdicts.claims]
    quote = verdicts.support[0].quote
    assert REFUNDS[quote.start : quote.end] == quote.text == "refunds take 5 days"
    covered = verdicts.coverage[0].quote
    assert answer[covered.start : covered.end] == covered.text


def test_supported_with_a_quote_that_is_not_there_is_unverified():
    made_up = [{"id": id_, "evidence": evidence(("p1", "refunds take 9 days", "supported"))} for id_ in ("c1", "c2")]
    with serving(changed(statements=made_up)) as server:
        verdicts = verdicts_of(judge_for(server, ask=["support"]))
    assert [row.verdict for row in verdicts.support] == ["unverified", "unverified"]
    assert all(row.quote is None and row.reason for row in verdicts.support)


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


def test_a_contradiction_stands_without_its_quote_but_says_so():
    rows = [{"id": id_, "evidence": evidence(("p2", "nothing of the kind", "contradicted"))} for id_ in ("c1", "c2")]
    with serving(changed(statements=rows)) as server:
        verdicts = verdicts_of(judge_for(server, ask=["support"]))
    assert verdicts.claim_verdict("c1") == "contradicted"
    assert "does not stand in the passage" in verdicts.support[0].reason


def test_a_covered_claim_without_words_of_the_answer_is_undecided():
    rows = [{"id": id_, "quote": "as I said before", "verdict": "covered"} for id_ in ("r1", "r2")]
    with serving(changed(coverage=rows)) as server:
        verdicts = verdicts_of(judge_for(server))
    assert [row.verdict for row in verdicts.coverage] == ["undecided", "undecided"]


def test_other_wordings_of_a_required_claim_are_told_with_it():
    claims = (RequiredClaim(id="time", text="Five days", accept=("within a week", "5 days")),)
    with serving() as server:
        verdicts_of(judge_for(server), case(required_claims=claims))
    (asked,) = [one for one in map(Asked.read, server.bodies) if "coverage" in one.fields]
    assert asked.blocks["r1"] == "Five days\nor: within a week\nor: 5 days"


def test_citations_are_looked_up_in_the_corpus_and_the_corpus_is_in_the_fingerprint():
    class Shelf:
        def __init__(self, *documents):
            self.documents = {document.doc_id: document for document in documents}
            self.fingerprint = ",".join(self.documents)

        def get(self, doc_id, version=None):
            return self.documents.get(doc_id)

        def __contains__(self, doc_id):
            return doc_id in self.documents

    shelf = Shelf(DocumentVersion(doc_id="manual", version="1"))
    told = trace(citations=[{"doc_id": "manual"}, {"doc_id": "nowhere"}])
    with serving() as server:
        settings = settings_for(server)
        bare = judge_for(server)
        judge = ModelJudge(settings, open_wire(settings), Probe("json_schema", "fp_1", ()), register=shelf)
        verdicts = verdicts_of(judge, trace_=told)
    assert [row.resolves for row in verdicts.citations] == [True, False]
    assert verdicts.judge == judge.fingerprint != bare.fingerprint


def test_a_sentence_of_several_claims_shares_its_span_and_its_citation():
    def script(body, number):
        asked = Asked.read(body)
        reply = honest(asked)
        if "sentences" in reply:
            texts = ["Refunds take 5 days", "Gift cards are never refunded"]
            reply["sentences"] = [{"id": "s1", "claims": [{"text": t, "needs_evidence": True} for t in texts]}]
        return Say(json.dumps(reply))

    text = "Refunds take 5 days, and no gift card is refunded [1]."
    with serving(script) as server:
        verdicts = verdicts_of(judge_for(server), trace_=trace(text))
    first, second = verdicts.claims
    assert (first.start, first.end) == (0, len("Refunds take 5 days"))
    assert (second.start, second.end) == (0, len(text))
    assert verdicts.citations[0].claims == ("c1", "c2")
    assert verdicts.citations[0].verdict == "supported"


def test_a_cited_passage_the_model_never_saw_is_judged_for_the_citation_only():
    elsewhere = {"items": [{"chunk_id": "old", "text": "They come by post."}]}
    told = trace(
        citations=[{"chunk_id": "old", "start": 21, "end": 39}],
        retrievals=[elsewhere],
    )
    with serving() as server:
        verdicts = verdicts_of(judge_for(server), trace_=told)
    assert verdicts.citations[0].verdict == "supported"
    assert verdicts.claim_verdict("c2") == "unsupported"


@pytest.mark.parametrize(
    "given",
    [
        {"text": ""},
        {"text": " \n\u200b"},
        {"text": None},
        {"text": "I don't know."},
        {"text": "The answer is long.", "behaviour": "refused"},
        {"text": "Which order do you mean?"},
    ],
)
def test_what_rules_decide_is_never_sent(given):
    with serving() as server:
        verdicts = verdicts_of(judge_for(server, ask=[*set(TOPICS) - {"reference"}]), trace_=trace(**given))
    assert server.bodies == []
    assert [row.verdict for row in verdicts.coverage] == ["missing", "missing"]
    assert verdicts.usage is None


def test_a_blank_context_is_not_sent_and_supports_nothing():
    with serving() as server:
        alone = verdicts_of(judge_for(server, ask=["support"]), trace_=trace(supplied=[]))
        assert server.bodies == []
        compared = verdicts_of(judge_for(server), trace_=trace(supplied=[{"chunk_id": "x", "text": "  "}]))
    assert {alone.claim_verdict(c.id) for c in alone.claims} == {"unsupported"}
    assert all("statements" not in Asked.read(body).fields for body in server.bodies)
    assert {compared.claim_verdict(c.id) for c in compared.claims} == {"unsupported"}


def test_a_supplied_passage_without_text_leaves_claims_undecided():
    supplied = [{"chunk_id": "policy", "text": REFUNDS}, {"chunk_id": "lost"}]
    with serving() as server:
        verdicts = verdicts_of(judge_for(server), trace_=trace(supplied=supplied))
    assert ("c2", "lost", "undecided") in [(row.claim, row.passage, row.verdict) for row in verdicts.support]


@pytest.mark.parametrize("text", ["I don't know.", "Which order do you mean?", "Please contact support."])
def test_of_a_refusal_only_the_reference_is_held_against_the_context(text):
    """Whether the evidence was there tells a wrong refusal apart from a failed retrieval."""
    with serving() as server:
        verdicts = verdicts_of(judge_for(server), trace_=trace(text))
    (asked,) = map(Asked.read, server.bodies)
    assert (asked.fields, set(asked.blocks)) == (["key", "statements"], {"r1", "p1", "p2"})
    assert [(row.verdict, row.passage) for row in verdicts.reference_support] == [("supported", "policy")]
    assert (verdicts.support, verdicts.agreement, verdicts.conflicts) == ((), (), None)
    assert [row.verdict for row in verdicts.coverage] == ["missing", "missing"]


@pytest.mark.parametrize("given", [{"text": " "}, {"text": "I don't know.", "supplied": []}])
def test_a_blank_answer_or_context_is_not_sent_for_the_reference_either(given):
    with serving() as server:
        assert verdicts_of(judge_for(server), trace_=trace(**given)).reference_support is None
        refusing = case(expected_behaviour="refuse")
        assert verdicts_of(judge_for(server), refusing, trace("I don't know.")).reference_support is None
    assert server.bodies == []


def test_a_model_that_hears_a_refusal_ends_the_questions_about_the_answer():
    with serving(changed(behaviour="refused")) as server:
        verdicts = verdicts_of(judge_for(server))
    assert [Asked.read(body).fields for body in server.bodies][1:] == [["key", "statements"]]
    assert verdicts.behaviour.observed == "refused"
    assert [row.verdict for row in verdicts.coverage] == ["missing", "missing"]


def test_the_target_s_own_flag_is_not_asked_about():
    with serving() as server:
        verdicts = verdicts_of(judge_for(server), trace_=trace(behaviour="answered"))
    assert verdicts.behaviour.source == "target"
    assert all("behaviour" not in Asked.read(body).fields for body in server.bodies)


def test_one_question_a_request_gives_the_same_verdicts():
    with serving() as server:
        grouped = verdicts_of(judge_for(server))
        count = len(server.bodies)
        single = verdicts_of(judge_for(server, questions="single"))
    asked = [Asked.read(body) for body in server.bodies[count:]]
    assert all(len(one.fields) == 2 for one in asked)  # the key and one question
    assert all(len(ids) == 1 for one in asked for ids in one.ids.values())
    different = {"judge", "usage", "conflicts"}
    assert single.model_dump(exclude=different) == grouped.model_dump(exclude=different)


def test_a_long_context_is_split_by_passage_and_nothing_is_left_out():
    # 12 passages of about 600 characters, at most 1,000 in a request: one in each
    supplied = [
        {"chunk_id": f"n{i}", "text": f"Number {i}. " + ("Filler words stand here. " * 24).strip()} for i in range(11)
    ]
    supplied.append({"chunk_id": "last", "text": "Refunds take 5 days."})
    with serving() as server:
        verdicts = verdicts_of(
            judge_for(server, context_characters=1000, ask=["support", "conflicts"]), trace_=trace(supplied=supplied)
        )
    sent = [Asked.read(body).passages for body in server.bodies if "statements" in Asked.read(body).fields]
    assert [text for passages in sent for text in passages.values()] == [item["text"] for item in supplied]
    assert verdicts.claim_verdict("c1") == "supported"
    assert verdicts.conflicts is None  # passages that were never seen together may conflict


def test_a_passage_longer_than_a_request_goes_in_pieces_without_overlap():
    long = " ".join(f"Sentence number {i} stands here." for i in range(200)) + " Refunds take 5 days."
    with serving() as server:
        verdicts = verdicts_of(
            judge_for(server, context_characters=1000, ask=["support"]),
            trace_=trace(supplied=[{"chunk_id": "x", "text": long}]),
        )
    sent = [Asked.read(body).passages for body in server.bodies if "statements" in Asked.read(body).fields]
    pieces = [text for passages in sent for text in passages.values()]
    assert max(map(len, pieces)) <= 1000
    assert " ".join(" ".join(pieces).split()) == " ".join(long.split())
    assert [(row.claim, row.passage) for row in verdicts.support] == [("c1", "x")]
    assert long[verdicts.support[0].quote.start :] == "Refunds take 5 days."


def test_a_context_the_server_finds_too_long_is_halved_until_it_fits():
    def small(body, number):
        asked = Asked.read(body)
        if len(asked.passages) > 1:
            return Say(status=400, body='{"error": {"code": "context_length_exceeded"}}')
        return plainly(body, number)

    supplied = [{"chunk_id": str(i), "text": f"Passage {i}."} for i in range(5)]
    supplied.append({"chunk_id": "policy", "text": REFUNDS})
    with serving(small) as server:
        verdicts = verdicts_of(judge_for(server, ask=["support"]), trace_=trace(supplied=supplied))
    assert verdicts.claim_verdict("c1") == "supported"
    assert len({Asked.read(body).passages.get("p1") for body in server.bodies}) > 1


def test_one_passage_that_does_not_fit_fails_with_the_way_out():
    def never(body, number):
        if Asked.read(body).passages:
            return Say(status=400, body='{"error": {"code": "context_length_exceeded"}}')
        return plainly(body, number)

    with serving(never) as server, pytest.raises(JudgeError, match="lower context_characters"):
        verdicts_of(judge_for(server, ask=["support"]))


UNUSABLE = {
    "truncated": Say('{"key": "', finish_reason="length"),
    "no JSON": Say("Certainly! Here are the verdicts."),
    "JSON inside prose": Say('I think {"key": "00000000", "behaviour": "answered", "sentences": []} is right.'),
    "empty": Say(""),
    "refused": Say("", refusal="I cannot judge this."),
    "filtered": Say("", finish_reason="content_filter"),
    "not an object": Say("[]"),
    "missing field": Say('{"key": "00000000"}'),
    "extra field": Say('{"key": "00000000", "behaviour": "answered", "sentences": [], "note": ""}'),
}


@pytest.mark.parametrize("say", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_a_reply_that_cannot_be_used_is_corrected_once_and_then_fails_with_its_raw_text(say):
    with serving(lambda body, number: say) as server, pytest.raises(JudgeError) as failure:
        verdicts_of(judge_for(server))
    assert len(server.bodies) == 2
    correction = server.bodies[1]["messages"][-1]["content"]
    assert correction.startswith("That reply cannot be used:\n- ")
    assert json.loads(failure.value.raw)["choices"][0]["message"]["content"] == say.text
    assert failure.value.usage == {"input_tokens": 200, "output_tokens": 20, "cost": None}


WRONG_IDS = {
    "missing": ({"sentences": [{"id": "s1", "claims": []}]}, "s2 missing"),
    "extra": ({"sentences": [{"id": f"s{i}", "claims": []} for i in (1, 2, 3)]}, "not asked for: 's3'"),
    "twice": ({"sentences": [{"id": i, "claims": []} for i in ("s1", "s2", "s2")]}, "given more than once: s2"),
    "key": ({"key": "00000000"}, "`key` must be"),
}


@pytest.mark.parametrize(("fields", "told"), WRONG_IDS.values(), ids=WRONG_IDS.keys())
def test_the_ids_that_come_back_must_be_those_asked_for(fields, told):
    with serving(changed(**fields)) as server, pytest.raises(JudgeError, match=re.escape(told)):
        verdicts_of(judge_for(server))
    assert told in server.bodies[1]["messages"][-1]["content"]


WRONG_EVIDENCE = {
    "unknown passage": (evidence(("p9", "x", "supported")), "no passage 'p9'"),
    "same passage twice": (evidence(("p1", "x", "supported"), ("p1", "y", "partial")), "2 entries for passage p1"),
    "cited passage left out": ([], "the entry for p1 is missing"),
}


@pytest.mark.parametrize(("rows", "told"), WRONG_EVIDENCE.values(), ids=WRONG_EVIDENCE.keys())
def test_evidence_names_known_passages_once_and_every_cited_one(rows, told):
    statements = [{"id": "c1", "evidence": rows}, {"id": "c2", "evidence": []}]
    with serving(changed(statements=statements)) as server, pytest.raises(JudgeError, match=re.escape(told)):
        verdicts_of(judge_for(server, ask=["support"]), trace_=trace("Refunds take 5 days [1]. They come by post."))


def test_a_corrected_reply_is_used_and_both_are_paid_for():
    with serving(lambda body, number: Say("{") if number == 0 else plainly(body, number)) as server:
        verdicts = verdicts_of(judge_for(server, ask=["support"]))
    assert isinstance(verdicts, Verdicts)
    assert verdicts.usage.input_tokens == 300  # two replies to the first question, one to the second


def test_when_one_request_fails_the_others_are_kept_for_the_next_time(tmp_path):
    def broken(body, number):
        return Say("{") if "statements" in Asked.read(body).fields else plainly(body, number)

    with serving(broken) as server:
        with pytest.raises(JudgeError) as failure:
            verdicts_of(judge_for(server, database=tmp_path / "r.db"))
        assert failure.value.usage["input_tokens"] == 400  # claims, comparison, and support twice
        server.script = plainly
        before = len(server.bodies)
        verdicts_of(judge_for(server, database=tmp_path / "r.db"))
    assert len(server.bodies) - before == 1


def test_a_second_run_asks_nothing_and_fresh_asks_all(tmp_path):
    database = tmp_path / "r.db"
    with serving() as server:
        first = verdicts_of(judge_for(server, database=database))
        second = verdicts_of(judge_for(server, database=database))
        assert len(server.bodies) == 3
        verdicts_of(judge_for(server, database=database, fresh=True))
        assert len(server.bodies) == 6
        verdicts_of(judge_for(server, database=database, repeat=1))
        assert len(server.bodies) == 9
    assert second == first


def test_a_reply_that_was_not_accepted_is_not_stored(tmp_path):
    with serving(lambda body, number: Say("{")) as server:
        for _ in range(2):
            with pytest.raises(JudgeError):
                verdicts_of(judge_for(server, database=tmp_path / "r.db"))
    assert len(server.bodies) == 4


CHANGES = {
    "model": {"model": "other"},
    "temperature": {"temperature": 0.5},
    "seed": {"seed": 1},
    "output limit": {"max_output_tokens": 100},
    "extra field": {"extra_body": {"top_p": 0.1}},
    "mode": {"mode": "tool"},
    "way of asking": {"questions": "single"},
    "what is asked": {"ask": ["support"]},
    "length of a context": {"context_characters": 1000},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_whatever_decides_a_verdict_changes_the_fingerprint(change):
    with serving() as server:
        assert judge_for(server, **change).fingerprint != judge_for(server).fingerprint


@pytest.mark.parametrize("name", ["rules", "rubric", "support", "correction", "examples"])
def test_every_prompt_file_changes_the_fingerprint(tmp_path, name):
    (tmp_path / f"{name}.md").write_text("Other words. {problems}", encoding="utf-8")
    with serving() as server:
        assert judge_for(server, prompts=tmp_path).fingerprint != judge_for(server).fingerprint


@pytest.mark.parametrize("same", [{"concurrency": 3}, {"timeout": 5.0}, {"attempts": 9}, {"ask": list(TOPICS)}])
def test_what_decides_nothing_does_not_change_the_fingerprint(same):
    with serving() as server:
        assert judge_for(server, **same).fingerprint == judge_for(server).fingerprint


def test_a_server_that_changed_signs_its_verdicts_differently():
    def moved(body, number):
        return Say(plainly(body, number).text, fingerprint="fp_2")

    with serving() as server:
        judge = judge_for(server)
        assert verdicts_of(judge).judge == judge.fingerprint
        server.script = moved
        assert verdicts_of(judge).judge != judge.fingerprint


def test_examples_that_hold_a_golden_case_are_refused(tmp_path):
    (tmp_path / "examples.md").write_text("Question: WHEN do refunds  arrive? Answer: …", encoding="utf-8")
    with serving() as server:
        with pytest.raises(InputError, match="question of golden case 1"):
            verdicts_of(judge_for(server, prompts=tmp_path), case(question="When do refunds arrive?"))
        verdicts_of(judge_for(server, prompts=tmp_path), case(question="When is the office open on Fridays?"))


def test_works_inside_a_running_loop_and_across_loops():
    with serving() as server:
        judge = judge_for(server)

        async def twice():
            return await asyncio.gather(judge.judge(case(), trace()), judge.judge(case(), trace()))

        first, second = asyncio.run(twice())
        third = verdicts_of(judge)
    assert first.claims == second.claims == third.claims


def test_the_rubric_and_language_of_a_project_are_sent(tmp_path):
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "rubric.md").write_text("<!-- version: 7 -->\nSei streng.", encoding="utf-8")
    with serving() as server:
        verdicts_of(judge_for(server, prompts=tmp_path, language="de"))
    assert all("Sei streng." in body["messages"][0]["content"] for body in server.bodies)


def test_what_was_not_asked_is_undecided_and_neither_missing_nor_unsupported():
    with serving() as server:
        verdicts = verdicts_of(judge_for(server, ask=["relevance"]))
    assert {verdicts.claim_verdict(claim.id) for claim in verdicts.claims} == {"undecided"}
    assert [row.verdict for row in verdicts.coverage] == ["undecided", "undecided"]
    assert [row.verdict for row in verdicts.agreement] == ["undecided", "undecided"]
    assert (verdicts.reference_support, verdicts.conflicts) == (None, None)


def test_a_hundred_sentences_are_asked_about_in_batches_that_fit_a_reply():
    text = " ".join(f"Item {number} costs {number} euros." for number in range(100))
    with serving() as server:
        verdicts = verdicts_of(judge_for(server, ask=["support"]), trace_=trace(text))
    asked = [Asked.read(body) for body in server.bodies]
    assert len(verdicts.claims) == 100
    assert max(len(ids) for one in asked for ids in one.ids.values()) == 40
    assert sum("behaviour" in one.fields for one in asked) == 1


def test_answers_in_other_scripts_keep_their_spans():
    text = "退款需要5天。 الاسترداد يستغرق 5 أيام. रिफंड में 5 दिन लगते हैं।"
    supplied = [{"chunk_id": "x", "text": f"政策：退款需要5天。 {text}"}]
    with serving() as server:
        verdicts = verdicts_of(judge_for(server, ask=["support"]), trace_=trace(text, supplied=supplied))
    assert [text[claim.start : claim.end] for claim in verdicts.claims] == [claim.text for claim in verdicts.claims]
    assert {verdicts.claim_verdict(claim.id) for claim in verdicts.claims} == {"supported"}


def test_with_a_server_full_of_faults_every_answer_ends_scored_or_failed_and_only_the_failed_are_asked_again(tmp_path):
    draws = random.Random(3)  # noqa: S311 - draws faults

    def faulty(body, number):
        draw = draws.random()
        if draw < 0.25:
            return Say('{"key": "')
        if draw < 0.35:
            return Say(status=429, headers={"Retry-After": "0"})
        if draw < 0.45:
            return Say(status=500)
        return Say(delay=30) if draw < 0.48 else plainly(body, number)

    items = [
        (case(id=str(i)), trace(f"Refunds take {i} days.").model_copy(update={"case_id": str(i)})) for i in range(40)
    ]
    given = {"database": tmp_path / "r.db", "ask": ["support"], "timeout": 1.0, "attempts": 2}
    with serving(faulty) as server:
        first = asyncio.run(judge_all(judge_for(server, **given), items))
        failures = [result for result in first if isinstance(result, JudgeFailure)]
        assert 0 < len(failures) < 40
        assert all(failure.error for failure in failures)
        server.script = plainly
        before = len(server.bodies)
        second = asyncio.run(judge_all(judge_for(server, **given), items))
    assert all(isinstance(result, Verdicts) for result in second)
    assert [a for a in first if isinstance(a, Verdicts)] == [
        b for a, b in zip(first, second, strict=True) if isinstance(a, Verdicts)
    ]
    assert len(failures) <= len(server.bodies) - before <= 2 * len(failures)


def test_the_key_is_in_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-secret-123")
    with serving() as server:
        verdicts_of(judge_for(server, database=tmp_path / "r.db", api_key_env="JUDGE_KEY"))
    assert server.headers[0]["Authorization"] == "Bearer sk-secret-123"
    assert all(b"sk-secret" not in file.read_bytes() for file in tmp_path.iterdir())
