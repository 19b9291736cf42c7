from __future__ import annotations

import pytest
from tests.judging.llm.material import (
    REFUNDS,
    judge_for,
    trace,
    verdicts_of,
)
from tests.judging.llm.scripted_server import Asked, Say, plainly, serving

from ragvet.errors import JudgeError
from ragvet.records.lattice import claim_verdicts


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
    assert claim_verdicts(verdicts)["c1"].told == "supported"
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
    assert claim_verdicts(verdicts)["c1"].told == "supported"
    assert len({Asked.read(body).passages.get("p1") for body in server.bodies}) > 1


def test_one_passage_that_does_not_fit_fails_with_the_way_out():
    def never(body, number):
        if Asked.read(body).passages:
            return Say(status=400, body='{"error": {"code": "context_length_exceeded"}}')
        return plainly(body, number)

    with serving(never) as server, pytest.raises(JudgeError, match="lower context_characters"):
        verdicts_of(judge_for(server, ask=["support"]))
