from __future__ import annotations

import pytest
from tests.judging.llm.material import (
    case,
    changed,
    judge_for,
    trace,
    verdicts_of,
)
from tests.judging.llm.scripted_server import Asked, serving

from ragvet.judging._model_settings import TOPICS
from ragvet.records.lattice import claim_verdicts


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
    assert {claim_verdicts(alone)[c.id].told for c in alone.claims} == {"unsupported"}
    assert [row.verdict for row in alone.coverage] == ["undecided", "undecided"]  # there is an answer; nobody asked
    assert all("statements" not in Asked.read(body).fields for body in server.bodies)
    assert {claim_verdicts(compared)[c.id].told for c in compared.claims} == {"unsupported"}


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


def test_a_blank_answer_or_context_is_not_sent_for_the_reference_either():
    with serving() as server:
        assert verdicts_of(judge_for(server), trace_=trace(" ")).reference_support is None
        nothing = verdicts_of(judge_for(server), trace_=trace("I don't know.", supplied=[])).reference_support
        assert [row.verdict for row in nothing] == ["unsupported"]  # of what is not there nobody need be asked
        refusing = case(expected_behaviour="refuse")
        assert verdicts_of(judge_for(server), refusing, trace("I don't know.")).reference_support is None
    assert server.bodies == []


def test_a_model_that_hears_a_refusal_ends_the_questions_about_the_answer():
    with serving(changed(behaviour="refused")) as server:
        verdicts = verdicts_of(judge_for(server))
    assert [Asked.read(body).fields for body in server.bodies][1:] == [["key", "statements"]]
    assert verdicts.behaviour.observed == "refused"
    assert [row.verdict for row in verdicts.coverage] == ["missing", "missing"]
