from __future__ import annotations

import asyncio
import json

from tests.judging.llm.material import (
    POST,
    REFUNDS,
    case,
    changed,
    judge_for,
    settings_for,
    trace,
    verdicts_of,
)
from tests.judging.llm.scripted_server import Asked, Say, honest, serving

from ragvet.judging import judge_answer
from ragvet.judging.llm import ModelJudge, Probe, open_transport
from ragvet.records import DocumentVersion, RequiredClaim
from ragvet.records.lattice import claim_verdicts


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
    assert claim_verdicts(verdicts)["c2"].told == "unsupported"
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
        judge = ModelJudge(settings, open_transport(settings), Probe("json_schema", "fp_1", ()), register=shelf)
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


def test_a_sentence_whose_claims_are_made_up_is_its_own_claim():
    made_up = [{"id": "s1", "claims": [{"text": "This is a question about shipping.", "needs_evidence": False}]}]
    with serving(changed(sentences=made_up)) as server:
        verdicts = verdicts_of(judge_for(server, ask=["support"]), trace_=trace("Refunds take 5 days."))
    (claim,) = verdicts.claims
    assert (claim.text, claim.start, claim.end, claim.needs_evidence) == ("Refunds take 5 days.", 0, 20, True)
    assert claim_verdicts(verdicts)["c1"].told == "supported"


def test_a_cited_passage_the_model_never_saw_is_judged_for_the_citation_only():
    elsewhere = {"items": [{"chunk_id": "old", "text": "They come by post."}]}
    told = trace(
        citations=[{"chunk_id": "old", "start": 21, "end": 39}],
        retrievals=[elsewhere],
    )
    with serving() as server:
        verdicts = verdicts_of(judge_for(server), trace_=told)
    assert verdicts.citations[0].verdict == "supported"
    assert claim_verdicts(verdicts)["c2"].told == "unsupported"


def test_a_supplied_passage_without_text_leaves_claims_undecided():
    supplied = [{"chunk_id": "policy", "text": REFUNDS}, {"chunk_id": "lost"}]
    with serving() as server:
        verdicts = verdicts_of(judge_for(server), trace_=trace(supplied=supplied))
    assert ("c2", "lost", "undecided") in [(row.claim, row.passage, row.verdict) for row in verdicts.support]


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
    different = {"judge": True, "usage": True, "conflicts": True}
    stages = {"stage": True}
    rows = {
        name: {"__all__": stages} for name in ("support", "citations", "coverage", "agreement", "reference_support")
    }
    assert single.model_dump(exclude=different | rows) == grouped.model_dump(exclude=different | rows)


def test_what_was_not_asked_is_undecided_and_neither_missing_nor_unsupported():
    with serving() as server:
        verdicts = verdicts_of(judge_for(server, ask=["relevance"]))
    assert {claim_verdicts(verdicts)[claim.id].told for claim in verdicts.claims} == {"undecided"}
    assert [row.verdict for row in verdicts.coverage] == ["undecided", "undecided"]
    assert [row.verdict for row in verdicts.agreement] == ["undecided", "undecided"]
    assert (verdicts.reference_support, verdicts.conflicts) == (None, None)


def test_one_question_a_request_tells_the_server_which_ids_and_passages_there_are():
    with serving() as server:
        verdicts_of(judge_for(server, questions="single"))
        single = [body["response_format"]["json_schema"]["schema"] for body in server.bodies]
        server.bodies.clear()
        verdicts_of(judge_for(server))
        grouped = [body["response_format"]["json_schema"]["schema"] for body in server.bodies]
    (support,) = [one for one in single if "statements" in one["properties"] and "'c2'" in str(one)]
    assert support["properties"]["statements"]["minItems"] == support["properties"]["statements"]["maxItems"] == 1
    assert support["$defs"]["StatementEvidence"]["properties"]["id"]["enum"] == ["c2"]
    assert support["$defs"]["PassageEvidence"]["properties"]["passage"]["enum"] == ["p1", "p2"]
    assert "enum" not in support["properties"]["key"]  # only the model can know the key
    assert not any(
        "minItems" in str(one) or "pattern" in str(one) for one in grouped
    )  # few schemas: servers compile them


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
    assert {claim_verdicts(verdicts)[claim.id].told for claim in verdicts.claims} == {"supported"}


def test_works_inside_a_running_loop_and_across_loops():
    with serving() as server:
        judge = judge_for(server)

        async def twice():
            return await asyncio.gather(judge_answer(judge, case(), trace()), judge_answer(judge, case(), trace()))

        first, second = asyncio.run(twice())
        third = verdicts_of(judge)
    assert first.claims == second.claims == third.claims
